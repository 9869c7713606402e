import type { Readable } from "node:stream";
import { WeftError } from "@weft/schema";
import type { EgressDefaults } from "./egress-defaults.ts";
import type { Exchange } from "./exchange.ts";
import { describeOrigin, EgressFailure } from "./failure.ts";

export type BodyLimit = { maxBytes: number; onTooLarge: "error" | "truncate" };

/** Reads a decoded body to its end or to the limit, whichever comes first, and then leaves nothing open. */
export async function readBody(
  answer: Exchange,
  limit: BodyLimit,
): Promise<{ body: Uint8Array<ArrayBuffer>; truncated: boolean }> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.byteLength;
    chunks.push(chunk);
    if (sizeBytes > limit.maxBytes) break;
  }
  if (sizeBytes <= limit.maxBytes) return { body: concat(chunks, sizeBytes), truncated: false };
  if (limit.onTooLarge === "error") throw tooLarge(answer.url, limit.maxBytes);
  return { body: concat(chunks, limit.maxBytes), truncated: true };
}

type BodyLimits = Pick<EgressDefaults, "fetchMaxBytes" | "maxLineBytes" | "maxLines">;

/**
 * Checks the pieces of a decoded body: the returned function takes each and throws `egress-too-large` above
 * `fetchMaxBytes`, and `EgressFailure` for an event stream beyond its limits.
 */
export function createBodyLimit(
  url: URL,
  contentType: string | undefined,
  limits: BodyLimits,
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

export type StreamOptions = {
  limits: BodyLimits & Pick<EgressDefaults, "fetchIdleMs">;
  toError: (error: unknown) => unknown;
  /** Called once, when nothing more is read. */
  ended: () => void;
};

/**
 * A decoded body as a web stream that fails as `createBodyLimit` says, and with `egress-timeout` when it stands still
 * for `fetchIdleMs` while its reader waits. Reads only when asked to.
 */
export function streamBody(answer: Exchange, options: StreamOptions): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { body, url } = answer;
  const chunks: AsyncIterator<Uint8Array<ArrayBuffer>> = body[Symbol.asyncIterator]();
  const check = createBodyLimit(url, String(answer.headers["content-type"] ?? ""), options.limits);
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const next = await withinIdle(chunks.next(), url, options.limits.fetchIdleMs);
          if (next.done === true) {
            options.ended();
            return controller.close();
          }
          check(next.value);
          controller.enqueue(next.value);
        } catch (error) {
          discard(body);
          options.ended();
          controller.error(options.toError(error));
        }
      },
      cancel() {
        discard(body);
        options.ended();
      },
    },
    { highWaterMark: 0 },
  );
}

async function withinIdle<T>(next: Promise<T>, url: URL, limitMs: number): Promise<T> {
  const idle = Promise.withResolvers<never>();
  const error = () => new WeftError("egress-timeout", { params: { url: describeOrigin(url), limitMs } });
  const timer = setTimeout(() => idle.reject(error()), limitMs);
  try {
    return await Promise.race([next, idle.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Ends a body that nobody will read. */
export function discard(body: Readable): void {
  body.on("error", () => {});
  body.destroy();
}

function tooLarge(url: URL, limit: number): WeftError {
  return new WeftError("egress-too-large", { params: { url: describeOrigin(url), limit } });
}

function concat(chunks: readonly Uint8Array[], sizeBytes: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(sizeBytes);
  let offset = 0;
  for (const chunk of chunks) {
    const fitting = chunk.subarray(0, sizeBytes - offset);
    whole.set(fitting, offset);
    offset += fitting.byteLength;
  }
  return whole;
}

type EventStreamLimits = Pick<EgressDefaults, "maxLineBytes" | "maxLines">;

const newline = 0x0a;

/**
 * Counts an event stream's lines and their lengths, since readers of such streams keep a line until it ends. The
 * returned function takes each piece of the body and throws `EgressFailure` above a limit.
 */
function createEventStreamLimit({ maxLineBytes, maxLines }: EventStreamLimits): (piece: Uint8Array) => void {
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
