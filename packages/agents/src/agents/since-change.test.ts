import assert from "node:assert/strict";
import { test } from "node:test";
import { sinceChange } from "./since-change.ts";

test("an answer is remembered until the next change, also one that comes while it is read", async () => {
  let changes: number | undefined = 0;
  let reads = 0;
  const remembered = sinceChange<string>(() => changes, 2);
  const ask = (question: string, whileRead = () => {}) =>
    remembered(question, async () => {
      const answer = `${question} ${changes}`;
      await Promise.resolve();
      whileRead();
      reads += 1;
      return answer;
    });
  assert.deepEqual([await ask("a"), await ask("a"), reads], ["a 0", "a 0", 1]);
  changes = 1;
  assert.deepEqual([await ask("a"), await ask("a"), reads], ["a 1", "a 1", 2]);
  const change = () => {
    changes = 2;
  };
  assert.equal(await ask("b", change), "b 1");
  assert.deepEqual([await ask("b"), await ask("a")], ["b 2", "a 2"]);
  await ask("c");
  const before = reads;
  await ask("b");
  assert.equal(reads, before + 1, "no more than two are kept");
  await assert.rejects(
    remembered("d", () => Promise.reject(new Error("gone"))),
    /gone/,
  );
  assert.equal(await ask("d"), "d 2");
  changes = undefined;
  const unknown = reads;
  await ask("a");
  await ask("a");
  assert.equal(reads, unknown + 2, "nothing is kept while changes are not known of");
});
