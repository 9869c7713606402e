import type { LoaderServices, StoredFile } from "@weft/engine";
import { WeftError } from "@weft/schema";
import type { SourceServices } from "../define-loader.ts";

/**
 * A file by the id under which it is stored, or written out as existing clients send it:
 * `data:<media type>;base64,<bytes>,filename:<name>`. Throws `document-unreadable` when there is none.
 */
export async function readStoredFile(reference: string, services: LoaderServices): Promise<StoredFile> {
  const inline = parseInline(reference);
  if (inline !== undefined) return { ...inline, bytes: async () => decode(inline) };
  const stored = await services.readFile(reference);
  if (stored !== undefined) return stored;
  throw unreadable(`The file ${reference.slice(0, 100)}`, "it is no longer stored; upload it again");
}

/** Its name, as far as that is known. */
export async function nameOfFile(reference: string, services: SourceServices): Promise<string> {
  return parseInline(reference)?.name ?? (await services.nameOfFile(reference)) ?? reference.slice(0, 200);
}

type InlineFile = { name: string; mediaType: string; base64: string };

function parseInline(reference: string): InlineFile | undefined {
  if (!reference.startsWith("data:")) return undefined;
  const [head = "", base64 = "", last = ""] = reference.split(",", 3);
  const [mediaType = ""] = head.slice("data:".length).split(";", 1);
  const name = last.startsWith("filename:") ? last.slice("filename:".length) : "file";
  return { name, mediaType, base64 };
}

function decode({ name, base64 }: InlineFile): Uint8Array {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length === 0) throw unreadable(name, "it is empty, or its data is not valid base64");
  return bytes;
}

export function unreadable(name: string, reason: string): WeftError {
  return new WeftError("document-unreadable", { params: { name: name.slice(0, 200), reason } });
}
