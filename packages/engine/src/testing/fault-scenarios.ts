import { type Json, WeftError } from "@weft/schema";
import { askModel } from "../agent/ask-model.ts";
import { type RunAgentOptions, runAgent } from "../agent/run-agent.ts";
import { callAgent } from "../agent/tool-context.ts";
import type { EffectSpec, NodeContext, NodeResult, WaitEnd } from "../node-type.ts";
import type { ChatModel } from "../ports/chat-model.ts";
import type { Tool } from "../ports/tool.ts";
import { type Scenario, type World, writeOf } from "./fault-runs.ts";
import { createScriptedModel } from "./scripted-model.ts";
import { type Behaviours, completed, testFlow, valuesOf } from "./test-process.ts";

/** Asks an address in an effect: of a write the called service sees whether it comes twice. */
async function ask(context: NodeContext, key: string, kind: EffectSpec["kind"] = "write"): Promise<string> {
  const url = writeOf(context.nodeKey, key);
  const method = kind === "read" ? "GET" : "POST";
  return context.effect({ key, kind, category: "http", name: `${method} ${key}`, input: null }, async (info) => {
    const headers: Record<string, string> = kind === "idempotent" ? { "idempotency-key": info.idempotencyKey } : {};
    await context.services.http.request({ method, url, headers, signal: info.signal });
    return key;
  });
}

const writes =
  (key: string): Behaviours[string] =>
  async (context) =>
    completed(await ask(context, key));

/** Waits so long from its first execution. */
const waits =
  (ms: number): Behaviours[string] =>
  (context) => {
    if (context.answer !== undefined) return completed((context.answer as WaitEnd).resumedBy);
    return { type: "suspend", text: "Waiting", details: {}, until: context.now() + ms, asks: false };
  };

/** A tool that asks an address, under the name of its effect where it writes. */
function toolOf(name: string, kind: Tool["kind"], more: Partial<Tool> = {}): Tool {
  return {
    name,
    description: name,
    parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    kind,
    effect: kind === "read" ? "read" : "write",
    async call(args, { http, signal, idempotencyKey }) {
      const url = `http://api.test/${idempotencyKey.slice(idempotencyKey.indexOf("/") + 1).replace(":", "/")}`;
      const headers: Record<string, string> = kind === "idempotent" ? { "idempotency-key": idempotencyKey } : {};
      await http.request({ method: kind === "read" ? "GET" : "POST", url, headers, signal });
      return { content: `${name} ${String(args.n)}` };
    },
    ...more,
  };
}

/** An agent of the model that the process has. */
const agent =
  (tools: readonly Tool[], more: Partial<RunAgentOptions> = {}): Behaviours[string] =>
  async (context) => {
    const model = await context.services.models.resolve({});
    const done = await runAgent(context, { model, messages: [], tools, parameters: {}, maxRounds: 5, ...more });
    if (done.type === "suspend") return done;
    const json = done.json === undefined ? {} : { json: done.json };
    return completed(done.answer ?? "", { text: done.answer ?? "", ...json });
  };

const call = (name: string, n: number) => ({ name, arguments: { n } });

const savesThrice = createScriptedModel([
  { toolCalls: [call("save", 1), call("save", 2)] },
  { toolCalls: [call("save", 3)] },
  { text: "all saved" },
]);

/** Says what the session left behind, and what the model makes of it. */
async function answerPlainly(context: NodeContext): Promise<NodeResult> {
  const past = (await context.history()).map(({ content }) => content);
  const { visits = 0 } = await context.lastState();
  const model = await context.services.models.resolve({});
  const answer = await askModel(context, {
    model,
    key: "model",
    messages: [{ role: "user", content: context.run.input.question ?? "" }],
    parameters: {},
  });
  const text = `${answer.text} after ${past.join()}, ${String(visits)} visit, ${String(context.vars.place)}`;
  return completed(text, { state: { visits: 2 } });
}

async function useServices(context: NodeContext): Promise<NodeResult> {
  const { services } = context;
  const read = <T extends Json>(
    key: string,
    category: EffectSpec["category"],
    make: (signal: AbortSignal) => Promise<T>,
  ) => context.effect({ key, kind: "read", category, name: key, input: null }, ({ signal }) => make(signal));
  const found = await read("passages", "retrieval", async (signal) => {
    const { documents } = await services.retriever.retrieve({ stores: [{ storeId: "store" }], query: "q", signal });
    return documents.map(({ pageContent }) => pageContent).join();
  });
  const made = await read("function", "function", async (signal) => {
    await services.readCredential("c-1");
    const result = await services.sandbox.run({ code: "work", globals: {}, signal });
    return result.ok ? result.value : null;
  });
  return completed(`${found}, ${String(made)}, ${await ask(context, "put", "idempotent")}`);
}

