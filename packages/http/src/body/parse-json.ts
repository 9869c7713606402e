import { isUtf8 } from "node:buffer";
import { type Json, type JsonObject, WeftError } from "@weft/schema";
import { createPause } from "@weft/workers";
import { assertWithin, beyond, isLong, type JsonLimits } from "./json-limits.ts";

/** The native parser reads this much in a millisecond or two at most, whatever it holds. */
const smallBytes = 65_536;
/** Amount read between two looks at the clock. */
const stretchBytes = 65_536;
const longestNumber = 1_000;
const shortText = 1_000;

/**
 * Parses JSON text of any size within limits. A large one is parsed in turns with the rest of the process, and no
 * further than the first violation.
 * Throws `body-unparsable`, `body-too-deep` and `limit-exceeded`.
 */
export async function parseJson(bytes: Uint8Array, limits: JsonLimits): Promise<Json> {
  const start = hasByteOrderMark(bytes) ? 3 : 0;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.byteLength - start);
  if (!isUtf8(buffer)) throw unparsable("it is not UTF-8 text");
  if (buffer.length > smallBytes) return parseLarge(buffer, limits);
  const value = parseNatively(buffer.toString("utf8"));
  assertWithin(value, limits);
  return value;
}

function parseNatively(text: string): Json {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unparsable(cause instanceof Error ? cause.message : "it cannot be read", cause);
  }
}

async function parseLarge(bytes: Buffer, limits: JsonLimits): Promise<Json> {
  const reader = new JsonReader(bytes, limits);
  const pause = createPause();
  while (!reader.readStretch()) await pause();
  return reader.value;
}

type Container = { count: number; name: string } & (
  | { isArray: true; value: Json[] }
  | { isArray: false; value: JsonObject }
);

/** Tokens that may follow. */
type Expected = "value" | "value-or-end" | "key" | "key-or-end" | "comma-or-end" | "end";

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];
const literals: Readonly<Record<number, readonly [text: string, value: Json]>> = {
  116: ["true", true],
  102: ["false", false],
  110: ["null", null],
};

/**
 * Reads a JSON text piece by piece.
 * - J1 `at` stands between two tokens, or inside of one text that is longer than a stretch: then `text` holds its parts.
 * - J2 Everything is counted before it is kept.
 */
class JsonReader {
  value: Json = null;
  readonly #bytes: Buffer;
  readonly #limits: JsonLimits;
  readonly #open: Container[] = [];
  #at = 0;
  #expected: Expected = "value";
  #values = 0;
  #characters = 0;
  #text: { parts: string[]; isLong: boolean } | undefined;

  constructor(bytes: Buffer, limits: JsonLimits) {
    this.#bytes = bytes;
    this.#limits = limits;
  }

