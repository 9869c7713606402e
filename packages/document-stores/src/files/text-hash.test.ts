import assert from "node:assert/strict";
import { test } from "node:test";
import { createTextHash } from "./fingerprint.store.ts";

const pause = async () => undefined;

async function hashOf(...texts: string[]): Promise<string | undefined> {
  const hash = createTextHash();
  for (const text of texts) await hash.add(text, pause);
  return hash.digest();
}

test("equal words are an equal hash, however they are spaced and parted", async () => {
  const plain = await hashOf("Refunds take five days.");
  assert.match(plain ?? "", /^[0-9a-f]{64}$/);
  assert.equal(await hashOf(" \n Refunds\ttake \r\n\r\n five days.  \n"), plain);
  assert.equal(await hashOf("Refunds take", "", " ", "five days."), plain);
  assert.notEqual(await hashOf("Refunds take fivedays."), plain);
  assert.notEqual(await hashOf("refunds take five days."), plain);
});

test("white space alone has no hash", async () => {
  assert.equal(await hashOf(), undefined);
  assert.equal(await hashOf("", " \n\t\u00a0"), undefined);
});

test("a long text is read in pieces, whose borders leave no trace", async () => {
  const words = "Grüße 🦊 an alle ".repeat(20_000);
  const expected = await hashOf(words);
  for (const shift of [1, 2, 3, 7]) assert.equal(await hashOf(`${" ".repeat(shift)}${words}`), expected);
  assert.equal(await hashOf(words.replaceAll(" ", "  ")), expected);
  let pauses = 0;
  await createTextHash().add(words, async () => (pauses += 1));
  assert.ok(pauses > 4, `${pauses}`);
});
