import { StringDecoder } from "node:string_decoder";
import { createParser } from "eventsource-parser";

/** Reads an event stream as it comes. */
export type EventReader = { push(bytes: Uint8Array): void; end(): void };

const byteOrderMark = "\ufeff";

/**
 * Calls `onData` with the data of each event as soon as its bytes are there (HTML standard, "Interpreting an event
 * stream"), but for events without data. Pieces may be cut anywhere, within a character too. Unlike the standard, `end`
 * takes a last event that no blank line ends: servers forget it.
 */
export function createEventReader(onData: (data: string) => void): EventReader {
  const decoder = new StringDecoder("utf8");
  const parser = createParser({
    onEvent({ data }) {
      if (data !== "") onData(data);
    },
  });
  let isStart = true;
  let isAfterReturn = false;

  /** Ends every line in LF. The parser would keep an event back that a CR ends, and search a piece of many CRs for long. */
  function toLines(text: string): string {
    const rest = isAfterReturn && text.startsWith("\n") ? text.slice(1) : text;
    isAfterReturn = text.endsWith("\r");
    return rest.includes("\r") ? rest.replaceAll(/\r\n?/g, "\n") : rest;
  }

  return {
    push(bytes) {
      const text = decoder.write(bytes as Buffer);
      if (text === "") return;
      const isMarked = isStart && text.startsWith(byteOrderMark);
      isStart = false;
      parser.feed(toLines(isMarked ? text.slice(1) : text));
    },
    end: () => parser.feed(`${decoder.end()}\n\n`),
  };
}
