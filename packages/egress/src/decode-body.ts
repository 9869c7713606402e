import { pipeline, type Readable, type Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { EgressFailure } from "./failure.ts";
import type { ResponseHeaders } from "./response-headers.ts";

/**
 * Undoes `Content-Encoding` (RFC 9110, section 8.4) and takes it and `Content-Length` out of the headers, as neither
 * is true of the decoded bytes. An unknown coding leaves body and headers as they are.
 * The decoders run under the reader's back pressure: a bomb expands no further than its reader reads.
 */
export function decodeBody(body: Readable, headers: ResponseHeaders): { body: Readable; headers: ResponseHeaders } {
  const codings = [headers["content-encoding"] ?? []]
    .flat()
    .flatMap((value) => value.toLowerCase().split(","))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length === 0 || headers["content-length"] === "0") return { body, headers };
  if (codings.length > maxCodings) throw new EgressFailure(`its answer is compressed ${codings.length} times over`);
  if (!codings.every((coding) => Object.hasOwn(decoders, coding))) return { body, headers };

  const { "content-encoding": _coding, "content-length": _length, ...rest } = headers;
  const decoded = codings.reduceRight<Readable>((input, coding) => pipe(input, decoders[coding]), body);
  return { body: decoded, headers: rest };
}

const maxCodings = 3;

// A body that ends early yields what arrived, as browsers do.
const zlibOptions = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const brotliOptions = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

const decoders: Record<string, () => Transform> = {
  gzip: () => createGunzip(zlibOptions),
  "x-gzip": () => createGunzip(zlibOptions),
  deflate: () => createInflate(zlibOptions),
  br: () => createBrotliDecompress(brotliOptions),
};

function pipe(input: Readable, createDecoder: (() => Transform) | undefined): Readable {
  if (createDecoder === undefined) return input;
  // The callback exists so that a failure reaches the reader alone; the decoder is destroyed with the same error.
  return pipeline(input, createDecoder(), () => {});
}
