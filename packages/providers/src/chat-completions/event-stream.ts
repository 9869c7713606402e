import { StringDecoder } from "node:string_decoder";

/** Reads an event stream incrementally. */
export type EventReader = { push(bytes: Uint8Array): void; end(): void };

const byteOrderMark = "\ufeff";

/**
 * Calls `onData` with the data of each event as soon as its bytes arrive (HTML standard, "Interpreting an event
 * stream"), except events without data; other fields are ignored. Chunks may be split anywhere, even within a
 * character. Unlike the standard, `end` accepts a last event without a blank line: servers forget it.
 */
export function createEventReader(onData: (data: string) => void): EventReader {
  const decoder = new StringDecoder("utf8");
  let isStart = true;
  let isAfterReturn = false;
  /** The start of a line that is still incomplete. */
  let begun: string[] = [];
  let data: string[] = [];

  /** Normalises line ends to LF. */
  function toLines(text: string): string {
    const rest = isAfterReturn && text.startsWith("\n") ? text.slice(1) : text;
    isAfterReturn = text.endsWith("\r");
    return rest.includes("\r") ? rest.replaceAll(/\r\n?/g, "\n") : rest;
  }

  function takeLine(line: string): void {
    if (line === "") dispatch();
    else if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
    else if (line === "data") data.push("");
  }

  function dispatch(): void {
    const whole = data.join("\n");
    data = [];
    if (whole !== "") onData(whole);
  }

  function feed(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      const line = begun.join("") + text.slice(start, end);
      begun = [];
      start = end + 1;
      takeLine(line);
    }
    if (start < text.length) begun.push(text.slice(start));
  }

  return {
    push(bytes) {
      const text = decoder.write(bytes);
      if (text === "") return;
      const isMarked = isStart && text.startsWith(byteOrderMark);
      isStart = false;
      feed(toLines(isMarked ? text.slice(1) : text));
    },
    end: () => feed(`${decoder.end()}\n\n`),
  };
}
