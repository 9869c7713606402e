import { Busboy, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import { createPause } from "@weft/workers";
import { gatherForm, type MultipartForm, type MultipartLimits, malformed, maxFields } from "./gather-form.ts";
import { assertUncompressed, readBodyPieces, unsupportedMediaType } from "./read-body-bytes.ts";

/** What is read, and kept nowhere, of files that are too large: at most this much for one form. */
const maxPassedOverBytes = 1_024 ** 3;

export function isMultipart(headers: Headers): boolean {
  return /^\s*multipart\/form-data\s*(;|$)/i.test(headers.get("content-type") ?? "");
}

/**
 * Reads a form (RFC 7578) as it comes in. Throws `media-type-unsupported`, `body-too-large`, and `form-unparsable` for a
 * form that is malformed, cut off, or has more files or fields than it may.
 */
export async function readMultipartBody(request: Request, limits: MultipartLimits): Promise<MultipartForm> {
  if (!isMultipart(request.headers)) {
    throw unsupportedMediaType("multipart/form-data", request.headers.get("content-type") ?? "a body without a type");
  }
  assertUncompressed(request.headers);
  const parser = createParser(request.headers, limits);
  const form = gatherForm(parser, limits);
  const sentLimitBytes = limits.maxBytes + (limits.maxFileBytes === undefined ? 0 : maxPassedOverBytes);
  // A form that is refused is not read any further.
  await Promise.race([form, feed(parser, readBodyPieces(request, sentLimitBytes))]);
  return form;
}

/** A fast client does not keep the event loop: it is read in turns. */
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
