import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { createNoteBox, loadNoteKey } from "./sealed-notes.ts";

const key = randomBytes(32);
const [here, there] = [createNoteBox(key), createNoteBox(key)];

test("a note is read by another process, on its channel", () => {
  for (const text of ["", "Hello", "🚲 déjà", "x".repeat(200_000)]) {
    assert.equal(there.open("run:1", here.seal("run:1", text)), text);
    assert.equal(there.open("run:2", here.seal("run:1", text)), undefined);
  }
});

test("nothing that another wrote or changed is read", () => {
  const sealed = here.seal("run:1", "Hello");
  assert.equal(createNoteBox(randomBytes(32)).open("run:1", sealed), undefined);
  for (const forged of ["", "Hello", '{"delta":{}}', "AAAA", "=".repeat(100), randomBytes(80).toString("base64")]) {
    assert.equal(there.open("run:1", forged), undefined, forged);
  }
  const bytes = Buffer.from(sealed, "base64");
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.equal(there.open("run:1", changed.toString("base64")), undefined, `byte ${at}`);
    assert.equal(there.open("run:1", bytes.subarray(0, at).toString("base64")), undefined, `${at} bytes`);
  }
});

test("equal notes do not look alike, and say nothing", () => {
  const sealed = ["Hello there", "Hello there"].map((text) => here.seal("run:1", text));
  assert.notEqual(sealed[0], sealed[1]);
  assert.ok(!Buffer.from(sealed[0] ?? "", "base64").includes("Hello"));
});

await forEachDatabase(({ openTestDatabase }) => {
  test("processes that start at once have one key", async (t) => {
    const database = await openTestDatabase(t);
    const keys = await Promise.all(Array.from({ length: 4 }, () => loadNoteKey(database)));
    assert.equal(new Set(keys.map((one) => Buffer.from(one).toString("hex"))).size, 1);
    assert.equal(keys[0]?.length, 32);
  });
});
