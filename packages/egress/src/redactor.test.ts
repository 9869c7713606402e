import assert from "node:assert/strict";
import { test } from "node:test";
import { formsOf } from "./secret-forms.ts";
import { createRedactor } from "./secret-vault.ts";

const secret = 'sk-"geheim"/ä+&<Schlüssel>';

test("a secret is found in every spelling, at every offset of Base64", () => {
  const redactor = createRedactor(formsOf(secret));
  const spellings = [
    secret,
    JSON.stringify({ key: secret }),
    JSON.stringify({ key: secret }).replaceAll("/", "\\/"),
    `?key=${encodeURIComponent(secret)}&x=1`,
    `?key=${encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase())}`,
    new URLSearchParams({ key: secret }).toString(),
    ...["", "a", "ab", "abc"].flatMap((before) =>
      ["", "x", "xy"].flatMap((behind) => [
        Buffer.from(before + secret + behind).toString("base64"),
        Buffer.from(before + secret + behind).toString("base64url"),
      ]),
    ),
  ];
  for (const spelling of spellings) {
    const redacted = redactor.text(`before ${spelling} behind`);
    assert.match(redacted, /^before .*\[secret\].* behind$/s, spelling);
    assert.ok(redacted.length < spelling.length, `${spelling} became ${redacted}`);
  }
  assert.equal(redactor.text("sk-geheim is another text"), "sk-geheim is another text");
});

test("cut anywhere, bytes are redacted as when whole, and what cannot be a secret is never held back", () => {
  const redactor = createRedactor(["sk-1234567890", "sk-12345", "öffne-dich"]);
  const whole = "a sk-1234567890 b sk-12345 c sk-123456 öffne-dich sk-123 öffne sk-1234567";
  const expected = "a [secret] b [secret] c [secret]6 [secret] sk-123 öffne [secret]67";
  assert.equal(redactor.text(whole), expected);
  const bytes = Buffer.from(whole);
  for (let size = 1; size <= bytes.length; size += 1) {
    const stream = redactor.open();
    const parts: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += size) parts.push(stream.push(bytes.subarray(at, at + size)));
    assert.equal(Buffer.concat([...parts, stream.end()]).toString(), expected, `pieces of ${size}`);
  }
  assert.equal(Buffer.from(redactor.open().push(Buffer.from("data: hello\n\n"))).toString(), "data: hello\n\n");
});

test("cut anywhere, text is redacted as when whole, and other text passes as it came", () => {
  const whole = "a sk-1234567890 b sk-12345 ü🧶 sk-123456 öffne-dich sk-123 🧶öffne sk-1234567";
  const needles = ["sk-1234567890", "sk-12345"];
  for (const redactor of [createRedactor(needles), createRedactor([...needles, "öffne-dich"]), createRedactor([])]) {
    for (let size = 1; size <= whole.length; size += 1) {
      const stream = redactor.openText();
      const parts: string[] = [];
      for (let at = 0; at < whole.length; at += size) parts.push(stream.push(whole.slice(at, at + size)));
      for (const part of parts) assert.ok(part.isWellFormed(), `pieces of ${size}`);
      assert.equal(parts.join("") + stream.end(), redactor.text(whole), `pieces of ${size}`);
    }
  }
  const stream = createRedactor(needles).openText();
  for (const piece of ["Good ", "day", " to you, Jürgen 🧶", ""]) assert.equal(stream.push(piece), piece);
  assert.equal(stream.push("\ud83e"), "");
  assert.equal(stream.push("\uddf6 sk"), "🧶 ");
  assert.equal(stream.push("i"), "ski");
  assert.equal(stream.push("\ud83e") + stream.end(), "\ufffd");
});

test("short values are words, not secrets", () => {
  assert.deepEqual(formsOf("abc12"), []);
  assert.equal(createRedactor(formsOf("admin")).text("admin"), "admin");
});
