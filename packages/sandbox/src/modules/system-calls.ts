import { createHash, createHmac, randomBytes, randomInt, randomUUID } from "node:crypto";
import { posix } from "node:path";
import querystring from "node:querystring";
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateRawSync,
  inflateSync,
  unzipSync,
} from "node:zlib";
import { intlOperations } from "./intl-calls.ts";

/**
 * Answers the requests of a guest's modules to the host: it computes with the request's own values and touches nothing
 * else.
 * The request may be any text. The answer is JSON text of `{ value }`, or of `{ error }` with a sentence.
 */
export function answerSystemCall(requestJson: string): string {
  try {
    const request: Request = JSON.parse(requestJson);
    const operation = Object.hasOwn(operations, String(request.do)) ? operations[String(request.do)] : undefined;
    if (operation === undefined) return JSON.stringify({ error: "There is no such operation." });
    return JSON.stringify({ value: operation(request) });
  } catch (error) {
    return JSON.stringify({ error: error instanceof Error ? error.message : "The operation failed." });
  }
}

type Request = Record<string, unknown>;

const operations: Readonly<Record<string, (request: Request) => unknown>> = {
  "parse-url": ({ href, base }) => toAddress(URL.parse(String(href), base === undefined ? undefined : String(base))),
  "change-url": changeUrl,
  "parse-params": ({ text }) => [...new URLSearchParams(String(text))],
  "write-params": ({ pairs }) => new URLSearchParams(toPairs(pairs)).toString(),
  "parse-query": ({ text, separator, equals }) =>
    querystring.parse(String(text), toOption(separator), toOption(equals)),
  "write-query": ({ values, separator, equals }) =>
    querystring.stringify({ ...toOptions(values) }, toOption(separator), toOption(equals)),
  "escape-query": ({ text }) => querystring.escape(String(text)),
  "unescape-query": ({ text }) => querystring.unescape(String(text)),
  ...intlOperations,
  path: ({ method, arguments: given }) => toPath(String(method), Array.isArray(given) ? given : []),
  zlib: ({ method, base64 }) => compress(String(method), Buffer.from(String(base64), "base64")).toString("base64"),
  digest,
  "check-hash": ({ algorithm }) => toHashName(algorithm),
  hashes: () => hashes,
  "random-uuid": () => randomUUID(),
  "random-bytes": ({ size }) => randomBytes(toSize(size)).toString("base64"),
  "random-int": ({ least, below }) => randomInt(Number(least), Number(below)),
};

/** POSIX paths, as if the working directory were `/`. */
function toPath(method: string, given: unknown[]): unknown {
  const texts = given.map(String);
  if (method === "resolve") return posix.resolve("/", ...texts);
  if (method === "relative") return posix.relative(...toRooted(texts));
  if (method === "format") return posix.format(toOptions(given[0]));
  if (method === "join") return posix.join(...texts);
  const [first = "", suffix] = texts;
  if (method === "basename") return posix.basename(first, suffix);
  if (method === "dirname") return posix.dirname(first);
  if (method === "extname") return posix.extname(first);
  if (method === "isAbsolute") return posix.isAbsolute(first);
  return method === "parse" ? posix.parse(first) : posix.normalize(first);
}

function toRooted([from = "", to = ""]: string[]): [string, string] {
  return [posix.resolve("/", from), posix.resolve("/", to)];
}

function toOptions(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

/** Most bytes of output: far less than the memory of the code. */
const maxOutputLength = 5 * 1024 * 1024;

const compressors: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  deflateRaw: (bytes) => deflateRawSync(bytes),
  brotliCompress: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gunzip: (bytes) => gunzipSync(bytes, { maxOutputLength }),
  inflate: (bytes) => inflateSync(bytes, { maxOutputLength }),
  inflateRaw: (bytes) => inflateRawSync(bytes, { maxOutputLength }),
  unzip: (bytes) => unzipSync(bytes, { maxOutputLength }),
  brotliDecompress: (bytes) => brotliDecompressSync(bytes, { maxOutputLength }),
};

function compress(method: string, bytes: Buffer): Buffer {
  const run = Object.hasOwn(compressors, method) ? compressors[method] : undefined;
  if (run === undefined) throw new TypeError(`The sandbox has no ${method}.`);
  if (bytes.length > maxOutputLength) throw new RangeError(`At most ${maxOutputLength} bytes can be compressed.`);
  return run(bytes);
}

const addressParts: readonly (keyof URL & string)[] = [
  ...(["href", "origin", "protocol", "username", "password", "host"] as const),
  ...(["hostname", "port", "pathname", "search", "hash"] as const),
];

function toAddress(url: URL | null) {
  return url === null ? null : Object.fromEntries(addressParts.map((part) => [part, url[part]]));
}

function changeUrl({ href, part, value }: Request) {
  const url = URL.parse(String(href));
  const known = addressParts.find((name) => name === part && name !== "origin");
  if (url === null || known === undefined) return null;
  if (known === "href") return toAddress(URL.parse(String(value)));
  Object.assign(url, { [known]: String(value) });
  return toAddress(url);
}

function toPairs(pairs: unknown): [string, string][] {
  return (Array.isArray(pairs) ? pairs : []).map((pair) => [String(pair?.[0]), String(pair?.[1])]);
}

function toOption(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

const hashes = ["md5", "sha1", "sha256", "sha384", "sha512"];
const inputEncodings = ["utf8", "hex", "base64", "base64url", "latin1", "binary", "ascii", "utf16le"] as const;
const outputEncodings = ["hex", "base64", "base64url", "binary"] as const;

function toHashName(algorithm: unknown): string {
  const name = String(algorithm).toLowerCase().replace("-", "");
  if (hashes.includes(name)) return name;
  throw new TypeError(`The sandbox has no hash ${name}. Use ${hashes.slice(0, -1).join(", ")} or ${hashes.at(-1)}.`);
}

function digest({ algorithm, key, parts, encoding }: Request) {
  const name = toHashName(algorithm);
  const computed = key === undefined ? createHash(name) : createHmac(name, toBytes(key));
  for (const part of Array.isArray(parts) ? parts : []) computed.update(toBytes(part));
  return computed.digest(oneOf(outputEncodings, encoding));
}

function toBytes(part: unknown): Buffer {
  const { text, encoding }: Request = { ...(part ?? {}) };
  const given = String(encoding).toLowerCase();
  return Buffer.from(String(text), oneOf(inputEncodings, given === "utf-8" ? "utf8" : given));
}

function oneOf<Name extends string>(names: readonly Name[], given: unknown): Name {
  const known = names.find((name) => name === given);
  if (known === undefined) throw new TypeError(`The sandbox has no encoding ${given}. Use one of ${names.join(", ")}.`);
  return known;
}

const maxRandomBytes = 65_536;

function toSize(size: unknown): number {
  if (Number.isInteger(size) && Number(size) >= 0 && Number(size) <= maxRandomBytes) return Number(size);
  throw new TypeError(`randomBytes gives ${maxRandomBytes} bytes at most.`);
}
