import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WeftError } from "@weft/schema";
import { type Behaviours, completed, createTestProcess, runId, testFlow, valuesOf } from "./testing/test-process.ts";

function order(events: { type: string }[]): string {
  return events
    .flatMap((event) => (event.type === "node-started" && "nodeId" in event ? [event.nodeId] : []))
    .join(" ");
}

function last<T>(list: readonly T[]): T | undefined {
  return list.at(-1);
}

describe("scheduler", () => {
  it("runs a straight flow and answers with the last leaf", async () => {
    const process = createTestProcess({
      flow: testFlow("start>a a>b", { b: { text: "{{ a }}" } }),
      behaviours: { b: (context) => completed(`got ${context.renderText("{{ a }} of {{ question }}")}`) },
    });
    assert.equal(await process.start().done, "completed");
    const end = last(process.events());
    assert.equal(end?.type === "run-completed" && end.text, "got a ran of hello");
    assert.equal(order(process.events()), "start a b");
    assert.deepEqual(
      process.events().map((event) => event.seq),
      process.events().map((_, index) => index + 1),
    );
  });

  it("commits a run without effects once", async () => {
    const process = createTestProcess({ flow: testFlow("start>a") });
    let commits = 0;
    const { append } = process.journal;
    process.journal.append = (batch) => {
      commits += 1;
      return append(batch);
    };
    await process.start().done;
    assert.equal(commits, 1);
  });

  it("takes one branch and runs a join once, when every edge is settled", async () => {
    const process = createTestProcess({
      flow: testFlow("start>c c:left>a c:right>b a>join b>join c:left>d d>join"),
      behaviours: {
        c: () => ({ type: "branch", ports: ["left"], output: "chose" }),
        d: async (context) => {
          await context.effect(
            { key: "wait", kind: "read", category: "function", name: "wait", input: null },
            async () => 1,
          );
          return completed("d");
        },
      },
    });
    await process.start().done;
    assert.equal(order(process.events()), "start c a d join");
  });

  it("never runs what only dead edges reach", async () => {
    const process = createTestProcess({
      flow: testFlow("start>c c:left>a c:right>b b>d d>e"),
      behaviours: { c: () => ({ type: "branch", ports: ["left"], output: null }) },
    });
    await process.start().done;
    assert.equal(order(process.events()), "start c a");
  });

  it("prefers a reply to other leaves, whoever completes last", async () => {
    const process = createTestProcess({
      flow: testFlow("start>reply start>a a>b"),
      behaviours: { reply: () => completed("from reply"), b: () => completed("from b") },
    });
    await process.start().done;
    const end = last(process.events());
    assert.equal(end?.type === "run-completed" && end.text, "from reply");
  });

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
    assert.equal(limit?.type === "run-failed" && limit.error.code, "flow-limit");
  });

  it("begins a new pass at a jump's target and keeps deliveries from outside of the loop", async () => {
    const process = createTestProcess({
      flow: testFlow("start>a start>side side>join a>join join>c"),
      behaviours: {
        c: (context) =>
          Number(context.render("{{ loop_count }}")) < 2
            ? { type: "jump", to: "a", output: null }
            : completed(`after ${context.renderText("{{ loop_count }}")}`),
      },
    });
    await process.start().done;
    assert.equal(order(process.events()), "start a side join c a join c a join c");
    const end = last(process.events());
    assert.equal(end?.type === "run-completed" && end.text, "after 2");
  });

  it("runs a sub-flow for every item and gives the results back in order", async () => {
    const active = { now: 0, most: 0 };
    const process = createTestProcess({
      flow: testFlow("start>each each>z x@each>y@each"),
      behaviours: {
        each: (context) =>
          context.spawned
            ? completed(valuesOf(context.spawned))
            : { type: "spawn", items: [1, 2, 3, 4, 5], concurrency: 2 },
        x: async (context) => {
          active.now += 1;
          active.most = Math.max(active.most, active.now);
          for (let turn = 0; turn < 20; turn += 1) await null;
          active.now -= 1;
          return completed(Number(context.render("{{ $iteration }}")) * 10);
        },
        y: (context) => completed(Number(context.render("{{ x }}")) + 1),
        z: (context) => completed(context.render("{{ each }}")),
      },
    });
    assert.equal(await process.start().done, "completed");
    const end = last(process.events());
    assert.equal(end?.type === "run-completed" && end.text, "[11,21,31,41,51]");
    assert.equal(active.most, 2);
  });

  it("fails the spawning node when an item fails", async () => {
    const process = createTestProcess({
      flow: testFlow("start>each each:error>caught x@each"),
      behaviours: {
        each: (context) => (context.spawned ? completed(0) : { type: "spawn", items: [1, 2], concurrency: 1 }),
        x: () => {
          throw new WeftError("flow-node-failed", { params: { reason: "item broke" } });
        },
        caught: (context) => completed(context.render("{{ each.output.error.message }}")),
      },
    });
    assert.equal(await process.start().done, "completed");
    const end = last(process.events());
    assert.equal(end?.type === "run-completed" && end.text, "item broke");
  });

  it("suspends, survives, and resumes with the answer; the branch not taken never runs", async () => {
    const process = createTestProcess({
      flow: testFlow("start>ask ask:left>yes ask:right>no"),
      behaviours: {
        ask: (context) =>
          context.answer === undefined
            ? { type: "suspend", text: "Go on?", details: {} }
            : { type: "branch", ports: [context.answer === "yes" ? "left" : "right"], output: context.answer },
      },
    });
    assert.equal(await process.start().done, "suspended");
    const wait = process.events().find((event) => event.type === "node-suspended");
    assert.equal(wait?.wait.text, "Go on?");
    const resume = { nodeKey: "ask#0", nodeId: "ask", waitId: wait?.wait.waitId ?? "", answer: "yes" };
    assert.equal(await process.recover({ resume }).done, "completed");
    assert.equal(order(process.events()), "start ask yes");
  });

  it("cancels: no new step starts, and there is one terminal event", async () => {
    const entered = Promise.withResolvers<void>();
    const process = createTestProcess({
      flow: testFlow("start>a a>b"),
      behaviours: {
        a: async (context) => {
          entered.resolve();
          await context.effect(
            { key: "r", kind: "read", category: "http", name: "GET", input: null },
            ({ signal }) =>
              new Promise<number>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
          );
          return completed("never");
        },
      },
    });
    const run = process.start();
    await entered.promise;
    run.cancel();
    assert.equal(await run.done, "cancelled");
    assert.equal(last(process.events())?.type, "run-cancelled");
    assert.equal(order(process.events()), "start a");
  });

  it("stops between steps so that another process continues", async () => {
    const entered = Promise.withResolvers<void>();
    const release = Promise.withResolvers<number>();
    let writes = 0;
    const process = createTestProcess({
      flow: testFlow("start>a a>b"),
      behaviours: {
        a: async (context) => {
          const value = await context.effect(
            { key: "w", kind: "write", category: "http", name: "POST", input: null },
            () => {
              writes += 1;
              entered.resolve();
              return release.promise;
            },
          );
          await context.effect({ key: "r", kind: "read", category: "http", name: "GET", input: null }, async () => 1);
          return completed(value);
        },
      },
    });
    const run = process.start();
    await entered.promise;
    run.stop();
    release.resolve(7);
    assert.equal(await run.done, "stopped");
    assert.equal(order(process.events()), "start a");
    assert.equal(await process.recover().done, "completed");
    assert.equal(order(process.events()), "start a b");
    assert.equal(writes, 1);
  });

  it("loses the run to the process that took it over", async () => {
    const entered = Promise.withResolvers<void>();
    const release = Promise.withResolvers<number>();
    const process = createTestProcess({
      flow: testFlow("start>a"),
      behaviours: {
        a: async (context) => {
          await context.effect({ key: "r", kind: "read", category: "http", name: "GET", input: null }, () => {
            entered.resolve();
            return release.promise;
          });
          return completed("mine");
        },
      },
    });
    const old = process.start();
    await entered.promise;
    process.journal.takeOver(runId);
    release.resolve(1);
    assert.equal(await old.done, "lost");
    assert.ok(!process.events().some((event) => event.type === "run-completed"));
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

  it("warns of a reference without a value and leaves it empty", async () => {
    const process = createTestProcess({
      flow: testFlow("start>a"),
      behaviours: { a: (context) => completed(`[${context.renderText("{{ $vars.missing }}")}]`) },
    });
    await process.start().done;
    const end = last(process.events());
    assert.equal(end?.type === "run-completed" && end.text, "[]");
    assert.ok(process.events().some((event) => event.type === "run-warned" && event.code === "template-empty"));
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

  it("runs so many nodes at once and no more", async () => {
    const active = { now: 0, most: 0 };
    const busy = async () => {
      active.now += 1;
      active.most = Math.max(active.most, active.now);
      for (let turn = 0; turn < 20; turn += 1) await null;
      active.now -= 1;
      return completed(null);
    };
    const process = createTestProcess({
      flow: testFlow("start>a start>b start>c start>d start>e"),
      behaviours: { a: busy, b: busy, c: busy, d: busy, e: busy },
      limits: { concurrency: 3 },
    });
    assert.equal(await process.start().done, "completed");
    assert.equal(active.most, 3);
  });

  it("waits in every pass of a loop for what the pass itself delivers", async () => {
    const process = createTestProcess({
      flow: testFlow("start>a a>join start>join join>c"),
      behaviours: {
        a: async (context) => {
          for (let turn = 0; turn < 20; turn += 1) await null;
          return completed(`pass ${context.renderText("{{ loop_count }}")}`);
        },
        join: (context) => completed(context.renderText("{{ a }}")),
        c: (context) =>
          Number(context.render("{{ loop_count }}")) < 2
            ? { type: "jump", to: "a", output: null }
            : completed(context.renderText("{{ join }}")),
      },
    });
    await process.start().done;
    const end = last(process.events());
    assert.equal(end?.type === "run-completed" && end.text, "pass 2");
    assert.equal(order(process.events()), "start a join c a join c a join c");
  });

  it("runs the target of a jump even where its own branch was not taken", async () => {
    const process = createTestProcess({
      flow: testFlow("start>c c:left>a c:right>b b>d"),
      behaviours: {
        c: () => ({ type: "branch", ports: ["left"], output: null }),
        a: () => ({ type: "jump", to: "b", output: null }),
      },
    });
    assert.equal(await process.start().done, "completed");
    assert.equal(order(process.events()), "start c a b d");
  });

  it("drops what a node of an earlier pass still gives back", async () => {
    const first = Promise.withResolvers<void>();
    let passes = 0;
    const process = createTestProcess({
      flow: testFlow("start>a a>slow a>c"),
      behaviours: {
        slow: async (context) => {
          if (context.nodeKey === "slow#0") await first.promise;
          return completed(context.nodeKey);
        },
        c: async () => {
          passes += 1;
          if (passes === 1) return { type: "jump", to: "a", output: null };
          first.resolve();
          for (let turn = 0; turn < 20; turn += 1) await null;
          return completed("c");
        },
      },
    });
    assert.equal(await process.start().done, "completed");
    assert.deepEqual(process.bugs, []);
    const slow = process.events().flatMap((event) => (event.type === "node-completed" ? [event.nodeKey] : []));
    assert.deepEqual(
      slow.filter((key) => key.startsWith("slow")),
      ["slow#1"],
    );
  });

  it("streams a leaf's text as the answer only when no other leaf can still answer", async () => {
    const answering = async (flow: string, behaviours: Behaviours = {}) => {
      const process = createTestProcess({ flow: testFlow(flow), behaviours, limits: { concurrency: 1 } });
      await process.start().done;
      return process.events().flatMap((event) => (event.type === "node-started" && event.isAnswer ? event.nodeId : []));
    };
    assert.deepEqual(await answering("start>a start>b"), []);
    assert.deepEqual(await answering("start>a a>reply start>b"), ["reply"]);
    const each: NonNullable<Behaviours[string]> = ({ spawned }) =>
      spawned ? completed(valuesOf(spawned)) : { type: "spawn", items: [1], concurrency: 1 };
    assert.deepEqual(await answering("start>each x@each", { each }), ["each"]);
    const left: NonNullable<Behaviours[string]> = () => ({ type: "branch", ports: ["left"], output: null });
    assert.deepEqual(await answering("start>c c:left>a c:right>b", { c: left }), ["a"]);
    assert.deepEqual(await answering("start"), []);
  });
});
