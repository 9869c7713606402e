import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { createSecretBox } from "./secret-box.ts";

function keysOf(...ids: string[]) {
  const keys = { currentId: ids.at(-1) ?? "", byId: new Map(ids.map((id) => [id, randomBytes(32)])) };
  return () => keys;
}

test("what was sealed opens for the same record, whatever the text", () => {
  const box = createSecretBox(keysOf("k1"));
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.uuid(), (plaintext, recordId) => {
      assert.deepEqual(box.open(box.seal(plaintext, recordId), recordId), { ok: true, plaintext });
    }),
  );
});

test("the same text is sealed differently each time", () => {
  const box = createSecretBox(keysOf("k1"));
  assert.notEqual(box.seal("same", "r"), box.seal("same", "r"));
});

test("a sealed text that was moved to another record does not open", () => {
  const box = createSecretBox(keysOf("k1"));
  assert.deepEqual(box.open(box.seal("secret", "mine"), "yours"), {
    ok: false,
    reason: "the stored text was modified",
  });
});

test("one changed bit anywhere keeps a sealed text shut", () => {
  const box = createSecretBox(keysOf("k1"));
  const payload = Buffer.from(box.seal("secret", "r").slice("k1.".length), "base64");
  for (let index = 0; index < payload.length; index++) {
    const changed = Buffer.from(payload);
    changed[index] = (changed[index] ?? 0) ^ 1;
    assert.equal(box.open(`k1.${changed.toString("base64")}`, "r").ok, false);
  }
});

test("text that is no sealed text does not open", () => {
  const box = createSecretBox(keysOf("k1"));
  for (const text of ["", "k1", "k1.", "k1.AAAA", "plain"]) assert.equal(box.open(text, "r").ok, false);
});

test("older keys open what they sealed; a missing key is named", () => {
  const keys = keysOf("k1", "k2");
  const [k1, k2] = ["k1", "k2"].map((id) => createSecretBox(() => ({ ...keys(), currentId: id })));
  const sealed = k1?.seal("secret", "r") ?? "";
  assert.deepEqual(k2?.open(sealed, "r"), { ok: true, plaintext: "secret" });
  const without = createSecretBox(keysOf("k2"));
  assert.deepEqual(without.open(sealed, "r"), { ok: false, reason: "encryption.key does not contain the key k1" });
});

test("nothing is sealed with a retired key; what was, opens", () => {
  const box = createSecretBox(keysOf("k1", "k2"));
  const sealed = box.seal("secret", "r", new Set(["k1"]));
  assert.throws(() => box.seal("secret", "r", new Set(["k2"])), { code: "not-ready", status: 503 });
  assert.equal(box.open(sealed, "r").ok, true);
});
