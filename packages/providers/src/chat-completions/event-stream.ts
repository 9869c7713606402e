import { StringDecoder } from "node:string_decoder";

/** Reads an event stream as it comes. */
export type EventReader = { push(bytes: Uint8Array): void; end(): void };

const byteOrderMark = "\ufeff";

/**
 * Calls `onData` with the data of each event as soon as its bytes are there (HTML standard, "Interpreting an event
 * stream"): lines end in CRLF, LF or CR, several data lines are joined by LF, comments and other fields are left out, as
 * are events without data. Pieces may be cut anywhere, within a character too. Unlike the standard, `end` takes a last
 * event that no blank line ends: servers forget it.
 */
export function createEventReader(onData: (data: string) => void): EventReader {
  const decoder = new StringDecoder("utf8");
  let data: string | undefined;
  /** The beginning of a line that is not there in full. */
  let held = "";
  let isStart = true;
  let isAfterReturn = false;

  function takeLine(line: string): void {
    if (line === "") {
      const event = data;
      data = undefined;
      if (event !== undefined && event !== "") onData(event);
      return;
    }
    const value = readData(line);
    if (value !== undefined) data = data === undefined ? value : `${data}\n${value}`;
  }

  function takeText(text: string): void {
    let start = isAfterReturn && text.startsWith("\n") ? 1 : 0;
    let newline = text.indexOf("\n", start);
    let carriageReturn = text.indexOf("\r", start);
    for (let end = earlier(newline, carriageReturn); end >= 0; end = earlier(newline, carriageReturn)) {
      const line = held + text.slice(start, end);
      held = "";
      start = end + (text.startsWith("\r\n", end) ? 2 : 1);
      newline = seek(text, "\n", newline, start);
      carriageReturn = seek(text, "\r", carriageReturn, start);
      takeLine(line);
    }
    held += text.slice(start);
    isAfterReturn = text.endsWith("\r");
  }

  return {
    push(bytes) {
      let text = decoder.write(bytes as Buffer);
      if (text === "") return;
      if (isStart && text.startsWith(byteOrderMark)) text = text.slice(1);
      isStart = false;
      if (text !== "") takeText(text);
    },
    end() {
      takeLine(held + decoder.end());
      takeLine("");
    },
  };
}

/** The value of a data line; undefined for any other. */
function readData(line: string): string | undefined {
  if (!line.startsWith("data")) return undefined;
  if (line.length === 4) return "";
  if (line[4] !== ":") return undefined;
  return line.slice(line[5] === " " ? 6 : 5);
}

/** The smaller of two positions, of which −1 is none. */
function earlier(one: number, other: number): number {
  if (one < 0 || other < 0) return Math.max(one, other);
  return Math.min(one, other);
}

/** The next position of a character: the known one, unless it is passed. */
function seek(text: string, character: string, known: number, start: number): number {
  return known < 0 || known >= start ? known : text.indexOf(character, start);
}