/** The first time that it is asked, the model cannot answer. */
const answerAfterFailure =
  ({ asked }: World): Behaviours[string] =>
  async (context) => {
    const { id, answer } = await context.services.models.resolve({});
    const model: ChatModel = {
      id,
      async answer(call) {
        const said = await answer(call);
        const times = asked.get(id) ?? 0;
        asked.set(id, times + 1);
        if (times > 0) return said;
        throw new WeftError("model-unavailable", { params: { model: id, reason: "busy" }, retryable: true });
      },
    };
    const answered = await askModel(context, { model, key: "model", messages: [], parameters: {} });
    return completed(answered.text);
  };

/** What people do with agents, and what flows are made of. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  "plain answer": {
    flow: testFlow("start>a a>b"),
    model: createScriptedModel([{ text: "well" }]),
    behaviours: () => ({ a: answerPlainly }),
    end: "run-completed",
    text: "b ran",
  },
  streaming: {
    flow: testFlow("start>a a>b"),
    model: createScriptedModel([{ text: "one two three four" }]),
    behaviours: () => ({ a: agent([]), b: agent([]) }),
    live: true,
    end: "run-completed",
    text: "one two three four",
  },
  "model that fails for a moment": {
    flow: testFlow("start>a a>b"),
    model: createScriptedModel([{ text: "well" }]),
    behaviours: (world) => ({ a: answerAfterFailure(world), b: writes("after") }),
    end: "run-completed",
    text: "after",
  },
  straight: {
    flow: testFlow("start>a a>b"),
    behaviours: () => ({ a: writes("one"), b: writes("two") }),
    end: "run-completed",
    text: "two",
  },
  services: {
    flow: testFlow("start>a"),
    behaviours: () => ({ a: useServices }),
    end: "run-completed",
    text: "a passage, did work, put",
  },
  "branch and join": {
    flow: testFlow("start>a start>b a>join b>join"),
    behaviours: () => ({ a: writes("left"), b: writes("right"), join: writes("join") }),
    end: "run-completed",
    text: "join",
  },
  loop: {
    flow: testFlow("start>a a>b"),
    behaviours: () => ({
      a: writes("pass"),
      b: (context) =>
        Number(context.render("{{ loop_count }}")) < 2 ? { type: "jump", to: "a", output: null } : completed("out"),
    }),
    end: "run-completed",
    text: "out",
  },
  iteration: {
    flow: testFlow("start>each x@each"),
    behaviours: () => ({
      each: (context) =>
        context.spawned ? completed(valuesOf(context.spawned)) : { type: "spawn", items: [1, 2, 3], concurrency: 2 },
      x: writes("item"),
    }),
    end: "run-completed",
    text: '["item","item","item"]',
  },
  "error port": {
    flow: testFlow("start>a a>b a:error>c"),
    behaviours: () => ({
      a: async (context) => {
        await ask(context, "first");
        throw new WeftError("flow-node-failed", { params: { reason: "as planned" } });
      },
      c: writes("caught"),
    }),
    end: "run-completed",
    text: "caught",
  },
  "tool that reads": {
    flow: testFlow("start>a"),
    model: createScriptedModel([{ toolCalls: [call("look", 1)] }, { text: "seen" }]),
    behaviours: () => ({ a: agent([toolOf("look", "read")]) }),
    end: "run-completed",
    text: "seen",
  },
  "tool that writes": {
    flow: testFlow("start>a a>b"),
    model: createScriptedModel([{ toolCalls: [call("save", 1)] }, { text: "saved" }]),
    behaviours: () => ({ a: agent([toolOf("save", "write")]), b: writes("after") }),
    end: "run-completed",
    text: "after",
  },
  "several tools": {
    flow: testFlow("start>a"),
    model: createScriptedModel([
      { toolCalls: [call("look", 1), call("look", 2)] },
      { toolCalls: [call("save", 1), call("look", 3), call("put", 4)] },
      { text: "all done" },
    ]),
    behaviours: () => ({ a: agent([toolOf("look", "read"), toolOf("save", "write"), toolOf("put", "idempotent")]) }),
    end: "run-completed",
    text: "all done",
  },
  approval: {
    flow: testFlow("start>a"),
    model: savesThrice,
    behaviours: () => ({ a: agent([toolOf("save", "write", { requiresApproval: true })]) }),
    end: "run-completed",
    text: "all saved",
  },
  "human wait and answer": {
    flow: testFlow("start>draft draft>h h:left>yes h:right>no"),
    behaviours: () => ({
      draft: writes("draft"),
      h: ({ answer }) => {
        if (answer === undefined) return { type: "suspend", text: "May it?", details: {} };
        return { type: "branch", ports: [String(answer)], output: answer };
      },
      yes: writes("yes"),
      no: writes("no"),
    }),
    answers: { first: "left", again: "right" },
    end: "run-completed",
    text: "yes",
  },
  "wait for a moment": {
    flow: testFlow("start>draft draft>w w>after"),
    behaviours: () => ({ draft: writes("draft"), w: waits(3_600_000), after: writes("after") }),
    end: "run-completed",
    text: "after",
  },
  "waits beside each other": {
    flow: testFlow("start>long start>short start>busy long>join short>join busy>join"),
    behaviours: () => ({
      long: waits(3_600_000),
      short: waits(500),
      busy: writes("busy"),
      join: writes("join"),
    }),
    end: "run-completed",
    text: "join",
  },
  "waits of items": {
    flow: testFlow("start>each x@each w@each>x"),
    behaviours: () => ({
      each: (context) =>
        context.spawned ? completed(valuesOf(context.spawned)) : { type: "spawn", items: [1, 2], concurrency: 2 },
      w: waits(30_000),
      x: writes("item"),
    }),
    end: "run-completed",
    text: '["item","item"]',
  },
  "child run": {
    flow: testFlow("start>a a>b"),
    behaviours: () => ({
      a: async (context) =>
        completed(
          await context.effect(
            { key: "flow", kind: "idempotent", category: "flow", name: "agent-2", input: null },
            async (info) =>
              (await callAgent(context, { agentId: "agent-2", question: "q", overrideConfig: {} }, info)).text,
          ),
        ),
      b: writes("after"),
    }),
    child: {
      flow: testFlow("start>c c>d"),
      behaviours: () => ({ c: async (context) => completed(await ask(context, "in-child", "idempotent")) }),
    },
    end: "run-completed",
    text: "after",
  },
  cancel: {
    flow: testFlow("start>a a>b a>c b>d c>d"),
    behaviours: (world) => ({
      a: writes("before"),
      b: async (context) => {
        const said = await ask(context, "last");
        world.cancel();
        return completed(said);
      },
      c: async (context) => completed(await ask(context, "beside", "read")),
      d: writes("never"),
    }),
    end: "run-cancelled",
  },
  retry: {
    flow: testFlow("start>a a>b", { a: { onFailure: { retries: 2, retryDelayMs: 1_000 } } }),
    behaviours: (world) => ({
      a: async (context) => {
        const url = writeOf(context.nodeKey, "look");
        return completed(
          await context.effect(
            { key: "look", kind: "read", category: "http", name: "GET look", input: null },
            async ({ signal }) => {
              await context.services.http.request({ method: "GET", url, signal });
              if ((world.asked.get(url) ?? 0) > 1) return "seen";
              throw new WeftError("flow-node-failed", { params: { reason: "not yet" }, retryable: true });
            },
          ),
        );
      },
      b: writes("after"),
    }),
    end: "run-completed",
    text: "after",
  },
  "structured output": {
    flow: testFlow("start>a"),
    model: createScriptedModel([{ toolCalls: [call("save", 1)] }, { text: "no data" }, { text: '{"n":1}' }]),
    behaviours: () => ({
      a: agent([toolOf("save", "write")], {
        answerSchema: {
          name: "answer",
          schema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
        },
      }),
    }),
    end: "run-completed",
    text: '{"n":1}',
  },
  "turn of the session": {
    flow: testFlow("start>a"),
    behaviours: () => ({ a: writes("turn") }),
    waitsForTurn: true,
    end: "run-completed",
    text: "turn",
  },
  "failing step": {
    flow: testFlow("start>a a>b"),
    behaviours: () => ({
      a: writes("kept"),
      b: () => {
        throw new WeftError("flow-node-failed", { params: { reason: "as planned" } });
      },
    }),
    end: "run-failed",
  },
};