  /** Reads on. Returns whether everything is read. */
  readStretch(): boolean {
    const until = this.#at + stretchBytes;
    while (this.#at < until) {
      if (this.#text !== undefined) this.#takeText();
      else if (this.#readNext()) return true;
      if (this.#text !== undefined) return false;
    }
    return false;
  }

  /** One token, with the space before it; or one stretch of space. */
  #readNext(): boolean {
    this.#skipSpace();
    const byte = this.#bytes[this.#at];
    if (byte === undefined && this.#expected === "end") return true;
    if (byte === undefined) throw this.#misplaced();
    if (!isSpace(byte)) this.#readToken(byte);
    return false;
  }

  #readToken(byte: number): void {
    if (this.#isEnd(byte)) this.#leave();
    else if (this.#expected === "value" || this.#expected === "value-or-end") this.#readValue(byte);
    else if (this.#expected === "comma-or-end" && byte === comma) {
      this.#at += 1;
      this.#expected = this.#open.at(-1)?.isArray ? "value" : "key";
    } else if ((this.#expected === "key" || this.#expected === "key-or-end") && byte === quote) this.#readKey();
    else throw this.#misplaced();
  }

  #isEnd(byte: number): boolean {
    const into = this.#open.at(-1);
    if (into === undefined || byte !== (into.isArray ? closeBracket : closeBrace)) return false;
    return this.#expected.endsWith("-or-end");
  }

  #readValue(byte: number): void {
    this.#begin();
    if (byte === openBracket || byte === openBrace) this.#enter(byte === openBracket);
    else if (byte === quote) {
      this.#at += 1;
      this.#takeText();
    } else if (literals[byte] !== undefined) this.#take(this.#readLiteral(literals[byte]));
    else this.#take(this.#readNumber());
  }

  /** Counts the next value, in its array and in total. */
  #begin(): void {
    this.#values += 1;
    if (this.#values > this.#limits.values) throw beyond(this.#limits, "values", "");
    const into = this.#open.at(-1);
    if (into?.isArray !== true) return;
    into.name = String(into.count);
    this.#countIn(into, "elements");
  }

  #countIn(into: Container, name: "elements" | "keys"): void {
    into.count += 1;
    if (into.count <= this.#limits[name]) return;
    this.#open.pop();
    throw beyond(this.#limits, name, this.#path());
  }

  #take(value: Json): void {
    const into = this.#open.at(-1);
    this.#expected = into === undefined ? "end" : "comma-or-end";
    if (into === undefined) this.value = value;
    else if (into.isArray) into.value.push(value);
    else if (into.name === "__proto__") define(into.value, value);
    else into.value[into.name] = value;
  }

  #enter(isArray: boolean): void {
    if (this.#open.length === this.#limits.depth) throw beyond(this.#limits, "depth", this.#path());
    const container: Container = { count: 0, name: "", ...(isArray ? { isArray, value: [] } : { isArray, value: {} }) };
    this.#take(container.value);
    this.#open.push(container);
    this.#expected = isArray ? "value-or-end" : "key-or-end";
    this.#at += 1;
  }

  #leave(): void {
    this.#open.pop();
    this.#expected = this.#open.length === 0 ? "end" : "comma-or-end";
    this.#at += 1;
  }

  #readKey(): void {
    this.#at += 1;
    const into = this.#open.at(-1);
    const key = this.#readText();
    if (into === undefined || key === undefined) throw unparsable(`a key is longer than ${stretchBytes} bytes`);
    this.#countIn(into, "keys");
    into.name = key;
    this.#skipSpace();
    if (this.#bytes[this.#at] !== colon) throw this.#misplaced();
    this.#at += 1;
    this.#expected = "value";
  }

  #takeText(): void {
    const whole = this.#readText();
    if (whole !== undefined) this.#take(whole);
  }

  /** Continues a text to its end or through one stretch; undefined if there is more of it. */
  #readText(): string | undefined {
    const from = this.#at;
    const hasEscapes = this.#scanText(Math.min(this.#bytes.length, from + stretchBytes));
    if (this.#at >= this.#bytes.length) throw unparsable("it ends inside a string");
    const part = this.#bytes.toString("utf8", from, this.#at);
    const decoded = hasEscapes ? String(parseNatively(`"${part}"`)) : part;
    const isOver = this.#bytes[this.#at] === quote;
    if (isOver) this.#at += 1;
    if (this.#text === undefined && isOver) {
      this.#count(decoded.length, decoded.length >= shortText && isLong(this.#path(), decoded.length, this.#limits));
      return decoded;
    }
    this.#text ??= { parts: [], isLong: isLong(this.#path(), stretchBytes, this.#limits) };
    const { parts, isLong: isUncounted } = this.#text;
    this.#count(decoded.length, isUncounted);
    parts.push(decoded);
    if (!isOver) return undefined;
    this.#text = undefined;
    return parts.join("");
  }

  /**
   * Moves to the text's closing quote, or as far as allowed without splitting a character or an escape. Reports
   * escapes.
   */
  #scanText(until: number): boolean {
    const bytes = this.#bytes;
    let at = this.#at;
    let hasEscapes = false;
    while (at < until || isContinuation(bytes[at])) {
      const byte = bytes[at] ?? 0;
      if (byte === quote) break;
      if (byte < 0x20) throw unparsable(`there is a control character at byte ${at}`);
      if (byte === backslash) {
        hasEscapes = true;
        at += bytes[at + 1] === 0x75 ? 6 : 2;
      } else at += 1;
    }
    this.#at = at;
    return hasEscapes;
  }

  #count(length: number, isUncounted: boolean): void {
    if (isUncounted) return;
    this.#characters += length;
    if (this.#characters > this.#limits.characters) throw beyond(this.#limits, "characters", this.#path());
  }

  #readLiteral([text, value]: readonly [text: string, value: Json]): Json {
    if (this.#bytes.toString("latin1", this.#at, this.#at + text.length) !== text) throw this.#misplaced();
    this.#at += text.length;
    return value;
  }

  #readNumber(): Json {
    const from = this.#at;
    while (isOfNumber(this.#bytes[this.#at]) && this.#at - from <= longestNumber) this.#at += 1;
    if (this.#at === from || this.#at - from > longestNumber) throw this.#misplaced();
    return parseNatively(this.#bytes.toString("latin1", from, this.#at));
  }

  /** At most one stretch. */
  #skipSpace(): void {
    const until = this.#at + stretchBytes;
    while (this.#at < until && isSpace(this.#bytes[this.#at])) this.#at += 1;
  }

  #path(): string {
    return this.#open.map(({ name }) => name).join(".");
  }

  #misplaced(): WeftError {
    const isOver = this.#at >= this.#bytes.length;
    return unparsable(isOver ? "it ends too early" : `there is a mistake at byte ${this.#at}`);
  }
}

/** Windows programs start texts with a byte order mark. */
function hasByteOrderMark([first, second, third]: Uint8Array): boolean {
  return first === 0xef && second === 0xbb && third === 0xbf;
}

function define(object: object, value: unknown): void {
  Object.defineProperty(object, "__proto__", { value, enumerable: true, configurable: true, writable: true });
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isOfNumber(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return (
    (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2b || byte === 0x2e || byte === 0x65 || byte === 0x45
  );
}

function unparsable(reason: string, cause?: unknown): WeftError {
  return new WeftError("body-unparsable", { params: { reason }, cause });
}
