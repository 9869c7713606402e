import { Buffer } from "node:buffer";
import { Readable } from "node:stream";
import { WeftError } from "@weft/schema";
import type { EgressDefaults } from "./call.ts";
import { describeOrigin, EgressFailure } from "./failure.ts";
import type { Redactor } from "./secret-vault.ts";
import type { Sink, WireBody } from "./wire.ts";

export type Pieces = WireBody;

/** The body without secrets; only the start of a possible match is held back. */
export function redactPieces(body: Pieces, redactors: readonly Redactor[]): Pieces {
  if (redactors.length === 0) return body;
  let isLeft = false;
  return {
    pipe(sink) {
      const streams = redactors.map((each) => each.open());
      const hand = (piece: Buffer) => piece.byteLength > 0 && sink.data(piece);
      body.pipe({
        data: (piece) => void hand(streams.reduce((bytes: Buffer, each) => each.push(bytes), piece)),
        end() {
          hand(endAll(streams));
          if (!isLeft) sink.end();
        },
        error: sink.error,
      });
    },
    pause: body.pause,
    resume: body.resume,
    abort() {
      isLeft = true;
      body.abort();
    },
  };
}

/** The output held back by several redactors in a row. */
function endAll(streams: readonly ReturnType<Redactor["open"]>[]): Buffer {
  return streams.reduce(
    (before: Buffer, each) => Buffer.concat([before.byteLength === 0 ? before : each.push(before), each.end()]),
    Buffer.alloc(0),
  );
}

type Limits = {
  url: URL;
  contentType: string | undefined;
  defaults: EgressDefaults;
  /** Called once, when nothing more comes. */
  ended(): void;
};

/** The body within the limits of `fetch`: see `createBodyLimit`, and `egress-timeout` if it stalls. */
export function limitPieces(body: Pieces, { url, contentType, defaults, ended }: Limits): Pieces {
  const check = createBodyLimit(url, contentType, defaults);
  const limitMs = defaults.fetchIdleMs;
  let idle: NodeJS.Timeout | undefined;

  function settle(): void {
    clearTimeout(idle);
    ended();
  }

  function abort(): void {
    settle();
    body.abort();
  }

  function pipe(sink: Sink): void {
    const fail = (error: unknown) => {
      abort();
      sink.error(error);
    };
    const stoodStill = () => fail(new WeftError("egress-timeout", { params: { url: describeOrigin(url), limitMs } }));
    const timer = setTimeout(stoodStill, limitMs);
    idle = timer;
    body.pipe({
      data(piece) {
        timer.refresh();
        try {
          check(piece);
        } catch (error) {
          return fail(error);
        }
        sink.data(piece);
      },
      end() {
        settle();
        sink.end();
      },
      error: fail,
    });
  }

  return { pipe, pause: body.pause, resume: body.resume, abort };
}

/** Decodes a body with a decoder, which is a stream. */
export function decodePieces(body: WireBody, decode: (body: Readable) => Readable): Pieces {
  const decoded = decode(toReadable(body));
  return {
    pipe({ data, end, error }) {
      decoded.on("data", data).on("end", end).on("error", error);
    },
    pause: () => void decoded.pause(),
    resume: () => void decoded.resume(),
    abort() {
      for (const event of ["data", "end", "error"]) decoded.removeAllListeners(event);
      decoded.on("error", () => {}).destroy();
    },
  };
}

function toReadable(body: WireBody): Readable {
  const readable = new Readable({
    read: () => body.resume(),
    destroy(error, done) {
      body.abort();
      done(error);
    },
  });
  body.pipe({
    data(piece) {
      if (!readable.push(piece)) body.pause();
    },
    end: () => void readable.push(null),
    error: (error) => void readable.destroy(error as Error),
  });
  return readable;
}

/**
 * Checks the pieces of a decoded body: the returned function takes each and throws `egress-too-large` above
 * `fetchMaxBytes`, and `EgressFailure` for an event stream beyond its limits.
 */
export function createBodyLimit(
  url: URL,
  contentType: string | undefined,
  limits: EgressDefaults,
): (piece: Uint8Array) => void {
  const isEventStream = /^text\/event-stream\b/i.test(contentType ?? "");
  const checkLines = isEventStream ? createEventStreamLimit(limits) : undefined;
  let sizeBytes = 0;
  return (piece) => {
    sizeBytes += piece.byteLength;
    if (sizeBytes > limits.fetchMaxBytes) throw tooLarge(url, limits.fetchMaxBytes);
    checkLines?.(piece);
  };
}

export function tooLarge(url: URL, limit: number): WeftError {
  return new WeftError("egress-too-large", { params: { url: describeOrigin(url), limit } });
}

const newline = 0x0a;

/**
 * Limits the number and length of an event stream's lines, since readers of such streams buffer a line until it ends.
 * The returned function takes each piece of the body and throws `EgressFailure` above a limit.
 */
function createEventStreamLimit({ maxLineBytes, maxLines }: EgressDefaults): (piece: Uint8Array) => void {
  let lines = 0;
  let lineBytes = 0;
  return (piece) => {
    let start = 0;
    for (;;) {
      const end = piece.indexOf(newline, start);
      lineBytes += (end < 0 ? piece.byteLength : end) - start;
      if (lineBytes > maxLineBytes) {
        throw new EgressFailure(`its event stream has a line of more than ${maxLineBytes} bytes`);
      }
      if (end < 0) return;
      lines += 1;
      if (lines > maxLines) throw new EgressFailure(`its event stream has more than ${maxLines} lines`);
      lineBytes = 0;
      start = end + 1;
    }
  };
}
