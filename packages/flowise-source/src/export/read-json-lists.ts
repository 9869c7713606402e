/** An object in a list of a JSON document's root: `{"list": [item, …], …}`. */
export type JsonItem = { list: string; startByte: number; bytes: Buffer };

/**
 * Yields the objects of all lists in a document's root, one at a time, so that the document need not fit into memory.
 * The contents of objects are not validated. Other values in the root are skipped.
 */
export async function readJsonLists(
  chunks: AsyncIterable<Buffer>,
  take: (item: JsonItem) => void,
): Promise<"complete" | "not-an-object" | "cut-short"> {
  const scanner = new Scanner(take);
  for await (const chunk of chunks) {
    scanner.add(chunk);
    if (!scanner.isObject) return "not-an-object";
  }
  return scanner.isComplete ? "complete" : "cut-short";
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
/** White space, and the byte order mark that some programs prepend. */
const space = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/** Depth 1 is the root, whose keys are the names of lists; depth 2 is a list. */
class Scanner {
  isObject = true;
  isComplete = false;
  readonly #take: (item: JsonItem) => void;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isInList = false;
  #name = "";
  #chunkStart = 0;
  /** The key or item being collected. */
  #pieces: Buffer[] | undefined;
  #pieceStart = 0;
  #itemStart = 0;

  constructor(take: (item: JsonItem) => void) {
    this.#take = take;
  }

  add(chunk: Buffer): void {
    this.#pieceStart = 0;
    for (let at = 0; at < chunk.length && this.isObject; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#isInText) this.#readText(byte, chunk, at);
      else this.#readStructure(byte, chunk, at);
    }
    this.#pieces?.push(chunk.subarray(this.#pieceStart));
    this.#chunkStart += chunk.length;
  }

  #readText(byte: number, chunk: Buffer, at: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) {
      this.#isInText = false;
      if (this.#depth === 1) this.#name = this.#collected(chunk, at).toString("utf8").slice(1, -1);
    }
  }

  #readStructure(byte: number, chunk: Buffer, at: number): void {
    if (this.#depth === 0 && byte !== openBrace) this.isObject = space.has(byte);
    else if (byte === quote) {
      this.#isInText = true;
      if (this.#depth === 1) this.#collect(at);
    } else if (byte === openBrace || byte === openBracket) this.#enter(byte, at);
    else if (byte === closeBrace || byte === closeBracket) this.#leave(chunk, at);
  }

  #enter(byte: number, at: number): void {
    if (this.#depth === 1) this.#isInList = byte === openBracket;
    if (this.#depth === 2 && this.#isInList && byte === openBrace) this.#collect(at);
    this.#depth += 1;
  }

  #leave(chunk: Buffer, at: number): void {
    this.#depth -= 1;
    if (this.#depth === 0) this.isComplete = true;
    if (this.#depth !== 2 || this.#pieces === undefined) return;
    const startByte = this.#itemStart;
    this.#take({ list: this.#name, startByte, bytes: this.#collected(chunk, at) });
  }

  #collect(at: number): void {
    this.#pieces = [];
    this.#pieceStart = at;
    this.#itemStart = this.#chunkStart + at;
  }

  #collected(chunk: Buffer, at: number): Buffer {
    const last = chunk.subarray(this.#pieceStart, at + 1);
    const all = this.#pieces?.length ? Buffer.concat([...this.#pieces, last]) : last;
    this.#pieces = undefined;
    return all;
  }
}
