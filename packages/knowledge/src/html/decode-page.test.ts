import assert from "node:assert/strict";
import { test } from "node:test";
import { decodePage } from "./decode-page.ts";

const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x82, 0xcc, 0x83, 0x65, 0x83, 0x58, 0x83, 0x67]);
const text = "日本語のテスト";
const meta = (charset: string, rest: Uint8Array) => Buffer.concat([Buffer.from(`<meta charset="${charset}">`), rest]);
const utf8 = Buffer.from("Grüße");

for (const [what, bytes, contentType, expected] of [
  ["the header's encoding", Buffer.from([0xa1, 0xa2]), "text/html; charset=iso-8859-2", "Ą˘"],
  ["the header's encoding in quotes", japanese, 'text/html; charset="Shift_JIS"', text],
  ["the header's, though UTF-8 would do", Buffer.from([0xc1, 0xaa, 0xcd, 0xa8]), "text/html; charset=gbk", "联通"],
  ["the page's own encoding", meta("shift_jis", japanese), "text/html", `<meta charset="shift_jis">${text}`],
  [
    "the page's own, where the server says what it says of all",
    meta("shift_jis", japanese),
    "text/html; charset=ISO-8859-1",
    `<meta charset="shift_jis">${text}`,
  ],
  ["UTF-8, where the server says what it says of all", utf8, "text/html; charset=iso-8859-1", "Grüße"],
  [
    "the server's default, where nothing else is said",
    Buffer.from([0x47, 0xfc]),
    "text/html; charset=iso-8859-1",
    "Gü",
  ],
  [
    "a byte order mark before the header",
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("é", "utf16le")]),
    "text/html; charset=utf-8",
    "é",
  ],
  ["an encoding that is wrong", japanese, "text/html; charset=utf-8", text],
  ["an encoding that nobody knows", japanese, "text/html; charset=x-none", text],
  ["no encoding", japanese, "", text],
] as const) {
  test(`a page with ${what}`, () => assert.equal(decodePage(bytes, contentType), expected));
}
