import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { StringDecoder } from "node:string_decoder";
import { coversUrl, toBoundHost, toDestination, WeftError } from "@weft/schema";
import { formsOf, isOrdinary } from "./secret-forms.ts";

/** A secret and where it may go. */
type BoundSecret = {
  value: string;
  /** Of the credential, for messages. */
  name: string;
  /** Entries as `parseBoundHost` makes them. */
  hosts: readonly string[];
  /** Of the credential, if it is a stored one. */
  id?: string;
};

/** Encodes a secret for its place in a request: raw, or escaped for JSON or a URL. */
export type Encode = (value: string) => string;

/**
 * Secrets that are in use. Invariants:
 * V1 What reads a credential holds placeholders, never values. A placeholder leaks nothing, wherever it ends up.
 * V2 A value takes the place of its placeholder only in a request that goes out, or in what signs one, and only to a host
 *    it is bound to.
 * V3 A value that went out is known from then on, in all its spellings, and is taken out of whatever comes back.
 */
export type SecretVault = {
  /** The placeholder of a secret: the same text for the same key, which then stands for the newest value. */
  placeholderFor(key: string, secret: BoundSecret): string;
  holds(text: string): boolean;
  /** The text with the values filled in. Throws `credential-host` if one is not bound to the host of `url`. */
  fill(text: string, url: URL, encode?: Encode): string;
  /** The value behind a placeholder, for protocols other than HTTP and for signed requests. Throws like `fill`. */
  reveal(text: string, host: string): string;
  /** A received text, with placeholders in place of values: a request that follows a redirect is bound as before. */
  hide(text: string): string;
  /** Treats a value of the operator's environment as used, unless it is an ordinary one: see `isOrdinary`. */
  know(value: string): void;
  /** Whether `redactor` removes this value. */
  knows(value: string): boolean;
  /** Removes every value that was used. */
  redactor(): Redactor;
};

const prefix = "weft-secret-";
const pattern = /weft-secret-[0-9a-f]{32}/g;
/** Values remembered; the one first used longest ago is evicted first. */
const maxRemembered = 5_000;

export type SecretVaultOptions = {
  /** Hosts that the operator allows without TLS. Default: none. */
  allowsPlain?(url: URL): boolean;
};

export function createSecretVault({ allowsPlain = () => false }: SecretVaultOptions = {}): SecretVault {
  const secrets = new Map<string, BoundSecret>();
  const placeholders = new Map<string, string>();
  const used = new Map<string, readonly string[]>();
  let redactor = createRedactor([]);

  function remember(value: string): void {
    if (used.has(value)) return;
    used.set(value, formsOf(value));
    if (used.size > maxRemembered) used.delete(used.keys().next().value ?? "");
    redactor = createRedactor([...used.values()].flat());
  }

  function fill(text: string, url: URL, encode: Encode = (value) => value, shown = url.origin): string {
    if (!text.includes(prefix)) return text;
    return text.replaceAll(pattern, (placeholder) => {
      const secret = secrets.get(placeholder);
      if (secret === undefined) return placeholder;
      if (!coversUrl(secret.hosts, url, allowsPlain(url))) throw refusal(secret, { url, shown });
      remember(secret.value);
      return encode(secret.value);
    });
  }

  return {
    placeholderFor(key, secret) {
      const placeholder = placeholders.get(key) ?? prefix + randomUUID().replaceAll("-", "");
      placeholders.set(key, placeholder);
      secrets.set(placeholder, secret);
      return placeholder;
    },
    holds: (text) => text.includes(prefix),
    fill: (text, url, encode) => fill(text, url, encode),
    // Protocols other than HTTP have their own TLS.
    reveal: (text, host) => fill(text, new URL(`https://${host}`), undefined, host),
    hide(text) {
      let hidden = text;
      for (const [placeholder, { value }] of secrets) {
        for (const form of used.get(value) ?? []) hidden = hidden.replaceAll(form, () => placeholder);
      }
      return hidden;
    },
    know(value) {
      if (!isOrdinary(value)) remember(value);
    },
    knows: (value) => used.has(value),
    redactor: () => redactor,
  };
}

