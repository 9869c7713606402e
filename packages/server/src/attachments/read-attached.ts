import type { NewFile } from "@weft/chats";
import { type DocumentContent, type DocumentReader, detectFormat, requireFormat, toText } from "@weft/documents";
import { WeftError } from "@weft/schema";
import type { UploadPolicy } from "./upload-policy.ts";

/**
 * Rejects a file that the agent does not accept, before anything is read. Throws `parameters-invalid` with the reason,
 * `document-unreadable` and, if its text is requested, `document-unsupported`.
 */
export function assertAttachable(
  { name, mimeType, bytes }: NewFile,
  { policy, needsText }: { policy: UploadPolicy; needsText: boolean },
): void {
  const format = (needsText ? requireFormat : detectFormat)({ name, mimeType, bytes });
  const reason = policy.refusal(mimeType, format);
  if (reason !== undefined) throw new WeftError("parameters-invalid", { params: { reason } });
}

export type ReadAttachedOptions = {
  documents: { read: DocumentReader["read"] };
  policy: UploadPolicy;
  signal: AbortSignal;
};

export async function readAttached(
  { name, mimeType, bytes }: NewFile,
  { documents, policy, signal }: ReadAttachedOptions,
): Promise<string> {
  const content = await documents.read({ name, mimeType, bytes }, { signal });
  return policy.joinsPages && content.format === "pdf" ? joinPages(content) : toText(content);
}

function joinPages({ sections }: DocumentContent): string {
  return sections.map(({ text }) => text).join("\n");
}
