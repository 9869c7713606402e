import { asJson, type Json, type Jsonifiable, WeftError } from "@weft/schema";
import { createLiveBody } from "./live-body.ts";

/** One server-sent event: its name and data, and the id with which a client reconnects. */
export type Frame = { id: string; event: string; data: Json };

export type StreamOptions = {
  /** Between two comment lines that keep idle connections open. Default 15 s. */
  heartbeatMs: number;
  /**
   * A client that leaves more than this unread is disconnected; its run continues, and it may reconnect. Default 4 MiB.
   */
  maxUnreadBytes: number;
  /** Stored frames wait while a client has this much unread. Default 64 KiB. */
  pauseBytes: number;
  /** How long a client may take to read the rest once the stream is over; then it is disconnected. Default 30 s. */
  lingerMs: number;
  /** Formats a frame. Default: as in the stream of a prediction. */
  toText(frame: Frame): string;
};

const defaultStreamOptions: StreamOptions = {
  heartbeatMs: 15_000,
  maxUnreadBytes: 4 * 1024 * 1024,
  pauseBytes: 64 * 1024,
  lingerMs: 30_000,
  toText: toPredictionText,
};

export type EventStream = {
  readonly response: Response;
  /** The frame `end` ends the stream. */
  send(frames: readonly Frame[]): void;
  end(): void;
  /** Breaks the connection, for a client that has not seen the end and should reconnect. */
  cut(): void;
  /** Resolves with true when the client has read most of what was sent; with false when the stream is over. */
  ready(): Promise<boolean>;
  /** Called once, when the stream is over for any reason; immediately if it already is. */
  onceOver(leave: () => void): void;
  /** Called once nothing is buffered for the client: it has read everything, is gone, or was disconnected. */
  onceDrained(leave: () => void): void;
};

export function createEventStream(given: Partial<StreamOptions> = {}): EventStream {
  const options = { ...defaultStreamOptions, ...given };
  const over = createMoment();
  const drained = createMoment();
  let waiting: ((isOpen: boolean) => void) | undefined;
  let isOpen = true;
  let linger: NodeJS.Timeout | undefined;
  const body = createLiveBody({ headers, onRead, onOver: drop });

  function onRead(): void {
    if (waiting !== undefined && body.unreadBytes() < options.pauseBytes) waiting(isOpen);
  }

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(heartbeat);
    waiting?.(false);
    over.come();
  }

  function drop(): void {
    close();
    clearTimeout(linger);
    drained.come();
  }

  function cut(): void {
    if (isOpen) body.breakOff();
  }

  function end(): void {
    if (!isOpen) return;
    close();
    linger = setTimeout(body.breakOff, options.lingerMs).unref();
    body.end();
  }

  function write(text: string): void {
    if (body.unreadBytes() > options.maxUnreadBytes) cut();
    else body.write(text);
  }

  const heartbeat = setInterval(() => write(":heartbeat\n\n"), options.heartbeatMs);
  return {
    response: body.response,
    end,
    cut,
    send(frames) {
      if (!isOpen || frames.length === 0) return;
      write(frames.map(options.toText).join(""));
      if (frames.some((frame) => frame.event === "end")) end();
    },
    async ready() {
      if (!isOpen || body.unreadBytes() < options.pauseBytes) return isOpen;
      return new Promise((resolve) => {
        waiting = resolve;
      });
    },
    onceOver: over.once,
    onceDrained: drained.once,
  };
}

type Work = {
  /** Begins the ids of its events. */
  id: string;
  signal: AbortSignal;
  /** Sends events of its progress and its result. */
  run(send: (event: string, data: Jsonifiable) => void, signal: AbortSignal): Promise<void>;
};

/**
 * A stream of the events that a piece of work sends, then `error` if it fails with a `WeftError`, and `end`. The work is
 * aborted when the client leaves.
 */
export function streamWork({ id, signal, run }: Work): Response {
  const stream = createEventStream();
  const left = new AbortController();
  stream.onceOver(() => left.abort());
  let count = 0;
  const send = (event: string, data: Jsonifiable) => {
    count += 1;
    stream.send([{ id: `${id}:${count}`, event, data: asJson(data) }]);
  };
  run(send, AbortSignal.any([signal, left.signal]))
    .catch((cause: unknown) => {
      if (!(cause instanceof WeftError)) throw cause;
      send("error", { code: cause.code, message: cause.message });
    })
    .then(() => send("end", "[DONE]"))
    .catch(stream.cut);
  return stream.response;
}

const headers = { "content-type": "text/event-stream", "cache-control": "no-cache", "x-accel-buffering": "no" };

/** A one-time event and its waiters. */
function createMoment() {
  const waiting: (() => void)[] = [];
  let isPast = false;
  return {
    isPast: () => isPast,
    once(act: () => void): void {
      if (isPast) act();
      else waiting.push(act);
    },
    come(): void {
      isPast = true;
      for (const act of waiting.splice(0)) act();
    },
  };
}

/** Three lines and a blank one: the id, the line that existing clients skip, the data as one line of JSON. */
function toPredictionText({ id, event, data }: Frame): string {
  return `id:${id}\nmessage:\ndata:${JSON.stringify({ event, data })}\n\n`;
}
