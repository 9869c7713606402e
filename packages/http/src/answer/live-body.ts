import type { ServerResponse } from "node:http";

/** Told what becomes of a body. */
export type LiveBodyOptions = {
  headers: Record<string, string>;
  /** Called when the client has taken something. */
  onRead(): void;
  /** Called once: the client has taken everything, is gone, or was disconnected. Nothing is kept for it any more. */
  onOver(): void;
};

/** The body of a response that is written while it is read. */
export type LiveBody = {
  readonly response: Response;
  write(text: string): void;
  /** What the client has not taken, as far as this process holds it. */
  unreadBytes(): number;
  /** The client gets what it has not taken yet, and then the end. */
  end(): void;
  /** Disconnects the client, which can tell that this is not the end. */
  breakOff(): void;
};

/** Where a body goes. Called once the body is `held` no longer. */
type Outlet = { flush(): void; unreadBytes(): number; end(): void; breakOff(): void };

/** The answer that a live body is. `breakOff`: as of the body. */
export type LiveAnswer = { isOver(): boolean; breakOff(): void };

type Live = LiveAnswer & { sendTo(outgoing: ServerResponse): void };

const live = new WeakMap<Response, Live>();

/** Undefined for any other response. */
export function liveAnswerOf(response: Response): LiveAnswer | undefined {
  return live.get(response);
}

/** Sends the response of a `LiveBody` over its connection, without a web stream in between. False for any other one. */
export function sendLive(response: Response, outgoing: ServerResponse): boolean {
  const answer = live.get(response);
  if (answer === undefined) return false;
  outgoing.setHeaders(response.headers).writeHead(response.status);
  answer.sendTo(outgoing);
  return true;
}

/**
 * A body that is written to the connection of `sendLive`, or read as a web stream; buffered until then.
 */
export function createLiveBody({ headers, onRead, onOver }: LiveBodyOptions): LiveBody {
  let held: string[] = [];
  let heldBytes = 0;
  let isEnded = false;
  let isOver = false;
  let outlet: Outlet | undefined;

  const source: Source = {
    takePiece() {
      const piece = held.shift();
      heldBytes -= piece === undefined ? 0 : Buffer.byteLength(piece);
      return piece;
    },
    takeAll() {
      const text = held.length === 1 ? (held[0] ?? "") : held.join("");
      held = [];
      heldBytes = 0;
      return text;
    },
    isEnded: () => isEnded,
    onRead,
    over() {
      if (isOver) return;
      isOver = true;
      source.takeAll();
      onOver();
    },
  };
  const web = openWebOutlet(source);
  const response = new Response(web.readable, { headers });

  function breakOff(): void {
    if (isOver) return;
    (outlet ?? web).breakOff();
    source.over();
  }

  live.set(response, {
    isOver: () => isOver,
    breakOff,
    sendTo(outgoing) {
      outlet = openNodeOutlet(source, outgoing);
      if (isOver) outlet.breakOff();
      else if (isEnded) outlet.end();
    },
  });

  return {
    response,
    write(text) {
      if (isOver || isEnded || text === "") return;
      held.push(text);
      heldBytes += Buffer.byteLength(text);
      (outlet ?? web).flush();
    },
    unreadBytes: () => heldBytes + (outlet ?? web).unreadBytes(),
    end() {
      isEnded = true;
      if (!isOver) (outlet ?? web).end();
    },
    breakOff,
  };
}

type Source = {
  /** The first of what was written and not taken. */
  takePiece(): string | undefined;
  takeAll(): string;
  isEnded(): boolean;
  onRead(): void;
  over(): void;
};

/** Enqueues a piece each time the stream is pulled. */
function openWebOutlet(source: Source): Outlet & { readable: ReadableStream<Uint8Array> } {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isAsked = false;

  function flush(): void {
    if (!isAsked) return;
    const piece = source.takePiece();
    if (piece !== undefined) {
      isAsked = false;
      controller?.enqueue(encoder.encode(piece));
      source.onRead();
    } else if (source.isEnded()) {
      controller?.close();
      source.over();
    }
  }

  const readable = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened;
      },
      pull() {
        isAsked = true;
        flush();
      },
      cancel: source.over,
    },
    // Pulled only by a pending read.
    { highWaterMark: 0 },
  );
  return {
    readable,
    flush,
    unreadBytes: () => 0,
    end: flush,
    breakOff: () => controller?.error(new Error("The stream was broken off.")),
  };
}

/**
 * Writes what was written in one tick in one piece, which is a chunk of its own (RFC 9112, section 7.1): Node would make
 * four writes of it.
 */
function openNodeOutlet(source: Source, outgoing: ServerResponse): Outlet {
  let isScheduled = false;
  outgoing.once("close", source.over);
  if (outgoing.destroyed) source.over();
  const isChunked = outgoing.chunkedEncoding;
  outgoing.chunkedEncoding = false;

  function write(text: string): void {
    const bytes = Buffer.byteLength(text);
    const encoding = bytes === text.length ? "latin1" : "utf8";
    outgoing.write(isChunked ? `${bytes.toString(16)}\r\n${text}\r\n` : text, encoding, source.onRead);
  }

  function flush(): void {
    if (isScheduled) return;
    isScheduled = true;
    process.nextTick(writeRest);
  }

  function writeRest(): void {
    isScheduled = false;
    const rest = source.takeAll();
    if (rest !== "") write(rest);
  }

  // The head goes with what is there already.
  const first = source.takeAll();
  if (first === "") outgoing.flushHeaders();
  else write(first);
  return {
    flush,
    unreadBytes: () => outgoing.writableLength,
    end() {
      writeRest();
      outgoing.chunkedEncoding = isChunked;
      outgoing.end(source.over);
    },
    breakOff: () => void outgoing.destroy(),
  };
}
