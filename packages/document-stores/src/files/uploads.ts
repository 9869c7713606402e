import { standardLimits } from "@weft/documents";
import type { UploadedFile } from "@weft/schema";
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
