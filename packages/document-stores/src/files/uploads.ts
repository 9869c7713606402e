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

/** Names of files as they are stored, in the same order, no two equal: of several `a.md` the second is `a (2).md`. */
export function toFileNames(given: readonly string[]): string[] {
  const taken = new Set<string>();
  return given.map((name) => {
    const own = toFileName(name);
    const dot = startOfEnding(own);
    let free = own;
    for (let count = 2; taken.has(free); count += 1) free = `${own.slice(0, dot)} (${count})${own.slice(dot)}`;
    taken.add(free);
    return free;
  });
}

/** Without control characters, which no database takes; a name that is too long loses its middle. */
export function toFileName(given: string): string {
  const name =
    given
      .toWellFormed()
      .replaceAll(/\p{Cc}/gu, "")
      .trim() || "file";
  if (name.length <= maxCharacters) return name;
  const ending = name.slice(startOfEnding(name)).slice(0, 20);
  return (name.slice(0, maxCharacters - ending.length) + ending).toWellFormed();
}

const maxCharacters = 200;

function startOfEnding(name: string): number {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? dot : name.length;
}
