import type { DocumentReader } from "@weft/documents";
import type { AttachmentResult } from "@weft/schema";
import type { RunnableAgent } from "../agents/agent-reader.ts";
import type { FilePlace, FileService, NewFile } from "../files/file.service.ts";
import { assertAttachable, readAttached } from "./read-attached.ts";
import { readUploadPolicy } from "./upload-policy.ts";

export type AttachmentServiceDeps = {
  files: FileService;
  documents: DocumentReader;
  getForRun(agentId: string): Promise<RunnableAgent>;
};

export type AttachRequest = { files: readonly NewFile[]; isBase64: boolean; signal: AbortSignal };

export type AttachmentService = {
  /**
   * Stores files with a chat, which need not have begun, and answers with their texts, or their bytes as base64. All or
   * none. Rejects with `not-found`, with `parameters-invalid` when the agent does not take them, with
   * `document-unsupported` and with `document-unreadable`.
   */
  attach(place: FilePlace, request: AttachRequest): Promise<AttachmentResult[]>;
};

export function createAttachmentService({ files, documents, getForRun }: AttachmentServiceDeps): AttachmentService {
  return {
    async attach(place, { files: given, isBase64, signal }) {
      const { agent } = await getForRun(place.agentId);
      const policy = readUploadPolicy(agent.chatbotConfig);
      for (const file of given) assertAttachable(file, policy);
      const toContent = async (file: NewFile) =>
        isBase64 ? Buffer.from(file.bytes).toString("base64") : readAttached(file, { documents, policy, signal });
      const contents = await Promise.all(given.map(toContent));
      const stored = await files.store(place, given);
      return stored.map(({ name, mime, sizeBytes }, index) => ({
        name,
        mimeType: mime,
        size: String(sizeBytes),
        content: contents[index] ?? "",
      }));
    },
  };
}