/** The text with the mark in place of placeholders, for displayed addresses. */
export function withoutPlaceholders(text: string, mark: string): string {
  return text.includes(prefix) ? text.replaceAll(pattern, mark) : text;
}

/** Bytes with the values filled in; throws like `fill`. */
export function fillBytes(vault: SecretVault, bytes: Uint8Array, url: URL, encode?: Encode): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!text.includes(prefix)) return bytes;
  const toBytes: Encode = (value) => Buffer.from(encode === undefined ? value : encode(value)).toString("latin1");
  return Buffer.from(vault.fill(text.toString("latin1"), url, toBytes), "latin1");
}

function refusal({ id, name, hosts }: BoundSecret, { url, shown }: { url: URL; shown: string }): WeftError {
  const listed = hosts.length === 0 ? "no host yet" : `only ${hosts.join(", ")}`;
  const entry = toBoundHost(url);
  const remedy =
    id === undefined
      ? "Correct the address."
      : `If it is meant for ${entry}, allow that with the finding of the step or the credential's destinations in the builder, or with POST /api/v1/credentials/${id}/destinations and {"destination":"${shown === url.origin ? toDestination(entry) : entry}"}; otherwise correct the address.`;
  return new WeftError("credential-host", { params: { url: shown, name, hosts: listed, remedy } });
}

/** Replaces a secret. */
export const redactionMark = "[secret]";
const mark = Buffer.from(redactionMark);

/** Replaces known texts, wherever the bytes are split into pieces. */
export type Redactor = {
  readonly isIdle: boolean;
  text(text: string): string;
  bytes(bytes: Uint8Array): Buffer<ArrayBuffer>;
  /** For bytes that arrive in pieces: only the start of a possible match is held back. */
  open(): RedactionStream;
  /** The same for text, whose pieces may end within a character. */
  openText(): TextRedaction;
};

type RedactionStream = {
  push(chunk: Uint8Array): Buffer<ArrayBuffer>;
  /** Returns what was held back at the end. */
  end(): Buffer<ArrayBuffer>;
};

export type TextRedaction = { push(piece: string): string; end(): string };

/**
 * A redactor of the given texts; of two that start at the same place the longer one counts. Time is linear in the
 * input.
 */
export function createRedactor(needles: Iterable<string>): Redactor {
  const index = toIndex([...new Set(needles)].filter((needle) => Buffer.byteLength(needle) >= keyBytes));
  const bytes = (input: Uint8Array) => scan(index, toBuffer(input), true).output;
  return {
    isIdle: index.needles.length === 0,
    bytes,
    text(text) {
      if (index.needles.length === 0) return text;
      const input = Buffer.from(text);
      const { output, found } = scan(index, input, true);
      return found ? output.toString() : text;
    },
    open: () => openBytes(index),
    openText: () => openText(index),
  };
}

function openBytes(index: Index): RedactionStream & { isEmpty(): boolean } {
  let held: Buffer<ArrayBuffer> = nothing;
  return {
    isEmpty: () => held.length === 0,
    push(chunk) {
      const input = held.length === 0 ? toBuffer(chunk) : concat(held, chunk);
      const { output, rest } = scan(index, input, false);
      held = rest.length === 0 ? nothing : Buffer.from(rest);
      return output;
    },
    end: () => scan(index, held, true).output,
  };
}

