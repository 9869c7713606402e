import { EgressFailure } from "./failure.ts";

export type EventStreamLimits = { maxLineBytes: number; maxLines: number };

const newline = 0x0a;

/**
 * Counts an event stream's lines and their lengths, since readers of such streams keep a line until it ends. The
 * returned function takes each piece of the body and throws `EgressFailure` above a limit.
 */
export function createEventStreamLimit({ maxLineBytes, maxLines }: EventStreamLimits): (piece: Uint8Array) => void {
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
