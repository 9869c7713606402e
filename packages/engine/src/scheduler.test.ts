import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { last, order } from "./testing/read-events.ts";
import { type Behaviours, completed, createTestProcess, runId, testFlow, valuesOf } from "./testing/test-process.ts";

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
