import assert from "node:assert/strict";
import { test } from "node:test";
import { createEventReader } from "./event-stream.ts";

/** The data of a stream's events, when it comes in pieces of so many bytes. */
function read(stream: string, pieceBytes: number): string[] {
  const found: string[] = [];
  const reader = createEventReader((data) => found.push(data));
  const bytes = Buffer.from(stream);
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.push(bytes.subarray(at, at + pieceBytes));
  reader.end();
  return found;
}

const streams: Record<string, [stream: string, data: string[]]> = {
  "lines end in LF": ["data: one\n\ndata: two\n\n", ["one", "two"]],
  "lines end in CRLF": ["data: one\r\n\r\ndata: two\r\n\r\n", ["one", "two"]],
  "lines end in CR": ["data: one\r\rdata: two\r\r", ["one", "two"]],
  "lines end in each": ["data: one\r\n\ndata: two\r\r\ndata: three\n\r", ["one", "two", "three"]],
  "several data lines are one text": ["data: one\ndata\ndata:two\n\n", ["one\n\ntwo"]],
  "one space after the colon goes": ["data:  one \n\n", [" one "]],
  "comments and other fields are left out": [
    ": hello\nevent: x\nid: 1\nretry: 5\ndatum: no\ndata: yes\n\n:\n\n",
    ["yes"],
  ],
  "events without data are left out": ["event: ping\n\ndata:\n\ndata: one\n\n", ["one"]],
  "the last event needs no blank line": ["data: one\n\ndata: two", ["one", "two"]],
  "a byte order mark goes, elsewhere it stays": ["\ufeffdata: \ufeffone\n\n", ["\ufeffone"]],
  "characters of several bytes": ["data: Grüße 東京 🎉\n\n", ["Grüße 東京 🎉"]],
  "nothing at all": ["", []],
  "no stream of events": ["<html>\n</html>", []],
};

for (const [name, [stream, data]] of Object.entries(streams)) {
  test(`${name}, wherever it is cut`, () => {
    for (const pieceBytes of [1, 2, 3, 5, 1_000]) assert.deepEqual(read(stream, pieceBytes), data, `${pieceBytes}`);
  });
}

test("an event is told with the byte that ends it", () => {
  for (const lineEnd of ["\n", "\r", "\r\n"]) {
    const found: string[] = [];
    const reader = createEventReader((data) => found.push(data));
    reader.push(Buffer.from(`data: one${lineEnd}`));
    assert.deepEqual(found, []);
    reader.push(Buffer.from(lineEnd));
    assert.deepEqual(found, ["one"]);
  }
});

test("what the reader of an event throws comes out, and bytes that are no UTF-8 are replaced", () => {
  const bug = new Error("a bug");
  const reader = createEventReader(() => {
    throw bug;
  });
  assert.throws(() => reader.push(Buffer.from("data: one\n\n")), bug);
  const found: string[] = [];
  const broken = createEventReader((data) => found.push(data));
  broken.push(Buffer.from([...Buffer.from("data: a"), 0xff, 0x0a, 0x0a, ...Buffer.from("data: b"), 0xe6]));
  broken.end();
  assert.deepEqual(found, ["a\ufffd", "b\ufffd"]);
});
