import { createHash, createHmac, randomBytes, randomInt, randomUUID } from "node:crypto";
import querystring from "node:querystring";

/**
 * Answers what a guest's modules ask of the host: it computes with the request's own values and touches nothing else.
 * The request may be any text. The answer is JSON text of `{ value }`, or of `{ error }` with a sentence.
 */
export function answerSystemCall(requestJson: string): string {
  try {
    const request = JSON.parse(requestJson) as Request;
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
    querystring.stringify(values as querystring.ParsedUrlQueryInput, toOption(separator), toOption(equals)),
  "escape-query": ({ text }) => querystring.escape(String(text)),
  "unescape-query": ({ text }) => querystring.unescape(String(text)),
  digest,
  "check-hash": ({ algorithm }) => toHashName(algorithm),
  hashes: () => hashes,
  "random-uuid": () => randomUUID(),
  "random-bytes": ({ size }) => randomBytes(toSize(size)).toString("base64"),
  "random-int": ({ least, below }) => randomInt(Number(least), Number(below)),
};

const addressParts = [
  ...["href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"],
] as readonly (keyof URL & string)[];

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
  const { text, encoding } = (part ?? {}) as Request;
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
