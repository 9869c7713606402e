import { pipeline, type Readable, type Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { ResponseHeaders } from "./destination.ts";
import { EgressFailure } from "./failure.ts";

type Encoded = { statusCode: number; headers: ResponseHeaders };

/** Decodes a body; `headers` are those that hold for the decoded bytes. */
type Decoder = { headers: ResponseHeaders; decode(body: Readable): Readable };

/**
 * The decoder for `Content-Encoding` (RFC 9110, section 8.4); its headers omit that and `Content-Length`. Undefined if
 * there is nothing to decode, no body, or an unknown coding. Throws `EgressFailure` for more codings than anything
 * needs.
 * The decoders run under the reader's back pressure: a bomb expands no further than its reader reads.
 */
export function findDecoder(method: string, { statusCode, headers }: Encoded): Decoder | undefined {
  if (method === "HEAD" || statusCode === 204 || statusCode === 304) return undefined;
  const coding = headers["content-encoding"];
  if (coding === undefined || headers["content-length"] === "0") return undefined;
  const codings = [coding]
    .flat()
    .flatMap((value) => value.toLowerCase().split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (codings.length > maxCodings) throw new EgressFailure(`its answer is compressed ${codings.length} times over`);
  if (codings.length === 0 || !codings.every((name) => Object.hasOwn(decoders, name))) return undefined;
  const { "content-encoding": _coding, "content-length": _length, ...rest } = headers;
  return {
    headers: rest,
    decode: (body) => codings.reduceRight<Readable>((input, name) => pipe(input, decoders[name]), body),
  };
}

const maxCodings = 3;

// A truncated body yields what arrived, as browsers do.
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
  // The callback exists so that a failure reaches only the reader; the decoder is destroyed with the same error.
  return pipeline(input, createDecoder(), () => {});
}
