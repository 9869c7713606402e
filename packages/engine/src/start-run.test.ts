import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isTerminalEvent, WeftError } from "@weft/schema";
import type { NodeContext } from "./node-type.ts";
import type { Clock } from "./ports/clock.ts";
import { LeaseLostError } from "./ports/journal.ts";
import { createMemoryJournal } from "./testing/memory-journal.ts";
import { completed, createTestProcess, runId, testFlow } from "./testing/test-process.ts";
import { createVirtualClock } from "./testing/virtual-clock.ts";

const write = (context: NodeContext, key: string, run: () => Promise<string>) =>
  context.effect({ key, kind: "write", category: "http", name: `POST ${key}`, input: null }, run);

const failed = () => new WeftError("flow-node-failed", { params: { reason: "as planned" } });

/** Lets everything happen that needs no timer. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A run whose one step has begun a call that never ends by itself. */
async function hanging() {
  const entered = Promise.withResolvers<void>();
  const process = createTestProcess({
    flow: testFlow("start>a"),
    behaviours: {
      a: async (context) => {
        await write(context, "w", () => {
          entered.resolve();
          return new Promise<never>(() => undefined);
        });
        return completed("never");
      },
    },
    limits: { wallTimeMs: Number.POSITIVE_INFINITY },
  });
  const run = process.start();
  await entered.promise;
  return { process, run };
}

