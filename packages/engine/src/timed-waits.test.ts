import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Json, RunEventOf } from "@weft/schema";
import type { NodeContext, NodeResult, Suspension, WaitEnd } from "./node-type.ts";
import { endBySignal, endByTime, openWaits } from "./run/readiness.ts";
import type { RunHandle } from "./start-run.ts";
import { last, order } from "./testing/read-events.ts";
import {
  type Behaviours,
  completed,
  createTestProcess,
  type TestProcess,
  testFlow,
  valuesOf,
} from "./testing/test-process.ts";
import { createVirtualClock } from "./testing/virtual-clock.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const timed = (until: number, more: Partial<Suspension> = {}): Suspension => ({
  type: "suspend",
  text: "Waiting",
  details: {},
  until,
  asks: false,
  ...more,
});

/** Waits so long from its first execution, and says what ended it. */
const waits =
  (ms: number, more: Partial<Suspension> = {}) =>
  (context: NodeContext): NodeResult =>
    context.answer === undefined ? timed(context.now() + ms, more) : completed((context.answer as WaitEnd).resumedBy);

/** A flow on a clock of its own. `sleep` lets time pass while nobody works on the run. */
function open(edges: string, behaviours: Behaviours) {
  const clock = createVirtualClock();
  const process = createTestProcess({ flow: testFlow(edges), behaviours, deps: { clock } });
  return { ...process, clock, sleep: (ms: number) => clock.sleep(ms, new AbortController().signal) };
}

function suspended(process: TestProcess): RunEventOf<"run-suspended"> {
  const event = last(process.events());
  assert.ok(event?.type === "run-suspended", JSON.stringify(event));
  return event;
}

function resumedBy(process: TestProcess): (string | undefined)[] {
  return process.events().flatMap((event) => (event.type === "node-resumed" ? [event.resumedBy] : []));
}

/** The signal as whoever delivers it hands it over: to every open wait that names it. */
function signalled({ state }: RunHandle, name: string, payload: Json, at: number) {
  const open = openWaits(state).filter(({ wait }) => wait.signal === name);
  return { resume: open.map((wait) => endBySignal(wait, payload, at)) };
}

