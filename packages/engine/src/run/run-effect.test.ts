import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type EffectKind, WeftError } from "@weft/schema";
import { isTransientFailure } from "../errors.ts";
import type { NodeContext } from "../node-type.ts";
import { createMemoryJournal } from "../testing/memory-journal.ts";
import { completed, createTestProcess, runId, testFlow } from "../testing/test-process.ts";
import { createVirtualClock } from "../testing/virtual-clock.ts";
import { confidenceMs } from "./run-journal.ts";

const effect = (context: NodeContext, kind: EffectKind, key: string, run: () => Promise<string>) =>
  context.effect({ key, kind, category: "http", name: key, input: null }, run);

const failed = () => new WeftError("egress-failed", { params: { url: "x", reason: "reset" } });

describe("effects", () => {
  it("are durable when they resolve, unless they only read", async () => {
    for (const kind of ["read", "idempotent", "write"] as const) {
      const journal = createMemoryJournal();
      let isDurable = false;
      const process = createTestProcess({
        flow: testFlow("start>a"),
        journal,
        behaviours: {
          a: async (context) => {
            await effect(context, kind, "e", async () => "done");
            isDurable = journal.events(runId).some((event) => event.type === "effect-finished");
            return completed(null);
          },
        },
      });
      await process.start().done;
      assert.equal(isDurable, kind !== "read", kind);
    }
  });

  it("never write again where a later attempt follows for another reason", async () => {
    let writes = 0;
    let attempts = 0;
    const process = createTestProcess({
      flow: testFlow("start>a", { a: { onFailure: { retries: 2, retryDelayMs: 0 } } }),
      behaviours: {
        a: async (context) => {
          const write = effect(context, "write", "w", async () => {
            writes += 1;
            throw failed();
          });
          const outcome = await write.catch((cause: Error) => cause.message);
          attempts += 1;
          if (attempts < 3) throw failed();
          return completed(outcome);
        },
      },
    });
    assert.equal(await process.start().done, "completed");
    assert.equal(writes, 1);
    const end = process.events().at(-1);
    assert.equal(end?.type === "run-completed" && end.text, failed().message);
  });

  it("read on trust for two seconds after the journal was written, and then ask it first", async () => {
    for (const [silenceMs, expected] of [
      [confidenceMs - 1, 1],
      [confidenceMs, 0],
    ] as const) {
      const journal = createMemoryJournal();
      const clock = createVirtualClock();
      let begun = 0;
      const process = createTestProcess({
        flow: testFlow("start>a"),
        journal,
        deps: { clock },
        behaviours: {
          a: async (context) => {
            await effect(context, "write", "w", async () => "done");
            await clock.sleep(silenceMs, context.signal);
            // Another process takes the run over; this one does not know it yet.
            journal.takeOver(runId);
            await effect(context, "read", "r", async () => {
              begun += 1;
              return "done";
            });
            return completed(null);
          },
        },
      });
      assert.equal(await process.start().done, "lost");
      assert.equal(begun, expected, `after ${silenceMs} ms`);
    }
  });

  it("read on trust for two seconds after the run was claimed, however late its process goes on", async () => {
    for (const [silenceMs, expected] of [
      [confidenceMs - 1, 1],
      [confidenceMs, 0],
    ] as const) {
      const journal = createMemoryJournal();
      const clock = createVirtualClock();
      let begun = 0;
      const process = createTestProcess({
        flow: testFlow("start>a"),
        journal,
        deps: { clock },
        behaviours: {
          a: async (context) => {
            await effect(context, "read", "r", async () => {
              begun += 1;
              return "done";
            });
            return completed(null);
          },
        },
      });
      const earlier = process.start();
      earlier.stop();
      assert.equal(await earlier.done, "stopped");
      const heldSince = clock.elapsed();
      await clock.sleep(silenceMs, new AbortController().signal);
      const run = process.recover({ heldSince });
      // Another process has taken the run over meanwhile.
      journal.takeOver(runId);
      assert.equal(await run.done, "lost");
      assert.equal(begun, expected, `after ${silenceMs} ms`);
    }
  });

  it("of no kind begin after the process was told to stop", async () => {
    for (const kind of ["read", "idempotent", "write"] as const) {
      let begun = 0;
      const process = createTestProcess({
        flow: testFlow("start>a"),
        behaviours: {
          a: async (context) => {
            run.stop();
            await effect(context, kind, "e", async () => {
              begun += 1;
              return "done";
            });
            return completed(null);
          },
        },
      });
      const run = process.start();
      assert.equal(await run.done, "stopped");
      assert.equal(begun, 0, kind);
      assert.ok(!process.events().some((event) => event.type === "effect-started"));
      assert.equal(await process.recover().done, "completed");
      assert.equal(begun, 1);
    }
  });

  it("that outlive their node's time limit leave no outcome", async () => {
    const release = Promise.withResolvers<string>();
    const process = createTestProcess({
      flow: testFlow("start>a a:error>b", { a: { onFailure: { timeoutMs: 50 } } }),
      behaviours: {
        a: async (context) => completed(await effect(context, "write", "w", () => release.promise)),
        b: async () => {
          release.resolve("late");
          for (let turn = 0; turn < 20; turn += 1) await null;
          return completed("b");
        },
      },
    });
    assert.equal(await process.start().done, "completed");
    assert.ok(process.events().some((event) => event.type === "effect-started"));
    assert.ok(!process.events().some((event) => event.type === "effect-finished"));
  });

  it("that outlive an attempt are of unknown outcome to the next, and are not repeated", async () => {
    let writes = 0;
    const process = createTestProcess({
      flow: testFlow("start>a", { a: { onFailure: { timeoutMs: 50, retries: 3, retryDelayMs: 0 } } }),
      behaviours: {
        a: async (context) => {
          const write = effect(context, "write", "w", () => {
            writes += 1;
            return new Promise<never>(() => undefined);
          });
          return completed(await write);
        },
      },
    });
    assert.equal(await process.start().done, "failed");
    const end = process.events().at(-1);
    assert.equal(end?.type === "run-failed" && end.error.code, "flow-outcome-unknown");
    assert.equal(writes, 1);
  });

  it("with a bug end their node, without their words", async () => {
    const process = createTestProcess({
      flow: testFlow("start>a"),
      behaviours: {
        a: async (context) =>
          completed(await effect(context, "read", "r", () => Promise.reject(new TypeError("secret detail")))),
      },
    });
    assert.equal(await process.start().done, "failed");
    assert.equal(process.bugs.length, 1);
    assert.ok(!JSON.stringify(process.events()).includes("secret detail"));
  });
});

