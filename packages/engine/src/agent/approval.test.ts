import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Json, RunEvent, RunInput, WritePolicy } from "@weft/schema";
import type { NodeContext } from "../node-type.ts";
import type { HttpRequest } from "../ports/http-client.ts";
import type { Tool } from "../ports/tool.ts";
import { createScriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { completed, createTestProcess, testFlow } from "../testing/test-process.ts";
import { guardHttp } from "./approval.ts";
import { withoutMarks } from "./mark-data.ts";
import { runAgent } from "./run-agent.ts";

const parameters = { type: "object", properties: { n: { type: "number" } }, additionalProperties: false };

/** A run of an agent that may look freely, and sends only what a person allows. */
function askingProcess(steps: readonly ScriptedStep[], flow = "start>a", visitorWrites?: WritePolicy) {
  const model = createScriptedModel(steps);
  const log: string[] = [];
  const tool = (name: string, more: Partial<Tool>): Tool => ({
    name,
    description: name,
    parameters,
    kind: "write",
    effect: "write",
    call: async ({ n }) => {
      log.push(`${name} ${String(n)}`);
      return { content: `${name} done` };
    },
    ...more,
  });
  const tools = [
    tool("look", { kind: "read", effect: "read" }),
    tool("save", {}),
    tool("send", { requiresApproval: true }),
    tool("drop", { effect: "destructive" }),
  ];
  const process = createTestProcess({
    flow: testFlow(flow),
    ...(visitorWrites && { input: { question: "do it", visitorWrites } }),
    behaviours: {
      a: async (context: NodeContext) => {
        const messages = [{ role: "user", content: "do it" }] as const;
        const done = await runAgent(context, { model, messages, tools, parameters: {}, maxRounds: 5 });
        return done.type === "suspend" ? done : completed({ used: [...done.usedTools] }, { text: done.answer });
      },
    },
  });
  return {
    ...process,
    model,
    log,
    /** Answers the question that was asked last, in a new process. */
    answer(answer: Json) {
      const { nodeKey, nodeId, wait } = lastQuestion(process.events());
      return process.recover({ resume: { nodeKey, nodeId, waitId: wait.waitId, answer } }).done;
    },
  };
}

function lastQuestion(events: readonly RunEvent[]) {
  const asked = events.findLast((event) => event.type === "node-suspended");
  assert.ok(asked?.type === "node-suspended");
  return asked;
}

const call = (name: string, n: number | string) => ({ name, arguments: { n } });
const told = ({ model }: ReturnType<typeof askingProcess>) =>
  withoutMarks(model.calls.at(-1)?.messages ?? []).flatMap((message) =>
    message.role === "tool" ? [message.content] : [],
  );

describe("approval of tool calls", () => {
  it("waits before the call, says what it is about, and makes it once it is allowed", async () => {
    const process = askingProcess([{ text: "Sending.", toolCalls: [call("send", 7)] }, { text: "sent" }]);
    assert.equal(await process.start().done, "suspended");
    assert.deepEqual(process.log, []);
    const { wait } = lastQuestion(process.events());
    assert.equal(wait.text, 'a wants to call send with:\n\n{\n  "n": 7\n}\n\nMay it?');
    assert.deepEqual(wait.details, {
      kind: "tool-approval",
      toolCalls: [{ id: "call-0-0", name: "send", arguments: { n: 7 } }],
    });
    assert.equal(await process.answer({ type: "proceed" }), "completed");
    assert.deepEqual(process.log, ["send 7"]);
    assert.deepEqual(told(process), ["send done"]);
    assert.equal(process.model.calls.length, 2);
  });

  it("stays suspended in a process that brings no answer", async () => {
    const process = askingProcess([{ toolCalls: [call("send", 1)] }, { text: "sent" }]);
    await process.start().done;
    assert.equal(await process.recover().done, "suspended");
    assert.equal(await process.answer({ type: "proceed" }), "completed");
    assert.deepEqual(process.log, ["send 1"]);
  });

  it("tells the model what a person did not allow and why, and calls nothing", async () => {
    const process = askingProcess([{ toolCalls: [call("send", 1)] }, { text: "fine" }]);
    await process.start().done;
    assert.equal(await process.answer({ type: "reject", feedback: "ask Ada first" }), "completed");
    assert.deepEqual(process.log, []);
    assert.match(told(process)[0] ?? "", /^A person did not allow this call of send.*They said: ask Ada first/);
    assert.ok(!process.events().some((event) => event.type === "effect-started" && event.category === "tool"));
  });

  it("asks again when the answer says neither yes nor no", async () => {
    const process = askingProcess([{ toolCalls: [call("send", 1)] }, { text: "sent" }]);
    await process.start().done;
    for (const answer of [{ type: "perhaps" }, {}, null, "proceed", { type: true }, ["proceed"]]) {
      assert.equal(await process.answer(answer), "suspended", JSON.stringify(answer));
    }
    assert.deepEqual(process.log, []);
    assert.equal(await process.answer({ type: "approve" }), "completed");
    assert.deepEqual(process.log, ["send 1"]);
  });

  it("asks for each call of a round and of later ones, and repeats nothing", async () => {
    const process = askingProcess([
      { toolCalls: [call("look", 0), call("send", 1), call("save", 2), call("send", 3), call("look", 4)] },
      { toolCalls: [call("send", 5)] },
      { text: "done" },
    ]);
    assert.equal(await process.start().done, "suspended");
    assert.deepEqual(process.log, ["look 0"]);
    assert.equal(await process.answer({ type: "proceed" }), "suspended");
    assert.deepEqual(process.log, ["look 0", "send 1", "save 2"]);
    assert.equal(await process.answer({ type: "reject" }), "suspended");
    assert.deepEqual(process.log, ["look 0", "send 1", "save 2", "look 4"]);
    assert.equal(await process.answer({ type: "proceed" }), "completed");
    assert.deepEqual(process.log, ["look 0", "send 1", "save 2", "look 4", "send 5"]);
    assert.equal(process.model.calls.length, 3);
  });

  it("does not ask a person about arguments that do not fit", async () => {
    const process = askingProcess([{ toolCalls: [call("send", "one")] }, { text: "sorry" }]);
    assert.equal(await process.start().done, "completed");
    assert.match(told(process)[0] ?? "", /do not match/);
  });

  it("lets the other branches finish before the run waits", async () => {
    const process = askingProcess([{ toolCalls: [call("send", 1)] }, { text: "sent" }], "start>a start>b b>c");
    assert.equal(await process.start().done, "suspended");
    const finished = process.events().flatMap((event) => (event.type === "node-completed" ? event.nodeId : []));
    assert.deepEqual(finished, ["start", "b", "c"]);
    assert.equal(await process.answer({ type: "proceed" }), "completed");
  });

  it("fails in a run that another run waits for", async () => {
    const process = askingProcess([{ toolCalls: [call("send", 1)] }]);
    const { started } = askingProcess([{ text: "" }]).start().state;
    assert.ok(started);
    assert.equal(await process.start({ begin: { ...started, depth: 1, parentRunId: "run-0" } }).done, "failed");
    const end = process.events().at(-1);
    assert.equal(end?.type === "run-failed" && end.error.code, "flow-child-waits");
    assert.deepEqual(process.log, []);
  });

  it("has a person with an account asked what a visitor's run may not do by itself, call by call", async () => {
    const calls = [call("look", 0), call("save", 1), call("drop", 2)];
    const process = askingProcess([{ toolCalls: calls }, { text: "done" }], "start>a", {
      write: "allow",
      destructive: "ask",
    });
    assert.equal(await process.start().done, "suspended");
    assert.deepEqual(process.log, ["look 0", "save 1"]);
    const { wait } = lastQuestion(process.events());
    assert.equal(wait.details.needsAccount, true);
    assert.match(wait.text, /a wants to call drop .*A person on the team has to allow it\.$/s);
    assert.equal(await process.answer({ type: "proceed" }), "completed");
    assert.deepEqual(process.log, ["look 0", "save 1", "drop 2"]);
  });

  it("refuses a visitor's run what its agent refuses to visitors, also what a person might allow", async () => {
    const steps = [{ toolCalls: [call("look", 0), call("save", 1), call("send", 2), call("drop", 3)] }, { text: "no" }];
    const process = askingProcess(steps, "start>a", { write: "refuse", destructive: "refuse" });
    assert.equal(await process.start().done, "completed");
    assert.deepEqual(process.log, ["look 0"]);
    assert.equal(told(process).filter((content) => /does not let visitors have \w+ called/.test(content)).length, 3);
  });

  it("asks nobody in the runs of those who are known", async () => {
    const process = askingProcess([{ toolCalls: [call("drop", 1)] }, { text: "done" }]);
    assert.equal(await process.start().done, "completed");
    assert.deepEqual(process.log, ["drop 1"]);
  });
});

/** What of three requests of a function's code is sent in a run under the policy, and with what the others are refused. */
async function requestsUnder(rules: Pick<RunInput, "visitorWrites" | "isReplay">) {
  const sent: string[] = [];
  const refused: string[] = [];
  const http = {
    async request({ method, url }: HttpRequest) {
      sent.push(method);
      return { status: 200, statusText: "OK", headers: {}, body: new Uint8Array(), truncated: false, url };
    },
  };
  const process = createTestProcess({
    flow: testFlow("start>a"),
    input: { question: "do it", ...rules },
    behaviours: {
      a: async (context: NodeContext) => {
        const guarded = guardHttp(context, http);
        for (const method of ["get", "POST", "delete"]) {
          await guarded.request({ method, url: "https://api.test/x?key=1" }).catch((cause: Error) => {
            refused.push(cause.message);
          });
        }
        return completed(guarded.refusal()?.message ?? null);
      },
    },
  });
  assert.equal(await process.start().done, "completed");
  return { sent, refused };
}

describe("requests of a function's code", () => {
  it("are all sent in the runs of those who are known", async () => {
    assert.deepEqual((await requestsUnder({})).sent, ["get", "POST", "delete"]);
  });

  it("that a person would have to allow are not sent, and the refusal names a step that can wait", async () => {
    const { sent, refused } = await requestsUnder({ visitorWrites: { write: "allow", destructive: "ask" } });
    assert.deepEqual(sent, ["get", "POST"]);
    assert.equal(refused.length, 1);
    assert.match(refused[0] ?? "", /DELETE https:\/\/api\.test was not sent.*HTTP step/);
    assert.deepEqual((await requestsUnder({ visitorWrites: { write: "ask", destructive: "allow" } })).sent, [
      "get",
      "delete",
    ]);
  });

  it("that change something are not sent in a replay, whatever else is allowed", async () => {
    const { sent, refused } = await requestsUnder({ isReplay: true });
    assert.deepEqual([sent, refused.length], [["get"], 2]);
    assert.match(refused[0] ?? "", /In a replay.*POST https:\/\/api\.test was not sent/);
    const strict = await requestsUnder({ isReplay: true, visitorWrites: { write: "refuse", destructive: "allow" } });
    assert.deepEqual(strict.sent, ["get"]);
    assert.match(strict.refused[0] ?? "", /does not let visitors/);
  });

  it("that the agent refuses to visitors are not sent", async () => {
    const { sent, refused } = await requestsUnder({ visitorWrites: { write: "refuse", destructive: "refuse" } });
    assert.deepEqual(sent, ["get"]);
    assert.equal(refused.filter((message) => /does not let visitors have/.test(message)).length, 2);
  });
});
