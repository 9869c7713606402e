import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Json, WeftError } from "@weft/schema";
import { RunFailure } from "../errors.ts";
import type { ToolContext } from "../ports/tool.ts";
import { agentProcess, answerOf, type Call, calls, resultsOf, tool } from "../testing/agent-process.ts";

describe("the tools of runAgent", () => {
  it("calls the reads of a round at once", async () => {
    const both = Promise.withResolvers<void>();
    let entered = 0;
    const meet = tool("meet", "read", async ({ n }) => {
      entered += 1;
      if (entered === 2) both.resolve();
      await both.promise;
      return { content: `met ${String(n)}` };
    });
    const process = agentProcess([calls(["meet", { n: 1 }], ["meet", { n: 2 }]), { text: "met" }], [meet]);
    await process.start().done;
    assert.equal(answerOf(process.events()), "met");
    assert.deepEqual(
      resultsOf(process).map(({ content }) => content),
      ["met 1", "met 2"],
    );
  });

  it("calls a round in order when one of its tools does not only read", async () => {
    for (const kind of ["write", "idempotent"] as const) {
      const log: string[] = [];
      const slow: Call = async ({ n }) => {
        log.push(`begin ${String(n)}`);
        for (let turn = 0; turn < 20; turn += 1) await null;
        log.push(`end ${String(n)}`);
        return { content: "ok" };
      };
      const tools = [tool("look", "read", slow), tool("save", kind, slow)];
      const step = calls(["look", { n: 1 }], ["save", { n: 2 }], ["look", { n: 3 }]);
      await agentProcess([step, { text: "done" }], tools).start().done;
      assert.deepEqual(log, ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"], kind);
    }
  });

  it("calls the one tool that a name means behind a namespace or in another case, and none where two may be meant", async () => {
    const answers = (name: string) => tool(name, "read", () => ({ content: `of ${name}` }));
    const tools = [answers("look"), answers("Find"), answers("find"), answers("functions-look")];
    const called = ["functions.look", "default_api:LOOK", " look", "tools/find", "FIND", "nowhere.fly"];
    const process = agentProcess([calls(...called), { text: "ok" }], tools);
    await process.start().done;
    const unknown = (name: string) => `No tool named ${name} exists. Available: look, Find, find, functions-look.`;
    assert.deepEqual(
      resultsOf(process).map(({ content }) => content),
      ["of look", "of look", "of look", "of find", unknown("FIND"), unknown("nowhere.fly")],
    );
  });

  it("tells the model of a tool that does not exist, and calls the others", async () => {
    let called = 0;
    const look = tool("look", "read", () => ({ content: `seen ${++called}` }));
    const process = agentProcess([calls("fly", "look", "constructor"), { text: "ok" }], [look]);
    await process.start().done;
    assert.deepEqual(
      resultsOf(process).map(({ content, isError }) => [content, isError]),
      [
        ["No tool named fly exists. Available: look.", true],
        ["seen 1", undefined],
        ["No tool named constructor exists. Available: look.", true],
      ],
    );
    assert.equal(called, 1);
  });

  it("tells the model what is wrong with its arguments, and does not call", async () => {
    const look = tool("look", "write", () => assert.fail("called"));
    const process = agentProcess(
      [calls(["look", "{n:1}"], ["look", { n: "one" }], ["look", "[]"]), { text: "ok" }],
      [look],
    );
    await process.start().done;
    const results = resultsOf(process);
    assert.ok(results.every(({ isError }) => isError));
    assert.match(results[0]?.content ?? "", /not valid JSON/);
    assert.match(results[1]?.content ?? "", /n: .*"number"/);
    assert.match(results[2]?.content ?? "", /must be a JSON object/);
    const output = process.events().findLast((event) => event.type === "node-completed")?.output;
    assert.deepEqual((output as { inputs: Json[] }).inputs, [
      { arguments: "{n:1}" },
      { n: "one" },
      { arguments: "[]" },
    ]);
    assert.ok(!process.events().some((event) => event.type === "effect-started" && event.category === "tool"));
  });

  it("gives a tool's failure to the model and goes on", async () => {
    const said = tool("said", "read", () => ({ content: "404: no such event", isError: true }));
    const threw = tool("threw", "write", () => {
      throw new WeftError("tool-failed", { params: { name: "threw", reason: "no route" } });
    });
    const asked = tool("asked", "idempotent", () => {
      throw new RunFailure({ code: "model-timeout", message: "The agent's model was slow.", retryable: false });
    });
    const process = agentProcess([calls("said", "threw", "asked"), { text: "sorry" }], [said, threw, asked]);
    await process.start().done;
    assert.equal(answerOf(process.events()), "sorry");
    assert.deepEqual(
      resultsOf(process).map(({ content, isError }) => [content, isError]),
      [
        ["404: no such event", true],
        ["The tool threw failed: no route", true],
        ["The agent's model was slow.", true],
      ],
    );
  });

  it("fails the run for a bug in a tool, without its words", async () => {
    const buggy = tool("buggy", "read", () => {
      throw new TypeError("secret detail");
    });
    const process = agentProcess([calls("buggy"), { text: "never" }], [buggy]);
    assert.equal(await process.start().done, "failed");
    assert.equal(process.bugs.length, 1);
    assert.ok(!JSON.stringify(process.events()).includes("secret detail"));
  });

  it("tells the model when the outcome of a call is unknown, and does not call again", async () => {
    const entered = Promise.withResolvers<void>();
    let called = 0;
    const save = tool("save", "write", () => {
      called += 1;
      entered.resolve();
      return new Promise<never>(() => undefined);
    });
    const process = agentProcess([calls("save"), { text: "please check" }], [save]);
    process.start();
    await entered.promise;
    await process.recover().done;
    assert.equal(answerOf(process.events()), "please check");
    assert.equal(called, 1);
    assert.match(
      resultsOf(process)[0]?.content ?? "",
      /while save was running, so it is unknown whether it took effect/,
    );
    assert.equal(resultsOf(process)[0]?.isError, true);
  });

  it("repeats an idempotent call that was cut off, with the same key", async () => {
    const entered = Promise.withResolvers<void>();
    const keys: string[] = [];
    const put = tool("put", "idempotent", (_args, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      entered.resolve();
      return keys.length === 1 ? new Promise<never>(() => undefined) : { content: "stored" };
    });
    const process = agentProcess([calls("put"), { text: "ok" }], [put]);
    process.start();
    await entered.promise;
    await process.recover().done;
    assert.equal(answerOf(process.events()), "ok");
    assert.equal(keys.length, 2);
    assert.equal(keys[0], keys[1]);
  });

  it("gives every call its own idempotency key", async () => {
    const keys = new Set<string>();
    const put = tool("put", "idempotent", (_args, { idempotencyKey }) => {
      keys.add(idempotencyKey);
      return { content: "stored" };
    });
    await agentProcess([calls("put", "put"), calls("put"), { text: "ok" }], [put]).start().done;
    assert.equal(keys.size, 3);
  });

  it("gives a tool the run's facts", async () => {
    const seen: Partial<ToolContext>[] = [];
    const look = tool("look", "read", (_args, { vars, flow }) => {
      seen.push({ vars, flow });
      return { content: "seen" };
    });
    await agentProcess([calls("look"), { text: "ok" }], [look]).start().done;
    assert.deepEqual(seen, [
      {
        vars: {},
        flow: {
          chatflowId: "agent-1",
          chatId: "chat-1",
          sessionId: "session-1",
          executionId: "run-1",
          input: "hello",
          state: {},
        },
      },
    ]);
  });

  it("stops a call under way when the run is cancelled, and asks no more", async () => {
    const entered = Promise.withResolvers<void>();
    const wait = tool("wait", "write", (_args, { signal }) => {
      entered.resolve();
      return new Promise<never>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new WeftError("egress-failed")));
      });
    });
    const process = agentProcess([calls("wait"), { text: "never" }], [wait]);
    const run = process.start();
    await entered.promise;
    run.cancel();
    assert.equal(await run.done, "cancelled");
    assert.equal(process.model.calls.length, 1);
    assert.equal(process.events().at(-1)?.type, "run-cancelled");
  });
});