describe("a read whose failure passes by waiting", () => {
  const rateLimited = (retryAfterSeconds?: number) =>
    new WeftError("model-rate-limited", {
      params: { status: 429 },
      upstream: { status: 429, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) },
    });

  /** A run of one read that fails with `failures` first, and when each attempt began. */
  function reading(failures: (() => Error)[], options: Partial<Parameters<typeof createTestProcess>[0]> = {}) {
    const clock = createVirtualClock();
    const attemptedAt: number[] = [];
    const read = (context: NodeContext) =>
      context.effect(
        { key: "r", kind: "read", category: "model", name: "r", input: null, isTransient: isTransientFailure },
        async () => {
          attemptedAt.push(clock.now());
          const failure = failures.shift();
          if (failure) throw failure();
          return "read";
        },
      );
    const process = createTestProcess({
      flow: testFlow("start>a"),
      deps: { clock },
      behaviours: { a: async (context) => completed(await read(context)) },
      ...options,
    });
    const pauses = () => attemptedAt.slice(1).map((at, index) => at - (attemptedAt[index] ?? 0));
    return { ...process, clock, attemptedAt, pauses };
  }

  it("is attempted three times, with pauses that grow, and the journal shows each attempt", async () => {
    const process = reading([rateLimited, rateLimited]);
    assert.equal(await process.start().done, "completed");
    const [first = 0, second = 0] = process.pauses();
    assert.equal(process.attemptedAt.length, 3);
    assert.ok(first >= 250 && first <= 500, `${first}`);
    assert.ok(second >= 500 && second <= 1_000, `${second}`);
    const events = process.events();
    const started = events.flatMap((event) => (event.type === "effect-started" ? [event.attempt] : []));
    const retried = events.flatMap((event) => (event.type === "effect-finished" ? [event.retryAfterMs ?? null] : []));
    assert.deepEqual(started, [1, 2, 3]);
    assert.deepEqual(retried, [first, second, null]);
  });

  it("fails with the third failure", async () => {
    const process = reading([rateLimited, rateLimited, rateLimited]);
    assert.equal(await process.start().done, "failed");
    assert.equal(process.attemptedAt.length, 3);
    const end = process.events().at(-1);
    assert.equal(end?.type === "run-failed" && end.error.code, "model-rate-limited");
  });

  it("is attempted once where the failure stays", async () => {
    const refused = () => new WeftError("model-invalid-request", { params: { status: 400, reason: "too long" } });
    const spent = () => new WeftError("model-rate-limited", { params: { status: 429 }, retryable: false });
    for (const failure of [refused, spent]) {
      const process = reading([failure]);
      assert.equal(await process.start().done, "failed");
      assert.equal(process.attemptedAt.length, 1);
    }
  });

  it("waits as long as it is asked to, if the run's time allows", async () => {
    const patient = reading([() => rateLimited(40)]);
    assert.equal(await patient.start().done, "completed");
    assert.deepEqual(patient.pauses(), [40_000]);
    const short = reading([() => rateLimited(40)], { limits: { wallTimeMs: 30_000 } });
    assert.equal(await short.start().done, "failed");
    const end = short.events().at(-1);
    assert.equal(end?.type === "run-failed" && end.error.code, "model-rate-limited");
    assert.equal(short.clock.elapsed(), 0);
  });

  it("is left to its node's own retries, also where these are none", async () => {
    for (const retries of [0, 1]) {
      const process = reading([rateLimited, rateLimited, rateLimited], {
        flow: testFlow("start>a", { a: { onFailure: { retries, retryDelayMs: 7 } } }),
      });
      assert.equal(await process.start().done, "failed");
      assert.equal(process.attemptedAt.length, retries + 1);
    }
    const limited = reading([rateLimited], { flow: testFlow("start>a", { a: { onFailure: { timeoutMs: 60_000 } } }) });
    assert.equal(await limited.start().done, "completed");
  });

  it("ends its pause at once when the run is cancelled", async () => {
    const process = reading([() => rateLimited(600)]);
    const run = process.start();
    while (!process.committed.some(({ type }) => type === "effect-finished")) await new Promise(setImmediate);
    run.cancel();
    assert.equal(await run.done, "cancelled");
    assert.equal(process.attemptedAt.length, 1);
    assert.ok(process.clock.elapsed() < 600_000);
  });

  it("goes on counting, and waits what is left of its pause, in another process", async () => {
    const process = reading([() => rateLimited(10), rateLimited, rateLimited]);
    const first = process.start();
    while (!process.committed.some(({ type }) => type === "effect-finished")) await new Promise(setImmediate);
    first.stop();
    assert.equal(await first.done, "stopped");
    assert.equal(await process.recover().done, "failed");
    assert.equal(process.attemptedAt.length, 3);
    assert.equal(process.pauses()[0], 10_000);
  });

  it("waits no longer than it meant to when the machine's clock was set back meanwhile", async () => {
    const journal = createMemoryJournal();
    const first = reading([() => rateLimited(10)], { journal });
    const run = first.start();
    while (!first.committed.some(({ type }) => type === "effect-finished")) await new Promise(setImmediate);
    run.stop();
    await run.done;
    const clock = createVirtualClock(Date.UTC(2025, 11, 31));
    const second = reading([], { journal, deps: { clock } });
    assert.equal(await second.recover().done, "completed");
    assert.equal(clock.elapsed(), 10_000);
  });
});
