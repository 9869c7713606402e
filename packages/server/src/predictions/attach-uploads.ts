import { type PredictionRequest, type RunInput, type RunUpload, wrapDocument } from "@weft/schema";
import type { FilePlace, FileService } from "../files/file.service.ts";
import type { ReadUpload } from "./read-uploads.ts";

/** The request with what was said in its recordings as its question. */
export function withSpoken(request: PredictionRequest, uploads: readonly ReadUpload[]): PredictionRequest {
  const spoken = uploads.flatMap((upload) => upload.spoken ?? []);
  return spoken.length === 0 ? request : { ...request, question: spoken.join("\n") };
}

/** Stores the files in the chat; what the run's input says of them. Rejects with `not-found` when the agent is gone. */
export async function attachUploads(
  files: Pick<FileService, "store">,
  place: FilePlace,
  { uploads, isVisitor }: { uploads: readonly ReadUpload[]; isVisitor: boolean },
): Promise<Pick<RunInput, "uploads" | "fileAttachment">> {
  if (uploads.length === 0) return {};
  const stored = await files.store(
    place,
    uploads.flatMap(({ file }) => file ?? []),
    { isVisitor },
  );
  const shown = uploads.map(({ shown, file, text }): RunUpload => {
    if (file !== undefined) return { ...shown, sizeBytes: file.bytes.length, ...idOf(stored.shift()) };
    return text === undefined ? shown : { ...shown, sizeBytes: Buffer.byteLength(text) };
  });
  const texts = uploads.flatMap(({ shown, text }) =>
    text === undefined ? [] : wrapDocument({ name: shown.name, text }),
  );
  return { uploads: shown, ...(texts.length > 0 && { fileAttachment: texts.join("\n\n") }) };
}

function idOf(stored: { id: string } | undefined): Pick<RunUpload, "fileId"> {
  return stored === undefined ? {} : { fileId: stored.id };
}
