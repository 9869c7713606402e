import { z } from "zod";

/** A file of a multipart/form-data body. `name` and `mimeType` are what the client says. */
export type UploadedFile = {
  fieldName: string;
  name: string;
  mimeType: string;
  bytes: Uint8Array;
  /** How long it was, where it was longer than it may be; then `bytes` is empty. */
  oversizeBytes?: number;
};

export const uploadedFileSchema = z
  .custom<UploadedFile>((value) => value instanceof Object && "bytes" in value, "must be a file")
  .meta({ type: "string", format: "binary" });
