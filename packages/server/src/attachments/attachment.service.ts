import type { FilePlace, NewFile } from "@weft/chats";
import { inNameOf } from "@weft/documents";
import { type Reach, reachesAgent } from "@weft/http/identity";
import { type AttachmentResult, type Share, WeftError } from "@weft/schema";
import type { Context } from "../context.ts";
import type { Needs } from "../feature.ts";
import { assertAttachable, readAttached } from "./read-attached.ts";
import { readUploadPolicy } from "./upload-policy.ts";

export type AttachRequest = {
  files: readonly NewFile[];
  isBase64: boolean;
  isVisitor: boolean;
  /** On whose behalf the files are read. */
  share: Share;
  reach: Reach;
  signal: AbortSignal;
};

export type AttachmentService = {
  /**
   * Stores files with a chat, which need not have started, and answers with their texts, or with the bytes of any files
   * as base64. All or none. Rejects with `not-found`, with `parameters-invalid` if the agent does not accept them, with
   * `document-unsupported` if they have no text, with `document-unreadable` and, beyond a visitor's limits, with
   * `visitor-files-exceeded`.
   */
  attach(place: FilePlace, request: AttachRequest): Promise<AttachmentResult[]>;
};

export function createAttachmentService(
  _: Context,
  { chats: { files }, documents, runnables: { getForRun } }: Needs<"chats" | "documents" | "runnables">,
): AttachmentService {
  return {
    async attach(place, { files: given, isBase64, isVisitor, reach, share, signal }) {
      const { agent } = await getForRun(place.agentId);
      if (!reachesAgent(reach.agents, agent.id))
        throw new WeftError("not-found", { params: { resource: "agent", id: agent.id } });
      const policy = readUploadPolicy(agent.chatbotConfig);
      for (const file of given) assertAttachable(file, { policy, needsText: !isBase64 });
      const reader = inNameOf(share, documents);
      const toContent = async (file: NewFile) =>
        isBase64
          ? Buffer.from(file.bytes).toString("base64")
          : readAttached(file, { documents: reader, policy, signal });
      const contents = await Promise.all(given.map(toContent));
      const stored = await files.store(place, given, { isVisitor });
      return stored.map(({ name, mime, sizeBytes }, index) => ({
        name,
        mimeType: mime,
        size: String(sizeBytes),
        content: contents[index] ?? "",
      }));
    },
  };
}
