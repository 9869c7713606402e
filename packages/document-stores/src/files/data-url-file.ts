import type { UploadedFile } from "@weft/schema";

/** A file as it comes with a request. */
export type NewFile = Pick<UploadedFile, "name" | "mimeType" | "bytes" | "oversizeBytes">;

/** A file as existing clients write it into a loader's configuration: `data:<type>;base64,<bytes>,filename:<name>`. */
export function parseDataUrlFile(text: string): NewFile | undefined {
  const found = /^data:([^;,]*)((?:;[^;,]*)*),([^,]*)(?:,filename:(.*))?$/s.exec(text);
  if (!found) return undefined;
  const [, mimeType = "", parameters = "", data = "", name = ""] = found;
  const bytes = parameters.includes(";base64") ? Buffer.from(data, "base64") : Buffer.from(decode(data));
  return { name: name.trim(), mimeType, bytes };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
