import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../../database/src/testing/until.ts";
import { createPoller } from "./poller.ts";
import { systemClock } from "./system-clock.ts";

const ignore = () => undefined;
const never = 3_600_000;

test("what is due wakes a poller that rests, and once more one that is at work", async (t) => {
  let wake = ignore as () => void;
  let rounds = 0;
  let atWork = 0;
  let gate = Promise.resolve();
  const poller = createPoller({
    clock: systemClock,
    everyMs: never,
    async round() {
      rounds += 1;
      atWork += 1;
      assert.equal(atWork, 1, "two rounds at once");
      await gate;
      atWork -= 1;
    },
    onFailure: ignore,
    due: {
      onDue(woken) {
        wake = woken;
        return () => {
          wake = ignore;
        };
      },
    },
  });
  t.after(poller.stop);
  poller.start();
  const reached = (count: number) => until(async () => (rounds >= count ? true : undefined));
  await reached(1);
  wake();
  await reached(2);
  const open = Promise.withResolvers<void>();
  gate = open.promise;
  wake();
  await reached(3);
  for (let n = 0; n < 20; n += 1) wake();
  await sleep(150);
  assert.equal(rounds, 3, "a round goes on");
  gate = Promise.resolve();
  open.resolve();
  await reached(4);
  await sleep(300);
  assert.equal(rounds, 4, "twenty calls are one round");
  await poller.stop();
  assert.equal(wake, ignore, "a poller that has stopped is not woken");
});

test("a poller that is woken all the time leaves others a pause between its rounds", async (t) => {
  const happened: string[] = [];
  const poller = createPoller({
    clock: {
      async sleep(ms) {
        happened.push(`a pause of ${ms} ms`);
        await sleep(1);
      },
    },
    everyMs: never,
    async round() {
      happened.push("a round");
      poller.wake();
    },
    onFailure: ignore,
  });
  t.after(poller.stop);
  poller.start();
  await until(() => (happened.length > 6 ? true : undefined));
  const expected = ["a round", "a round", "a pause of 100 ms", "a round", "a pause of 100 ms"];
  assert.deepEqual(happened.slice(0, 5), expected);
});

test("a poller goes on after a round that fails, and stops in the middle of its rest", async () => {
  let rounds = 0;
  const failures: unknown[] = [];
  const poller = createPoller({
    clock: systemClock,
    everyMs: 10,
    async round() {
      rounds += 1;
      throw new Error("The database does not answer.");
    },
    onFailure: (cause) => failures.push(cause),
  });
  poller.start();
  await until(async () => (rounds > 2 ? true : undefined));
  await poller.stop();
  const before = rounds;
  await sleep(50);
  assert.equal(rounds, before);
  assert.equal(failures.length, rounds);
});
