/** An answer that a load did not expect. `body`: its beginning. */
export class UnexpectedAnswer extends Error {
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`The server answered with status ${status}: ${body}`);
    this.name = "UnexpectedAnswer";
    this.status = status;
    this.body = body;
  }
}

const headerEnd = Buffer.from("\r\n\r\n");
const longestShown = 2_000;

/**
 * Finds the end of HTTP/1.1 answers on one connection, and keeps nothing of a good one. Answers have a length or are
 * chunked (RFC 9112, section 6), one after the other.
 */
export class AnswerReader {
  readonly #marker: Buffer | undefined;
  #head: Buffer | undefined = Buffer.alloc(0);
  #status = 0;
  /** Bytes of the body, or of its present chunk, that are still to come; -1 where the next thing is the size of a chunk. */
  #left = 0;
  #isChunked = false;
  #isLast = false;
  #sizeLine = "";
  #tail: Buffer = Buffer.alloc(0);
  #shown = "";
  /** When the marker, without one the first byte of the body, came; 0 before. Of `performance.now()`. */
  markedAt = 0;

  constructor(marker?: string) {
    this.#marker = marker === undefined ? undefined : Buffer.from(marker);
  }

  /** Takes what came. True when the answer is complete. Throws `UnexpectedAnswer` at the end of one that is not 200. */
  take(bytes: Buffer): boolean {
    const body = this.#head === undefined ? bytes : this.#takeHead(bytes);
    if (body === undefined) return false;
    if (this.markedAt === 0) this.#lookForMarker(body);
    const isComplete = this.#isChunked ? this.#takeChunks(body) : this.#takeLength(body);
    if (isComplete && this.#status !== 200) throw new UnexpectedAnswer(this.#status, this.#shown.trim());
    return isComplete;
  }

  /** Makes ready for the next answer. */
  reset(): void {
    this.#head = Buffer.alloc(0);
    this.#sizeLine = "";
    this.#shown = "";
    this.#isLast = false;
    this.markedAt = 0;
    this.#tail = Buffer.alloc(0);
  }

  #takeHead(bytes: Buffer): Buffer | undefined {
    const all = this.#head?.length ? Buffer.concat([this.#head, bytes]) : bytes;
    const end = all.indexOf(headerEnd);
    if (end < 0) {
      this.#head = Buffer.from(all);
      return undefined;
    }
    const head = all.toString("latin1", 0, end);
    this.#head = undefined;
    this.#status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.#isChunked = length === undefined;
    this.#left = length === undefined ? -1 : Number(length);
    return all.subarray(end + headerEnd.length);
  }

  #lookForMarker(body: Buffer): void {
    if (this.#marker === undefined) {
      if (body.length > 0) this.markedAt = performance.now();
      return;
    }
    const text = this.#tail.length > 0 ? Buffer.concat([this.#tail, body]) : body;
    if (text.includes(this.#marker)) this.markedAt = performance.now();
    else this.#tail = Buffer.from(text.subarray(Math.max(0, text.length - this.#marker.length + 1)));
  }

  #show(body: Buffer): void {
    if (this.#status !== 200) this.#shown += body.toString("utf8", 0, longestShown - this.#shown.length);
  }

  #takeLength(body: Buffer): boolean {
    this.#show(body);
    this.#left -= body.length;
    return this.#left <= 0;
  }

  #takeChunks(body: Buffer): boolean {
    for (let at = 0; at < body.length; ) {
      if (this.#left >= 0) {
        const taken = Math.min(this.#left, body.length - at);
        this.#show(body.subarray(at, at + taken));
        at += taken;
        this.#left -= taken;
        if (this.#left > 0) return false;
        if (this.#isLast) return true;
        this.#left = -1;
        continue;
      }
      const lineEnd = body.indexOf(10, at);
      if (lineEnd < 0) {
        this.#sizeLine += body.toString("latin1", at);
        return false;
      }
      const size = Number.parseInt(this.#sizeLine + body.toString("latin1", at, lineEnd), 16);
      this.#sizeLine = "";
      at = lineEnd + 1;
      this.#isLast = size === 0;
      this.#left = size + 2;
    }
    return false;
  }
}