describe("startRun", () => {
  it("writes nothing when it is cancelled or out of time after it lost the run", async () => {
    const { process, run } = await hanging();
    process.journal.takeOver(runId);
    const before = process.events().length;
    run.cancel();
    assert.equal(await run.done, "lost");
    assert.equal(process.events().length, before);
  });

  it("refuses to begin or resume a run that is not its own", async () => {
    const process = createTestProcess({ flow: testFlow("start>a") });
    process.journal.takeOver(runId);
    const begun = process.start({ epoch: 99 });
    await assert.rejects(begun.accepted, LeaseLostError);
    assert.equal(await begun.done, "lost");
    const waiting = createTestProcess({
      flow: testFlow("start>ask"),
      behaviours: { ask: () => ({ type: "suspend", text: "?", details: {} }) },
    });
    await waiting.start().done;
    const resume = { nodeKey: "ask#0", nodeId: "ask", waitId: "w", answer: "yes" };
    const late = waiting.recover({ resume, epoch: 99 });
    await assert.rejects(late.accepted, LeaseLostError);
    assert.equal(await late.done, "lost");
    assert.ok(!waiting.events().some((event) => event.type === "node-resumed"));
  });

  it("rejects when the journal cannot be written, and tells no observer", async () => {
    const journal = createMemoryJournal();
    const broken = { ...journal, append: () => Promise.reject(new Error("disk full")) };
    const process = createTestProcess({ flow: testFlow("start>a"), journal: broken });
    const run = process.start();
    await assert.rejects(run.accepted, /disk full/);
    await assert.rejects(run.done, /disk full/);
    assert.deepEqual(process.committed, []);
  });

  it("tells observers of events in order, and only of durable ones", async () => {
    const journal = createMemoryJournal();
    const process = createTestProcess({
      flow: testFlow("start>a a>b"),
      behaviours: { a: async (context) => completed(await write(context, "w", async () => "written")) },
      journal,
      deps: {
        observer: {
          delta: () => undefined,
          committed: (_run, events) => assert.ok((events.at(-1)?.seq ?? 0) <= journal.events(runId).length),
        },
      },
    });
    assert.equal(await process.start().done, "completed");
    const recorded = createTestProcess({ flow: testFlow("start>a") });
    await recorded.start().done;
    assert.deepEqual(recorded.committed, recorded.events());
  });

  it("announces a write durably before it begins", async () => {
    const journal = createMemoryJournal();
    let seen: string[] = [];
    const process = createTestProcess({
      flow: testFlow("start>a"),
      journal,
      behaviours: {
        a: async (context) =>
          completed(
            await write(context, "w", async () => {
              seen = journal.events(runId).map((event) => event.type);
              return "written";
            }),
          ),
      },
    });
    await process.start().done;
    assert.equal(seen.at(-1), "effect-started");
  });

  it("is accepted before its session's turn, and takes its first step in it", async () => {
    const turn = Promise.withResolvers<void>();
    const process = createTestProcess({ flow: testFlow("start>a") });
    const run = process.start({ turn: turn.promise, warnings: [{ code: "w", message: "ignored" }] });
    await run.accepted;
    await settle();
    assert.deepEqual(
      process.events().map((event) => event.type),
      ["run-started", "run-warned"],
    );
    turn.resolve();
    assert.equal(await run.done, "completed");
  });

  it("can be cancelled, or let go, before its turn comes", async () => {
    const never = new Promise<void>(() => undefined);
    const cancelled = createTestProcess({ flow: testFlow("start>a") });
    const run = cancelled.start({ turn: never });
    await run.accepted;
    run.cancel();
    assert.equal(await run.done, "cancelled");
    const stopped = createTestProcess({ flow: testFlow("start>a") });
    const other = stopped.start({ turn: never });
    await other.accepted;
    other.stop();
    assert.equal(await other.done, "stopped");
    assert.deepEqual(
      stopped.events().map((event) => event.type),
      ["run-started"],
    );
    assert.equal(await stopped.recover().done, "completed");
  });

  it("writes nothing after the terminal event, whatever a step left behind", async () => {
    const release = Promise.withResolvers<string>();
    const left = Promise.withResolvers<void>();
    const process = createTestProcess({
      flow: testFlow("start>a"),
      behaviours: {
        a: async (context) => {
          const slow = write(context, "slow", () => release.promise).then((value) => {
            context.warn("late", "after the end");
            left.resolve();
            return value;
          });
          await Promise.all([slow, write(context, "fails", () => Promise.reject(failed()))]);
          return completed("never");
        },
      },
    });
    assert.equal(await process.start().done, "failed");
    release.resolve("written");
    await left.promise;
    await settle();
    assert.ok(process.events().at(-1)?.type === "run-failed");
    assert.equal(process.events().filter(isTerminalEvent).length, 1);
  });

  it("leaves no timer behind", async () => {
    const clock = createVirtualClock();
    const signals: AbortSignal[] = [];
    const sleep: Clock["sleep"] = (ms, signal) => {
      signals.push(signal);
      return clock.sleep(ms, signal);
    };
    const flow = testFlow("start>a", { a: { onFailure: { timeoutMs: 60_000 } } });
    const process = createTestProcess({ flow, deps: { clock: { ...clock, sleep } } });
    await process.start().done;
    assert.equal(signals.length, 2);
    assert.ok(signals.every((signal) => signal.aborted));
  });

  it("adds nothing to a run that has ended", async () => {
    for (const behaviours of [{}, { a: () => Promise.reject(failed()) }]) {
      const process = createTestProcess({ flow: testFlow("start>a"), behaviours });
      const outcome = await process.start().done;
      const before = process.events().length;
      assert.equal(await process.recover().done, outcome);
      assert.equal(process.events().length, before);
    }
  });

  it("does not wait for another attempt of a write that failed", async () => {
    const process = createTestProcess({
      flow: testFlow("start>a", { a: { onFailure: { retries: 5, retryDelayMs: 1_000 } } }),
      behaviours: {
        a: async (context) =>
          completed(await write(context, "w", () => Promise.reject(new WeftError("model-rate-limited")))),
      },
    });
    assert.equal(await process.start().done, "failed");
    const failures = process.events().filter((event) => event.type === "node-failed");
    assert.deepEqual(
      failures.map((event) => event.next.type),
      ["stop"],
    );
    assert.equal(failures[0]?.error.retryable, true);
  });

  it("repeats a read that failed with every attempt, and never one that succeeded", async () => {
    let failing = 0;
    let reading = 0;
    const process = createTestProcess({
      flow: testFlow("start>a", { a: { onFailure: { retries: 3, retryDelayMs: 10 } } }),
      behaviours: {
        a: async (context) => {
          const read = (key: string, run: () => Promise<number>) =>
            context.effect({ key, kind: "read", category: "http", name: "GET", input: null }, run);
          const once = await read("once", async () => ++reading);
          const value = await read("flaky", async () => {
            failing += 1;
            if (failing < 3) throw new WeftError("egress-failed", { params: { url: "x", reason: "reset" } });
            return failing;
          });
          return completed(`${once} ${value}`);
        },
      },
    });
    assert.equal(await process.start().done, "completed");
    const end = process.events().at(-1);
    assert.equal(end?.type === "run-completed" && end.text, "1 3");
  });

  it("skips a dead branch of any length", async () => {
    const chain = Array.from({ length: 1_900 }, (_, index) => `n${index}>n${index + 1}`).join(" ");
    const process = createTestProcess({
      flow: testFlow(`start>c c:left>a c:right>n0 ${chain} n1900>join a>join`),
      behaviours: { c: () => ({ type: "branch", ports: ["left"], output: null }) },
    });
    assert.equal(await process.start().done, "completed");
    const end = process.events().at(-1);
    assert.equal(end?.type === "run-completed" && end.answerNodeKey, "join#0");
  });
});
