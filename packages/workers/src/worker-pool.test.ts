import assert from "node:assert/strict";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { setImmediate as tick } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { createWorkerPool } from "./index.ts";

const signal = new AbortController().signal;

function openPool(t: TestContext, options: Partial<Parameters<typeof createWorkerPool>[0]> = {}) {
  const workers: Worker[] = [];
  const pool = createWorkerPool({
    size: 2,
    maxWaiting: 100,
    idleMs: 60_000,
    start() {
      const worker = new Worker("require('node:worker_threads').parentPort.on('message', () => {})", { eval: true });
      workers.push(worker);
      return worker;
    },
    fullError: () => new Error("full"),
    closedError: () => new Error("closed"),
    ...options,
  });
  t.after(pool.close);
  const take = (name: string, isAlone = false, isAnonymous = false) =>
    pool.take({ share: { name, isAnonymous }, signal, isAlone });
  return { pool, workers, take };
}

/** Notes in which order the calls get their seats. */
function watch<T>(order: string[], name: string, seat: Promise<T>): Promise<T> {
  seat.then(
    () => order.push(name),
    () => undefined,
  );
  return seat;
}

test("shares take turns, however many calls each has in line", async (t) => {
  const { take } = openPool(t, { size: 1 });
  const order: string[] = [];
  const first = await take("a");
  const calls = [..."aabbc"].map(async (name) => {
    const seat = await take(name);
    order.push(name);
    seat.leave();
  });
  first.leave();
  await Promise.all(calls);
  assert.equal(order.join(""), "abcab");
});

test("a thread whose calls rest begins another one of its share, and none while one computes", async (t) => {
  const { take, workers } = openPool(t, { size: 1, callsPerWorker: 2 });
  const order: string[] = [];
  const first = await take("a");
  const second = watch(order, "second", take("a"));
  await tick();
  assert.deepEqual(order, []);
  first.rest();
  const { worker } = await second;
  const third = watch(order, "third", take("a"));
  await tick();
  assert.deepEqual(order, ["second"], "two are all that a thread holds");
  first.leave();
  (await second).rest();
  assert.equal((await third).worker, worker);
  assert.equal(workers.length, 1);
});

test("a share takes no more than half of the threads", async (t) => {
  const { take, workers } = openPool(t, { size: 4 });
  const order: string[] = [];
  const greedy = Array.from({ length: 10 }, () => watch(order, "greedy", take("greedy")));
  t.after(() => Promise.allSettled(greedy));
  await Promise.all(greedy.slice(0, 2));
  await tick();
  assert.equal(order.length, 2);
  const other = await take("other");
  assert.equal(other.isGuest, false);
  (await greedy[0])?.leave();
  await tick();
  assert.equal(order.length, 2, "of what is free, a newcomer must find something");
  other.leave();
  await tick();
  assert.equal(order.length, 3);
  assert.equal(workers.length, 3);
});

test("without a free thread a share is the guest of one that rests, and visitors only of visitors", async (t) => {
  const { take } = openPool(t, { size: 1, callsPerWorker: 4 });
  const order: string[] = [];
  const owner = await take("a");
  const guest = watch(order, "guest", take("b"));
  const visitor = watch(order, "visitor", take("b", false, true));
  const alone = watch(order, "alone", take("b", true));
  await tick();
  owner.rest();
  const seat = await guest;
  assert.equal(seat.isGuest, true);
  seat.leave();
  assert.equal((await alone).isGuest, false);
  await tick();
  assert.deepEqual(order.toSorted(), ["alone", "guest"]);
  owner.leave();
  (await visitor).leave();
  (await alone).leave();
});

test("a thread that is discarded or dies is replaced, and its share is given back", async (t) => {
  const { take, workers } = openPool(t);
  const first = await take("a");
  first.discard();
  first.leave();
  const second = await take("a");
  assert.notEqual(second.worker, first.worker);
  await second.worker.terminate();
  second.leave();
  const third = await take("a");
  third.leave();
  assert.equal(workers.length, 3);
});

test("threads begin one after the other", async (t) => {
  const begun: string[] = [];
  const start = () => {
    begun.push("started");
    const worker = new Worker("require('node:worker_threads').parentPort.on('message', () => {})", { eval: true });
    return worker.once("online", () => begun.push("online"));
  };
  const { take } = openPool(t, { size: 8, start });
  await Promise.all([..."abc"].map((name) => take(name)));
  assert.deepEqual(begun.slice(0, 5), ["started", "online", "started", "online", "started"]);
});

test("unused threads end", async (t) => {
  const { take } = openPool(t, { idleMs: 1 });
  const seat = await take("a");
  const ended = once(seat.worker, "exit");
  seat.leave();
  await ended;
});

test("who gives up leaves the line; a full line and a closed pool refuse", async (t) => {
  const { pool, take } = openPool(t, { size: 1, maxWaiting: 2 });
  await take("a");
  const controller = new AbortController();
  const quitter = pool.take({ share: { name: "b", isAnonymous: false }, signal: controller.signal });
  await assert.rejects(take("b"), /full/);
  controller.abort(new Error("gone"));
  await assert.rejects(quitter, /gone/);
  const waiting = assert.rejects(take("b"), /closed/);
  await pool.close();
  await waiting;
  await assert.rejects(take("c"), /closed/);
});