/** Nearly all pieces hold nothing that a needle could begin with, and pass as they are. */
function openText(index: Index): TextRedaction {
  const stream = openBytes(index);
  const decoder = new StringDecoder("utf8");
  /** The first half of a surrogate pair: bytes are made of whole characters. */
  let half = "";
  return {
    push(piece) {
      if (half === "" && stream.isEmpty() && !mayBegin(index, piece)) return piece;
      const text = half + piece;
      half = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : "";
      return decoder.write(stream.push(Buffer.from(half === "" ? text : text.slice(0, -1))));
    },
    end: () => decoder.write(stream.push(Buffer.from(half))) + decoder.end(stream.end()),
  };
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Whether a needle may begin in this text, or the text ends within a character. */
function mayBegin({ begins, firsts, isAscii }: Index, text: string): boolean {
  if (text === "") return false;
  let first = text.charCodeAt(0);
  for (let at = 1; at < text.length; at += 1) {
    const second = text.charCodeAt(at);
    if ((first | second) < 0x80 ? begins[(first << 4) ^ second] === 1 : !isAscii) return true;
    first = second;
  }
  return first < 0x80 ? firsts[first] === 1 : !isAscii || isHighSurrogate(first);
}

const nothing: Buffer<ArrayBuffer> = Buffer.alloc(0);

/** Bytes by which a needle is looked up. */
const keyBytes = 4;

type Index = {
  needles: readonly Buffer[];
  byKey: ReadonlyMap<number, readonly Buffer[]>;
  /** By a hash of the first two bytes: whether any needle starts with them. */
  begins: Uint8Array;
  /** By the first byte, for the last one of a piece. */
  firsts: Uint8Array;
  /** Whether the first two bytes of every needle are ASCII. */
  isAscii: boolean;
};

function toIndex(texts: readonly string[]): Index {
  const needles = texts.map((text) => Buffer.from(text)).sort((a, b) => b.length - a.length);
  const byKey = new Map<number, Buffer[]>();
  const begins = new Uint8Array(4096);
  const firsts = new Uint8Array(256);
  for (const needle of needles) {
    const key = needle.readUInt32BE(0);
    byKey.set(key, [...(byKey.get(key) ?? []), needle]);
    begins[((needle[0] ?? 0) << 4) ^ (needle[1] ?? 0)] = 1;
    firsts[needle[0] ?? 0] = 1;
  }
  const isAscii = needles.every((needle) => needle.readUInt16BE(0) < 0x8000 && (needle[1] ?? 0) < 0x80);
  return { needles, byKey, begins, firsts, isAscii };
}

type Scanned = { output: Buffer<ArrayBuffer>; rest: Uint8Array; found: boolean };

function scan(index: Index, input: Buffer<ArrayBuffer>, isLast: boolean): Scanned {
  const parts: Uint8Array[] = [];
  let copied = 0;
  let at = 0;
  for (;;) {
    at = findBeginning(index, input, at);
    if (at === input.length) break;
    const match = matchAt(index, input, { at, isLast });
    if (match === "perhaps") break;
    if (match === 0) {
      at += 1;
      continue;
    }
    parts.push(input.subarray(copied, at), mark);
    at += match;
    copied = at;
  }
  const rest = input.subarray(at);
  if (parts.length === 0) return { output: rest.length === 0 ? input : input.subarray(0, at), rest, found: false };
  if (at > copied) parts.push(input.subarray(copied, at));
  return { output: Buffer.concat(parts), rest, found: true };
}

/** The next position where a needle may start; the input's length if there is none. */
function findBeginning({ begins, firsts }: Index, input: Buffer, from: number): number {
  const last = input.length - 1;
  if (from > last) return input.length;
  let first = input[from] as number;
  for (let at = from; at < last; at += 1) {
    const second = input[at + 1] as number;
    if (begins[(first << 4) ^ second] === 1) return at;
    first = second;
  }
  return firsts[first] === 1 ? last : input.length;
}

type Place = { at: number; isLast: boolean };

/** The length of the needle at this position; 0; or that one may be here once more has arrived. */
function matchAt({ needles, byKey }: Index, input: Buffer, { at, isLast }: Place): number | "perhaps" {
  const left = input.length - at;
  const candidates = left < keyBytes ? needles : (byKey.get(input.readUInt32BE(at)) ?? []);
  for (const needle of candidates) {
    const length = Math.min(needle.length, left);
    if (needle.compare(input, at, at + length, 0, length) !== 0) continue;
    if (length === needle.length) return length;
    if (!isLast) return "perhaps";
  }
  return 0;
}

/** Message bytes are not in memory that threads share. */
function toBuffer(bytes: Uint8Array): Buffer<ArrayBuffer> {
  if (Buffer.isBuffer(bytes)) return bytes as Buffer<ArrayBuffer>;
  return Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
}

function concat(held: Uint8Array, chunk: Uint8Array): Buffer<ArrayBuffer> {
  return Buffer.concat([held, chunk]);
}
