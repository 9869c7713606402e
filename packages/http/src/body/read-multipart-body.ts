import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import { type UploadedFile, WeftError } from "@weft/schema";
import { createPause } from "@weft/workers";
import { assertUncompressed, joinPieces, readBodyPieces, tooLarge, unsupportedMediaType } from "./read-body.ts";

/** Text fields, a repeated one as an array, and the files of all file fields in order. */
type MultipartForm = Record<string, unknown> & { files: UploadedFile[] };

export type MultipartLimits = {
  maxBytes: number;
  maxFiles: number;
  /**
   * The longest file. A longer one, and one that does not fit into `maxBytes` with those before it, is skipped while
   * the others are read. Absent: a form that is too large is rejected as a whole.
   */
  maxFileBytes?: number | undefined;
  /** Of one non-file field. */
  maxFieldCharacters?: number | undefined;
};

const maxFields = 200;

/** A file while it arrives: its pieces, or only their length once it is too large. */
type Incoming = Omit<UploadedFile, "bytes"> & { pieces: Uint8Array[]; sizeBytes: number };

/**
 * Collects the parser's results. At most `maxBytes` are held in memory. Rejects with `form-unparsable` and
 * `body-too-large`.
 */
async function gatherForm(parser: BusboyInstance, limits: MultipartLimits): Promise<MultipartForm> {
  const fields: Record<string, unknown> = Object.create(null);
  const incoming: Incoming[] = [];
  await new Promise<void>((resolve, reject) => {
    const fail = (reason: string) => (cause?: unknown) => reject(malformed(reason, cause));
    const hold = createHold(limits, reject);
    parser.on("field", (name, value, _, isCut) => {
      const { maxBytes, maxFieldCharacters = maxBytes } = limits;
      if (value.length > maxFieldCharacters) return reject(tooLong(name, maxFieldCharacters));
      if (isCut) return reject(tooLarge(maxBytes));
      hold.field(value);
      const earlier = fields[name];
      fields[name] = earlier === undefined ? value : Array.isArray(earlier) ? [...earlier, value] : [earlier, value];
    });
    parser.on("file", (...[fieldName, stream, name, , mimeType]) => {
      const file: Incoming = { fieldName, name: name ?? "", mimeType, pieces: [], sizeBytes: 0 };
      incoming.push(file);
      hold.file(file, stream);
      stream.on("error", fail("it ended early"));
    });
    parser.on("filesLimit", fail(`it has more than ${limits.maxFiles} files`));
    parser.on("fieldsLimit", fail(`it has more than ${maxFields} fields`));
    parser.on("error", fail("it is malformed or ended early"));
    parser.on("finish", resolve);
  });
  const files: UploadedFile[] = [];
  for (const file of incoming) files.push(await toUploadedFile(file));
  return Object.assign(fields, { files });
}

function malformed(reason: string, cause?: unknown): WeftError {
  return new WeftError("form-unparsable", { params: { reason }, cause });
}

function tooLong(name: string, limit: number): WeftError {
  const path = name.slice(0, 100);
  return new WeftError("limit-exceeded", {
    params: { where: path, limit, what: "characters" },
    errors: [{ path, message: `has more than ${limit} characters` }],
  });
}

function createHold({ maxBytes, maxFileBytes }: MultipartLimits, reject: (error: WeftError) => void) {
  let heldBytes = 0;

  function passOver(file: Incoming): void {
    if (maxFileBytes === undefined) {
      reject(tooLarge(maxBytes));
      return;
    }
    file.oversizeBytes = file.sizeBytes;
    heldBytes -= file.sizeBytes;
    file.pieces = [];
  }

  return {
    field(value: string): void {
      heldBytes += value.length;
      if (heldBytes > maxBytes) reject(tooLarge(maxBytes));
    },
    file(file: Incoming, stream: BusboyFileStream): void {
      stream.on("data", (piece: Uint8Array) => {
        file.sizeBytes += piece.length;
        if (file.oversizeBytes !== undefined) {
          file.oversizeBytes = file.sizeBytes;
          return;
        }
        heldBytes += piece.length;
        file.pieces.push(piece);
        if (heldBytes > maxBytes || file.sizeBytes > (maxFileBytes ?? maxBytes)) passOver(file);
      });
    },
  };
}

async function toUploadedFile({ pieces, sizeBytes, ...file }: Incoming): Promise<UploadedFile> {
  return { ...file, bytes: await joinPieces(pieces, file.oversizeBytes === undefined ? sizeBytes : 0) };
}

/** Most bytes of oversized files read and discarded per form. */
const maxPassedOverBytes = 1_024 ** 3;

export function isMultipart(headers: Headers): boolean {
  return /^\s*multipart\/form-data\s*(;|$)/i.test(headers.get("content-type") ?? "");
}

/**
 * Reads a form (RFC 7578) as it arrives. Throws `media-type-unsupported`, `body-too-large`, and `form-unparsable` for a
 * form that is malformed, truncated, or has too many files or fields.
 */
export async function readMultipartBody(request: Request, limits: MultipartLimits): Promise<MultipartForm> {
  if (!isMultipart(request.headers)) {
    throw unsupportedMediaType("multipart/form-data", request.headers.get("content-type") ?? "a body without a type");
  }
  assertUncompressed(request.headers);
  const parser = createParser(request.headers, limits);
  const form = gatherForm(parser, limits);
  const sentLimitBytes = limits.maxBytes + (limits.maxFileBytes === undefined ? 0 : maxPassedOverBytes);
  // A rejected form is not read any further.
  await Promise.race([form, feed(parser, readBodyPieces(request, sentLimitBytes))]);
  return form;
}

/** Reads in turns, so that a fast client does not occupy the event loop. */
async function feed(parser: BusboyInstance, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const pause = createPause();
  for await (const piece of pieces) {
    await new Promise<void>((resolve) => parser.write(piece, () => resolve()));
    await pause();
  }
  parser.end();
}

function createParser(headers: Headers, { maxBytes, maxFiles, maxFieldCharacters }: MultipartLimits): BusboyInstance {
  // No character of UTF-8 text has more than four bytes.
  const maxFieldBytes = maxFieldCharacters === undefined ? maxBytes : Math.min(maxBytes, 4 * maxFieldCharacters + 1);
  const parserHeaders: BusboyHeaders = { "content-type": headers.get("content-type") ?? "" };
  const limits = { files: maxFiles, fields: maxFields, fieldSize: maxFieldBytes };
  try {
    return new Busboy({ headers: parserHeaders, limits: { ...limits, headerPairs: 100 } });
  } catch (cause) {
    throw malformed("its Content-Type names no boundary", cause);
  }
}
