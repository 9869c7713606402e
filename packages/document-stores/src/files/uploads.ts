import { standardLimits } from "@weft/documents";
import type { JsonObject, UploadedFile } from "@weft/schema";
import { z } from "zod";

/** The files of a form. JSON cannot send any: a loader's configuration may hold them as data URLs. */
export const uploadsSchema = z
  .custom<UploadedFile[]>(areFiles, "must be files of a form")
  .optional()
  .meta({ type: "array", items: { type: "string", format: "binary" } });

/** A file that is larger than any that can be read is named among what failed, and the others are loaded. */
export const uploadLimits = { maxFiles: 1_000, maxFileBytes: standardLimits.inputBytes };

function areFiles(value: unknown): boolean {
  return Array.isArray(value) && value.every((file) => file?.bytes instanceof Uint8Array);
}

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

/** The files that a loader's configuration names: ids, or whole files written out. */
export function fileIds(config: JsonObject): string[] {
  const { files } = config;
  return Array.isArray(files) ? files.filter((file) => typeof file === "string") : [];
}
