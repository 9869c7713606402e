import assert from "node:assert/strict";
import { test } from "node:test";
import { createTextCount } from "./text-count.ts";

/** What is counted of a file in parts of so many bytes. */
function countIn(bytes: Uint8Array, partBytes: number): number {
  const count = createTextCount();
  let counted = 0;
  for (let at = 0; at < bytes.length; at += partBytes) counted = count(bytes.subarray(at, at + partBytes));
  return counted;
}

test("UTF-8 is counted exactly, wherever a part ends", () => {
  const text = "a€é漢😀 and words\n".repeat(20);
  for (let partBytes = 1; partBytes < 20; partBytes += 1)
    assert.equal(countIn(Buffer.from(text), partBytes), text.length);
});

test("UTF-16 is counted exactly, with a mark and without", () => {
  const text = "漢字 and words\n".repeat(20);
  for (const mark of ["\ufeff", ""]) {
    const bytes = Buffer.from(mark + text, "utf16le");
    for (const file of [bytes, Buffer.from(bytes).swap16()]) {
      for (const partBytes of [5, 6, 1_000]) assert.equal(countIn(file, partBytes), text.length);
    }
  }
});

test("of any other encoding no more is counted than it may hold", () => {
  const units = 400;
  const files = {
    "utf-16le": Buffer.from("\u4e2d\n".repeat(units / 2), "utf16le"),
    "iso-2022-jp": Buffer.from("\u001b$BF|\u001b(Ba".repeat(units), "latin1"),
    gb18030: Buffer.from([...Array(units)].flatMap(() => [0xc4, 0xe3])),
    shift_jis: Buffer.from([...Array(units)].flatMap(() => [0x83, 0x41])),
    "utf-8": Buffer.from("\0\0\0a".repeat(units)),
    "windows-1252": Buffer.alloc(units, 0xe9),
    "windows-1251": Buffer.from([...Array(units)].map((_, index) => (index % 3 === 0 ? 0x20 : 0xcc))),
  };
  for (const [encoding, bytes] of Object.entries(files)) {
    const { length } = new TextDecoder(encoding).decode(bytes);
    for (const partBytes of [7, 1_000]) {
      const counted = countIn(bytes, partBytes);
      assert.ok(counted <= length && counted > 0, `${counted} of ${length} in ${encoding}, ${partBytes} at once`);
    }
  }
});