describe("a wait for a moment", () => {
  it("suspends the run, and goes on in another process when the moment has come", async () => {
    const process = open("start>wait wait>b", { wait: waits(hourMs) });
    const begunAt = process.clock.now();
    assert.equal(await process.start().done, "suspended");
    const { dueAt, holds } = suspended(process);
    assert.deepEqual({ dueAt, holds }, { dueAt: begunAt + hourMs, holds: undefined });
    await process.sleep(hourMs);
    assert.equal(await process.recover().done, "completed");
    assert.equal(order(process.events()), "start wait b");
    assert.deepEqual(resumedBy(process), ["time"]);
  });

  it("keeps its moment over restarts: a process that takes it up too early suspends it for the rest", async () => {
    const process = open("start>wait", { wait: waits(hourMs) });
    assert.equal(await process.start().done, "suspended");
    const { dueAt } = suspended(process);
    await process.sleep(hourMs / 2);
    assert.equal(await process.recover().done, "suspended");
    assert.equal(suspended(process).dueAt, dueAt);
    assert.equal(order(process.events()), "start wait");
    await process.sleep(hourMs);
    assert.equal(await process.recover().done, "completed");
    assert.deepEqual(resumedBy(process), ["time"]);
  });

  it("tells the step for which moment it waited, however late it goes on", async () => {
    let end: Json = null;
    const process = open("start>wait", {
      wait(context) {
        if (context.answer === undefined) return timed(context.now() + hourMs);
        end = context.answer;
        return completed(null);
      },
    });
    const begunAt = process.clock.now();
    await process.start().done;
    await process.sleep(10 * hourMs);
    await process.recover().done;
    assert.deepEqual(end, { resumedBy: "time", at: begunAt + hourMs });
  });

  it("holds the answer for a minute, and stays for a second", async () => {
    for (const [ms, outcome, holds] of [
      [500, "completed", undefined],
      [minuteMs, "suspended", true],
      [minuteMs + 1, "suspended", undefined],
    ] as const) {
      const process = open("start>wait", { wait: waits(ms) });
      assert.equal(await process.start().done, outcome);
      if (outcome === "suspended") assert.equal(suspended(process).holds, holds);
    }
  });

  it("ends while other branches work: nobody waits for them", async () => {
    const process = open("start>wait wait>b start>busy", {
      wait: waits(5_000),
      busy: async (context) => {
        await process.sleep(minuteMs);
        return completed(context.nodeKey);
      },
    });
    assert.equal(await process.start().done, "completed");
    const ended = process.events().flatMap((event) => (event.type === "node-completed" ? [event.nodeId] : []));
    assert.deepEqual(ended, ["start", "wait", "b", "busy"]);
  });

  it("does not use up the run's time", async () => {
    const clock = createVirtualClock();
    const process = createTestProcess({
      flow: testFlow("start>first first>second second>b"),
      behaviours: { first: waits(hourMs), second: waits(hourMs) },
      deps: { clock },
      limits: { wallTimeMs: minuteMs },
    });
    assert.equal(await process.start().done, "suspended");
    for (const outcome of ["suspended", "completed"]) {
      await clock.sleep(hourMs, new AbortController().signal);
      assert.equal(await process.recover().done, outcome);
    }
  });

  it("lets two waits of parallel branches end one after the other, the first one first", async () => {
    const process = open("start>late start>early late>b early>c", { late: waits(2 * hourMs), early: waits(hourMs) });
    const begunAt = process.clock.now();
    assert.equal(await process.start().done, "suspended");
    assert.equal(suspended(process).dueAt, begunAt + hourMs);
    await process.sleep(hourMs);
    assert.equal(await process.recover().done, "suspended");
    assert.equal(suspended(process).dueAt, begunAt + 2 * hourMs);
    assert.equal(order(process.events()), "start late early c");
    await process.sleep(hourMs);
    assert.equal(await process.recover().done, "completed");
    assert.equal(order(process.events()), "start late early c b");
  });

  it("ends several that are due at once", async () => {
    const process = open("start>a start>b a>join b>join", { a: waits(hourMs), b: waits(2 * hourMs) });
    await process.start().done;
    await process.sleep(3 * hourMs);
    assert.equal(await process.recover().done, "completed");
    assert.deepEqual(resumedBy(process), ["time", "time"]);
  });

  it("waits in every item of a sub-flow and in every pass of a loop", async () => {
    const process = open("start>each each>again again>reply inner@each", {
      each: (context) =>
        context.spawned ? completed(valuesOf(context.spawned)) : { type: "spawn", items: [1, 2, 3], concurrency: 2 },
      inner: waits(hourMs),
      again: (context) => (context.jumps < 1 ? { type: "jump", to: "each", output: null } : completed("looped")),
      reply: () => completed("done"),
    });
    let outcome = await process.start().done;
    for (let wakes = 0; outcome === "suspended"; wakes += 1) {
      assert.ok(wakes < 10);
      await process.sleep(hourMs);
      outcome = await process.recover().done;
    }
    assert.equal(outcome, "completed");
    const keys = process.events().flatMap((event) => (event.type === "node-suspended" ? [event.nodeKey] : []));
    const expected = [0, 1].flatMap((pass) => [0, 1, 2].map((item) => `each#${pass}[${item}]/inner#0`));
    assert.deepEqual(keys.toSorted(), expected);
    assert.deepEqual(
      resumedBy(process),
      expected.map(() => "time"),
    );
  });

  it("starts no step after a cancel", async () => {
    const process = open("start>wait wait>b", { wait: waits(hourMs) });
    await process.start().done;
    await process.sleep(hourMs);
    const run = process.recover();
    run.cancel();
    assert.equal(await run.done, "cancelled");
    assert.equal(order(process.events()), "start wait");
  });

  it("starts no step after a cancel while the run stays for the wait", async () => {
    const process = open("start>wait wait>b", { wait: waits(900) });
    const run = process.start();
    await process.sleep(100);
    run.cancel();
    assert.equal(await run.done, "cancelled");
    assert.equal(order(process.events()), "start wait");
  });

  it("asks a human at the same time: what comes first counts, and the caller is answered", async () => {
    const ask: Behaviours[string] = (context) =>
      context.answer === undefined
        ? { type: "suspend", text: "Go on?", details: {}, until: context.now() + 5_000 }
        : completed(context.answer);
    const process = open("start>ask", { ask });
    await process.start().done;
    assert.equal(suspended(process).holds, undefined);
    await process.sleep(5_000);
    assert.equal(await process.recover().done, "completed");
    assert.deepEqual(resumedBy(process), ["time"]);
  });
});

