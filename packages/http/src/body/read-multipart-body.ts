import { addAbortSignal } from "node:stream";
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import { type UploadedFile, WeftError } from "@weft/schema";
import { createPause } from "@weft/workers";
import { assertUncompressed, joinPieces, readBodyPieces, tooLarge, unsupportedMediaType } from "./read-body.ts";

/** Text fields, a repeated one as an array, and what was received of the files, in order. */
type MultipartForm<File> = Record<string, unknown> & { files: File[] };

/** A file of a form, as its part begins. `oversizeBytes` is set once its pieces have ended, if it was skipped. */
export type IncomingFile = Omit<UploadedFile, "bytes">;

/** Takes the files of one form as they arrive. */
export type FileReceiver<File = unknown> = {
  /**
   * Takes a file, at the pace of this iteration, and resolves with what the form holds in its place. The pieces of a
   * file that turns out too large end early: then `file.oversizeBytes` is set, and what was received of it must be
   * discarded. Pieces throw where the form ends early.
   */
  receive(file: IncomingFile, pieces: AsyncIterable<Uint8Array>): Promise<File>;
  /** Called once all files have been received: the form is passed on when it resolves. */
  complete(): Promise<void>;
  /** Called once when the request has been answered or has failed. */
  release(): Promise<void>;
};

/** Keeps files in memory. */
export const inMemory: FileReceiver<UploadedFile> = {
  async receive(file, pieces) {
    const held: Uint8Array[] = [];
    let sizeBytes = 0;
    for await (const piece of pieces) {
      held.push(piece);
      sizeBytes += piece.length;
    }
    const isSkipped = file.oversizeBytes !== undefined;
    return { ...file, bytes: isSkipped ? new Uint8Array() : await joinPieces(held, sizeBytes) };
  },
  complete: async () => undefined,
  release: async () => undefined,
};

export type MultipartLimits = {
  /** Of all fields and files together, apart from skipped ones. */
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

/** Collects the parser's results. Rejects with `form-unparsable` and `body-too-large`, and with what `receive` does. */
async function gatherForm<File>(
  parser: BusboyInstance,
  limits: MultipartLimits,
  { receiver, signal }: { receiver: FileReceiver<File>; signal: AbortSignal },
): Promise<MultipartForm<File>> {
  const fields: Record<string, unknown> = Object.create(null);
  const files: Promise<File>[] = [];
  const take = createIntake(limits);
  const { promise: finished, resolve, reject } = Promise.withResolvers<void>();
  const fail = (reason: string) => (cause?: unknown) => reject(malformed(reason, cause));
  parser.on("field", (name, value, _, isCut) => {
    const { maxBytes, maxFieldCharacters = maxBytes } = limits;
    if (value.length > maxFieldCharacters) return reject(tooLong(name, maxFieldCharacters));
    if (isCut || !take.fits(value.length)) return reject(tooLarge(maxBytes));
    const earlier = fields[name];
    fields[name] = earlier === undefined ? value : Array.isArray(earlier) ? [...earlier, value] : [earlier, value];
  });
  parser.on("file", (...[fieldName, stream, name, , mimeType]) => {
    const file: IncomingFile = { fieldName, name: name ?? "", mimeType };
    // The parser reports an error without ending the stream.
    stream.on("error", (cause) => stream.destroy(cause));
    addAbortSignal(signal, stream);
    const received = receiver.receive(file, take.piecesOf(file, stream));
    received.catch(reject);
    files.push(received);
  });
  parser.on("filesLimit", fail(`it has more than ${limits.maxFiles} files`));
  parser.on("fieldsLimit", fail(`it has more than ${maxFields} fields`));
  parser.on("error", fail("it is malformed or ended early"));
  parser.on("finish", resolve);
  await finished;
  const received = await Promise.all(files);
  await receiver.complete();
  return Object.assign(fields, { files: received });
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

/** Counts what a form has brought so far against its limits. */
function createIntake({ maxBytes, maxFileBytes }: MultipartLimits) {
  let takenBytes = 0;

  function fits(sizeBytes: number): boolean {
    takenBytes += sizeBytes;
    return takenBytes <= maxBytes;
  }

  return {
    fits,
    /** The pieces of a file, up to the moment when it is too large; the rest is read and discarded. */
    async *piecesOf(file: IncomingFile, stream: BusboyFileStream): AsyncGenerator<Uint8Array> {
      let sizeBytes = 0;
      let isSkipped = false;
      for await (const piece of untilBroken(stream)) {
        sizeBytes += piece.length;
        if (isSkipped) continue;
        isSkipped = !fits(piece.length) || sizeBytes > (maxFileBytes ?? maxBytes);
        if (!isSkipped) {
          yield piece;
          continue;
        }
        if (maxFileBytes === undefined) throw tooLarge(maxBytes);
        takenBytes -= sizeBytes;
      }
      if (isSkipped) file.oversizeBytes = sizeBytes;
    },
  };
}

async function* untilBroken(stream: BusboyFileStream): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (cause) {
    throw malformed("it ended early", cause);
  }
}

/** Most bytes of oversized files read and discarded per form. */
const maxSkippedBytes = 1_024 ** 3;

export function isMultipart(headers: Headers): boolean {
  return /^\s*multipart\/form-data\s*(;|$)/i.test(headers.get("content-type") ?? "");
}

/**
 * Reads a form (RFC 7578) as it arrives. Throws `media-type-unsupported`, `body-too-large`, and `form-unparsable` for a
 * form that is malformed, truncated, or has too many files or fields.
 */
export async function readMultipartBody<File>(
  request: Request,
  limits: MultipartLimits,
  receiver: FileReceiver<File>,
): Promise<MultipartForm<File>> {
  if (!isMultipart(request.headers)) {
    throw unsupportedMediaType("multipart/form-data", request.headers.get("content-type") ?? "a body without a type");
  }
  assertUncompressed(request.headers);
  const parser = createParser(request.headers, limits);
  const broken = new AbortController();
  const form = gatherForm(parser, limits, { receiver, signal: broken.signal });
  const sentLimitBytes = limits.maxBytes + (limits.maxFileBytes === undefined ? 0 : maxSkippedBytes);
  try {
    // A rejected form is not read any further.
    await Promise.race([form, feed(parser, readBodyPieces(request, sentLimitBytes))]);
    return await form;
  } catch (cause) {
    broken.abort();
    throw cause;
  }
}

/** Reads in turns, so that a fast client does not occupy the event loop. */
async function feed(parser: BusboyInstance, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const pause = createPause();
  for await (const piece of pieces) {
    await new Promise<void>((resolve) => parser.write(piece, () => resolve()));
    await pause(piece.length);
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
