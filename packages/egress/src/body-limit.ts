import { WeftError } from "@weft/schema";
import type { EgressDefaults } from "./egress-defaults.ts";
import { describeOrigin, EgressFailure } from "./failure.ts";

export type BodyLimits = Pick<EgressDefaults, "fetchMaxBytes" | "maxLineBytes" | "maxLines">;

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

export function tooLarge(url: URL, limit: number): WeftError {
  return new WeftError("egress-too-large", { params: { url: describeOrigin(url), limit } });
}

type EventStreamLimits = Pick<EgressDefaults, "maxLineBytes" | "maxLines">;

const newline = 0x0a;

/**
 * Limits the number and length of an event stream's lines, since readers of such streams buffer a line until it ends.
 * The returned function takes each piece of the body and throws `EgressFailure` above a limit.
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