describe("a wait for a signal", () => {
  const behaviours = { wait: waits(hourMs, { signal: "paid" }), b: () => completed("b ran") };

  it("ends with the signal, and then not with the time", async () => {
    const process = open("start>wait wait>b", behaviours);
    const run = process.start();
    await run.done;
    await process.sleep(minuteMs);
    const signal = signalled(run, "paid", { amount: 3 }, process.clock.now());
    assert.equal(await process.recover(signal).done, "completed");
    assert.deepEqual(resumedBy(process), ["signal"]);
    await process.sleep(2 * hourMs);
    await process.recover().done;
    assert.deepEqual(resumedBy(process), ["signal"]);
  });

  it("gives the step what came with the signal, and when", async () => {
    let end: Json = null;
    const process = open("start>wait", {
      wait(context) {
        if (context.answer === undefined) return timed(context.now() + hourMs, { signal: "paid" });
        end = context.answer;
        return completed(null);
      },
    });
    const run = process.start();
    await run.done;
    await process.sleep(minuteMs);
    const at = process.clock.now();
    await process.recover(signalled(run, "paid", { amount: 3 }, at)).done;
    assert.deepEqual(end, { resumedBy: "signal", at, signal: "paid", payload: { amount: 3 } });
  });

  it("takes one end of a wait, whichever is recorded first", async () => {
    const process = open("start>wait wait>b", behaviours);
    const run = process.start();
    await run.done;
    const [open_] = openWaits(run.state);
    assert.ok(open_);
    await process.sleep(hourMs);
    const both = [endByTime(open_), endBySignal(open_, "late", process.clock.now())];
    const continued = process.recover({ resume: both });
    assert.equal(await continued.done, "completed");
    assert.equal(order(process.events()), "start wait b");
    assert.equal(continued.state.outputs.get("wait")?.output, "time");
  });

  it("ends every open wait for it", async () => {
    const wait = waits(hourMs, { signal: "paid" });
    const process = open("start>a start>b a>join b>join", { a: wait, b: wait });
    const run = process.start();
    await run.done;
    assert.equal(await process.recover(signalled(run, "paid", null, 0)).done, "completed");
    assert.deepEqual(resumedBy(process), ["signal", "signal"]);
  });

  it("may have no time at all", async () => {
    const process = open("start>wait", {
      wait: (context) =>
        context.answer === undefined
          ? { type: "suspend", text: "Waiting", details: {}, signal: "paid", asks: false }
          : completed("paid"),
    });
    const run = process.start();
    await run.done;
    assert.deepEqual({ ...suspended(process), seq: 0, at: 0 }, { type: "run-suspended", seq: 0, at: 0 });
    assert.equal(await process.recover(signalled(run, "paid", null, 0)).done, "completed");
  });
});

describe("who listens to a run that waited", () => {
  it("is nobody once its caller was answered and it went on by itself", async () => {
    for (const [ms, isUnattended] of [
      [minuteMs, false],
      [hourMs, true],
    ] as const) {
      const process = open("start>wait", { wait: waits(ms) });
      await process.start().done;
      await process.sleep(ms);
      const run = process.recover();
      await run.done;
      assert.equal(run.state.isUnattended, isUnattended);
    }
  });
});
