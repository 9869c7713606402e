import type { LoadedPart, LoaderServices } from "@weft/engine";
import type { LoadOptions } from "../define-loader.ts";
import { toFailure } from "../to-failure.ts";
import type { FormatSettings } from "./file-fields.ts";
import { readStoredFile } from "./stored-file.ts";
import { toParts } from "./to-parts.ts";

export type FileSelection = FormatSettings & {
  files: readonly string[];
  /** Which of them by name; the others are passed over. Default: all. */
  isWanted?: (name: string) => boolean;
};

/** The texts of files, one file in memory at a time. One that cannot be read is a failure, and the next one is read. */
export async function* loadFiles(
  { files, isWanted, ...settings }: FileSelection,
  services: LoaderServices,
  { signal }: LoadOptions,
): AsyncGenerator<LoadedPart> {
  for (const reference of files) {
    signal.throwIfAborted();
    let name = reference.slice(0, 100);
    try {
      const file = await readStoredFile(reference, services);
      name = file.name;
      if (isWanted?.(name) === false) continue;
      const input = { name, mimeType: file.mediaType, bytes: await file.bytes() };
      const content = await services.documents.read(input, { signal, takesBytes: true });
      yield* toParts(name, content, settings);
    } catch (error) {
      signal.throwIfAborted();
      yield toFailure(name, error);
    }
  }
}
