import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WeftError } from "@weft/schema";
import { HostUnavailableError } from "./errors.ts";
import { LeaseLostError } from "./ports/journal.ts";
import { last, order } from "./testing/read-events.ts";
import { completed, createTestProcess, testFlow } from "./testing/test-process.ts";

describe("failures in the scheduler", () => {
  it("fails the run when a step fails, and keeps what finished", async () => {
    const process = createTestProcess({
      flow: testFlow("start>a a>b"),
      behaviours: {
        b: () => {
          throw new WeftError("flow-node-failed", { params: { reason: "no luck" } });
        },
      },
    });
    assert.equal(await process.start().done, "failed");
    const end = last(process.events());
    assert.equal(end?.type === "run-failed" && end.error.message, "no luck");
    assert.ok(process.events().some((event) => event.type === "node-completed" && event.nodeId === "a"));
  });

  it("goes on at the error port when there is one", async () => {
    const process = createTestProcess({
      flow: testFlow("start>a a>b a:error>c"),
      behaviours: {
        a: () => {
          throw new WeftError("flow-node-failed", { params: { reason: "no luck" } });
        },
        c: (context) => completed(`caught: ${context.renderText("{{ a.output.error.message }}")}`),
      },
    });
    assert.equal(await process.start().done, "completed");
    const end = last(process.events());
    assert.equal(end?.type === "run-completed" && end.text, "caught: no luck");
    assert.equal(order(process.events()), "start a c");
  });

  it("is none of a step that finds its run taken over: nothing is recorded, and the other process goes on", async () => {
    const process = createTestProcess({
      flow: testFlow("start>a"),
      behaviours: {
        a: (context) => {
          process.journal.takeOver(context.run.runId);
          throw new LeaseLostError(context.run.runId);
        },
      },
    });
    const run = process.start();
    assert.equal(await run.done, "lost");
    assert.deepEqual(process.bugs, []);
    assert.equal(
      process.events().some(({ type }) => type === "node-failed" || type === "run-failed"),
      false,
    );
  });

  it("is no failure of a step that its host cannot work: the run goes on from its journal", async () => {
    let isWorking = false;
    const cause = new HostUnavailableError("The database does not answer.");
    const process = createTestProcess({
      flow: testFlow("start>a a>b b:error>c"),
      behaviours: {
        b: (context) =>
          context
            .effect({ key: "read", kind: "read", category: "retrieval", name: "b", input: null }, async () => {
              if (!isWorking) throw cause;
              return "found";
            })
            .then(completed),
      },
    });
    await assert.rejects(process.start().done, cause);
    const before = process.events();
    assert.equal(
      before.some(({ type }) => type === "node-failed" || type === "run-failed"),
      false,
    );
    isWorking = true;
    assert.equal(await process.recover().done, "completed");
    assert.deepEqual(process.events().slice(0, before.length), before);
    const end = last(process.events());
    assert.equal(end?.type === "run-completed" && end.text, "found");
    assert.deepEqual(process.bugs, []);
  });

  it("retries a retryable failure with backoff, and obeys Retry-After", async () => {
    let attempts = 0;
    const process = createTestProcess({
      flow: testFlow("start>a", { a: { onFailure: { retries: 2, retryDelayMs: 100 } } }),
      behaviours: {
        a: () => {
          attempts += 1;
          if (attempts < 3)
            throw new WeftError("model-rate-limited", { upstream: { status: 429, retryAfterSeconds: 5 } });
          return completed("at last");
        },
      },
    });
    assert.equal(await process.start().done, "completed");
    const failures = process.events().filter((event) => event.type === "node-failed");
    assert.deepEqual(
      failures.map((event) => event.next.type === "retry" && event.next.at - event.at),
      [5_000, 5_000],
    );
  });

  it("does not retry what would fail again", async () => {
    let attempts = 0;
    const process = createTestProcess({
      flow: testFlow("start>a", { a: { onFailure: { retries: 5, retryDelayMs: 0 } } }),
      behaviours: {
        a: () => {
          attempts += 1;
          throw new WeftError("model-unauthorized");
        },
      },
    });
    assert.equal(await process.start().done, "failed");
    assert.equal(attempts, 1);
  });

  it("never attempts a write twice, whatever the retries say", async () => {
    let writes = 0;
    const process = createTestProcess({
      flow: testFlow("start>a", { a: { onFailure: { retries: 3, retryDelayMs: 0 } } }),
      behaviours: {
        a: async (context) => {
          await context.effect({ key: "w", kind: "write", category: "http", name: "POST", input: null }, async () => {
            writes += 1;
            throw new WeftError("egress-timeout", { params: { url: "http://x", limitMs: 1 } });
          });
          return completed("done");
        },
      },
    });
    assert.equal(await process.start().done, "failed");
    assert.equal(writes, 1);
  });

  it("ends a step that exceeds its time limit", async () => {
    const process = createTestProcess({
      flow: testFlow("start>a", { a: { onFailure: { timeoutMs: 50 } } }),
      behaviours: { a: () => new Promise(() => undefined) },
    });
    assert.equal(await process.start().done, "failed");
    const end = last(process.events());
    assert.match((end?.type === "run-failed" && end.error.message) || "", /longer than its time limit of 50 ms/);
  });

  it("ends a run that exceeds its wall time or its steps", async () => {
    const slow = createTestProcess({
      flow: testFlow("start>a"),
      behaviours: { a: () => new Promise(() => undefined) },
      limits: { wallTimeMs: 1_000 },
    });
    assert.equal(await slow.start().done, "failed");
    const timeout = last(slow.events());
    assert.equal(timeout?.type === "run-failed" && timeout.error.code, "flow-timeout");
    const endless = createTestProcess({
      flow: testFlow("start>a a>b"),
      behaviours: { b: () => ({ type: "jump", to: "a", output: null }) },
      limits: { maxSteps: 20 },
    });
    assert.equal(await endless.start().done, "failed");
    const limit = last(endless.events());
    assert.equal(limit?.type === "run-failed" && limit.error.code, "budget-steps");
  });

  it("reports a bug, and tells the client nothing of it", async () => {
    const process = createTestProcess({
      flow: testFlow("start>a"),
      behaviours: {
        a: () => {
          throw new TypeError("secret detail");
        },
      },
    });
    assert.equal(await process.start().done, "failed");
    assert.equal(process.bugs.length, 1);
    assert.ok(!JSON.stringify(process.events()).includes("secret detail"));
  });

  it("retries as often as its policy says, and waits for every attempt", async () => {
    let attempts = 0;
    const process = createTestProcess({
      flow: testFlow("start>a", { a: { onFailure: { retries: 2, retryDelayMs: 100 } } }),
      behaviours: {
        a: () => {
          attempts += 1;
          throw new WeftError("egress-failed", { params: { url: "x", reason: "reset" } });
        },
      },
    });
    assert.equal(await process.start().done, "failed");
    assert.equal(attempts, 3);
    const events = process.events();
    const due = events.flatMap((event) =>
      event.type === "node-failed" && event.next.type === "retry" ? [event.next.at] : [],
    );
    const began = events.flatMap((event) => (event.type === "node-started" && event.attempt > 1 ? [event.at] : []));
    assert.deepEqual(began, due);
  });
});
