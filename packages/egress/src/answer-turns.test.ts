import assert from "node:assert/strict";
import { it } from "node:test";
import { createAnswerTurns } from "./answer-turns.ts";

it("begins one answer a turn of the event loop, in order, and the next one at once when all have begun", async () => {
  const { take } = createAnswerTurns();
  const begun: string[] = [];
  for (const name of ["a", "b", "c"]) take(() => begun.push(name));
  const seen: string[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    seen.push(begun.join(""));
    await new Promise(setImmediate);
  }
  assert.deepEqual(seen.slice(0, 1), ["a"]);
  assert.ok(seen.includes("ab"), seen.join());
  assert.equal(seen.at(-1), "abc");
  take(() => begun.push("d"));
  assert.equal(begun.join(""), "abcd");
});
