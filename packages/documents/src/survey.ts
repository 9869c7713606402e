import { isArchive } from "./detect-format.ts";
import type { DocumentFormat, DocumentInput, DocumentParts } from "./document.ts";
import type { DocumentLimits } from "./limits.ts";
import { requireFormat } from "./require-format.ts";
import { createTextCount } from "./text-count.ts";
import { tooLong } from "./unreadable.ts";
import { unreadableError } from "./unreadable-error.ts";

/** The bytes of a file that may be read, from the first. `format` is undefined for an archive, whose end tells it. */
export type Surveyed = { format: DocumentFormat | undefined; parts: AsyncIterator<Uint8Array> };

/**
 * Looks at a file before any of it is kept: at its size, at its first part for its format, and at the others only where
 * its text may be too long. Raises `document-unsupported` and `document-unreadable`.
 */
export async function surveyDocument(source: DocumentParts, limits: DocumentLimits): Promise<Surveyed> {
  const { name, sizeBytes } = source;
  if (sizeBytes === 0) throw unreadableError(name, "it is empty");
  const parts = source.parts()[Symbol.asyncIterator]();
  // Of a file that is not stored, its store knows why.
  const { value: first = new Uint8Array() } = await parts.next();
  if (sizeBytes > limits.inputBytes) {
    throw unreadableError(name, `it is larger than ${limits.inputBytes} bytes; split it`);
  }
  const format = isArchive(first) ? undefined : requireFormat({ ...source, bytes: first });
  const mostCharacters = longestText(format, limits);
  if (sizeBytes <= mostCharacters) return { format, parts: joined(first, parts) };
  const count = createTextCount();
  for (let part: Uint8Array | undefined = first; part !== undefined; part = (await parts.next()).value) {
    if (count(part) <= mostCharacters) continue;
    await parts.return?.();
    throw unreadableError(name, tooLong(limits.textCharacters));
  }
  return { format, parts: source.parts()[Symbol.asyncIterator]() };
}

/** Of the file as it is decoded, in which up to half is markup. Formats that are not text as a whole have no limit here. */
function longestText(format: DocumentFormat | undefined, { textCharacters }: DocumentLimits): number {
  if (format !== undefined && verbatim.has(format)) return textCharacters;
  return format !== undefined && marked.has(format) ? 2 * textCharacters : Number.POSITIVE_INFINITY;
}

const verbatim: ReadonlySet<DocumentFormat> = new Set(["text", "markdown", "csv", "json", "jsonl", "xml", "yaml"]);
const marked: ReadonlySet<DocumentFormat> = new Set(["html", "subtitles", "notebook"]);

async function* joined(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

const partBytes = 256 * 1_024;

/** Parts of a file that is in memory, and stays as it is. */
export function toParts(file: DocumentInput | DocumentParts): DocumentParts {
  if (!("bytes" in file)) return file;
  const { bytes, ...named } = file;
  return {
    ...named,
    sizeBytes: bytes.length,
    async *parts() {
      for (let start = 0; start < bytes.length; start += partBytes)
        yield new Uint8Array(bytes.subarray(start, start + partBytes));
    },
  };
}
