import { z } from "zod";

/** A file of a multipart/form-data body. `name` and `mimeType` are the client's claims. */
export type UploadedFile = {
  fieldName: string;
  name: string;
  mimeType: string;
  bytes: Uint8Array;
  /** Original length, if the file exceeded the limit; `bytes` is then empty. */
  oversizeBytes?: number;
};

export const uploadedFileSchema = z
  .custom<UploadedFile>((value) => value instanceof Object && "bytes" in value, "must be a file")
  .meta({ type: "string", format: "binary" });
