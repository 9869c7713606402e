import assert from "node:assert/strict";
import { test } from "node:test";
import { createRequestTurns } from "./request-turns.ts";

const a = { address: "a", isRead: false };
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a burst of one address delays another by one request, and keeps its own order", async () => {
  const turns = createRequestTurns();
  const begun: string[] = [];
  for (let index = 0; index < 100; index += 1) turns.take(a, () => begun.push(`a${index}`));
  turns.take({ ...a, address: "b" }, () => begun.push("b0"));
  while (begun.length < 101) await turn();
  assert.ok(begun.indexOf("b0") <= 2, begun.slice(0, 5).join());
  const own = begun.filter((name) => name.startsWith("a"));
  assert.deepEqual(
    own,
    own.map((_, index) => `a${index}`),
  );
});

test("other work gets its time between the requests of a burst", async () => {
  const turns = createRequestTurns();
  let begun = 0;
  const count = () => {
    begun += 1;
  };
  // More turns than fit into the millisecond of the shortest timer.
  const requests = 20_000;
  for (let index = 0; index < requests; index += 1) turns.take(a, count);
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.ok(begun < requests, "a timer fires before the burst is over");
  while (begun < requests) await turn();
});

test("a request that comes alone begins at once, and so does the next one after a failure", async () => {
  const turns = createRequestTurns();
  assert.throws(() =>
    turns.take(a, () => {
      throw new Error("broken");
    }),
  );
  await turn();
  await turn();
  let isBegun = false;
  turns.take(a, () => {
    isBegun = true;
  });
  assert.ok(isBegun);
});

test("a read waits for one message of a burst from many addresses, and messages for one read of a burst", async () => {
  for (const isRead of [false, true]) {
    const turns = createRequestTurns();
    const begun: string[] = [];
    for (let index = 0; index < 50; index += 1) {
      turns.take({ address: `${index}`, isRead }, () => begun.push("burst"));
    }
    turns.take({ address: "late", isRead: !isRead }, () => begun.push("late"));
    while (begun.length < 51) await turn();
    assert.equal(begun.indexOf("late"), 1);
  }
});
