import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type EffectKind, WeftError } from "@weft/schema";
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
