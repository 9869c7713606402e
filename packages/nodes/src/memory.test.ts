import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChatModel, ModelCall } from "@weft/engine/ports/chat-model";
import { createScriptedModel } from "@weft/engine/testing";
import { type HistoryMessage, WeftError } from "@weft/schema";
import { chain, createFlowProcess, findingsOf, modelServices, runFlow } from "./testing/run-flow.ts";

const llm = (memory: object, config: object = {}) => ({ id: "llm", type: "llm", config: { memory, ...config } });

/** Twelve messages of forty characters: 120 tokens by the estimate. */
const stored = Array.from({ length: 12 }, (_, index): HistoryMessage => {
  const content = `message ${String(index).padStart(2, "0")}`.padEnd(40, ".");
  return { role: index % 2 === 0 ? "userMessage" : "apiMessage", content };
});

/** A model that sums up when it is told to, and answers otherwise. */
function summingModel(summary = "They talked."): ChatModel & { calls: ModelCall[] } {
  const calls: ModelCall[] = [];
  return {
    id: "m",
    calls,
    async answer(call) {
      calls.push(call);
      const isSummary = String(call.messages[0]?.content).startsWith("Sum up");
      call.onText?.(isSummary ? summary : "answer");
      return {
        text: isSummary ? summary : "answer",
        toolCalls: [],
        finishReason: "stop",
        usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
      };
    },
  };
}

async function remembered(memory: object, options: Parameters<typeof runFlow>[1] = {}) {
  const model = summingModel();
  const run = await runFlow(chain(llm(memory)), { stored, ...options, services: modelServices(model) });
  assert.equal(run.outcome, "completed", JSON.stringify(run.error));
  const messages = (model.calls.at(-1)?.messages ?? []).map(({ role, content }) => `${role}: ${String(content)}`);
  return { ...run, model, messages };
}

/** A text without the tags around data from outside. */
const unmarked = (text: string) => text.replaceAll(/<\/?data-[^>]*>\n?/g, "").replace("A\n\n\n", "A\n\n");

describe("memory that sums up", () => {
  it("keeps the newest messages word for word and has the model sum up the others", async () => {
    const { model, messages } = await remembered({ type: "summary", maxTokens: 25 });
    assert.deepEqual(messages, [
      "system: Summary of the earlier conversation:\nThey talked.",
      `user: ${stored[10]?.content}`,
      `assistant: ${stored[11]?.content}`,
      "user: hello",
    ]);
    const asked = String(model.calls[0]?.messages[1]?.content);
    assert.ok(asked.startsWith(`User: ${stored[0]?.content}`));
    assert.ok(asked.endsWith(`Assistant: ${stored[9]?.content}`));
    assert.equal(model.calls.length, 2);
  });

  it("sums up everything when no token is kept", async () => {
    const { messages } = await remembered({ type: "summary", maxTokens: 0 });
    assert.deepEqual(messages, ["system: Summary of the earlier conversation:\nThey talked.", "user: hello"]);
  });

  it("does not sum up what fits", async () => {
    const { model, messages } = await remembered({ type: "summary" });
    assert.equal(model.calls.length, 1);
    assert.equal(messages.length, 13);
    assert.equal((await remembered({ type: "summary", maxTokens: 0 }, { stored: [] })).model.calls.length, 1);
  });

  it("puts the summary behind the node's instructions", async () => {
    const model = summingModel();
    const messages = [{ role: "system", content: "Be kind." }];
    await runFlow(chain(llm({ type: "summary", maxTokens: 0 }, { messages })), {
      stored,
      services: modelServices(model),
    });
    assert.deepEqual(
      model.calls[1]?.messages.map(({ content }) => content),
      ["Be kind.", "Summary of the earlier conversation:\nThey talked.", "hello"],
    );
  });

  it("counts what the summary cost, and never says it", async () => {
    const { events, deltas } = await remembered({ type: "summary", maxTokens: 0 }, { live: true });
    const end = events.at(-1);
    assert.equal(end?.type === "run-completed" && end.usage.totalTokens, 30);
    assert.ok(deltas.every(({ text }) => text === "answer"));
    const summary = events.find((event) => event.type === "effect-finished" && event.effectKey === "memory");
    assert.ok(summary?.type === "effect-finished" && summary.outcome.ok);
    assert.deepEqual(Object.keys(summary.outcome.value as object), ["summary", "usage"]);
  });

  it("asks for no second summary after a crash", async () => {
    const entered = Promise.withResolvers<void>();
    const model = summingModel();
    const hanging: ChatModel = {
      id: "m",
      answer(call) {
        if (model.calls.length !== 1) return model.answer(call);
        model.calls.push(call);
        entered.resolve();
        return new Promise<never>(() => undefined);
      },
    };
    const flow = chain(llm({ type: "summary", maxTokens: 0 }));
    const process = createFlowProcess(flow, { stored, services: modelServices(hanging) });
    process.start();
    await entered.promise;
    assert.equal(await process.recover().done, "completed");
    const summaries = model.calls.filter(({ messages }) => String(messages[0]?.content).startsWith("Sum up"));
    assert.equal(summaries.length, 1);
  });

  it("leaves out old messages that are too long to be summed up, with a warning", async () => {
    const long = [{ role: "userMessage", content: "x".repeat(70_000) } as const, ...stored];
    const { model, warnings } = await remembered({ type: "summary", maxTokens: 0 }, { stored: long });
    assert.deepEqual(warnings, ["LLM: 1 old messages are too long to be summed up."]);
    assert.ok(!String(model.calls[0]?.messages[1]?.content).includes("xxx"));
  });

  it("fails its node when the summary fails", async () => {
    const answer = () =>
      Promise.reject(new WeftError("model-timeout", { params: { limitMs: 5, awaited: "no answer", setting: "it" } }));
    const flow = chain(llm({ type: "summary", maxTokens: 0 }));
    const run = await runFlow(flow, { stored, services: modelServices({ id: "m", answer }) });
    assert.equal(run.error?.code, "model-timeout");
  });

  it("is the last message alone, or the user's question alone, where that is asked for", async () => {
    const last = await remembered({ type: "last" });
    assert.deepEqual(last.messages, [`assistant: ${stored[11]?.content}`, "user: hello"]);
    const question = await remembered({ type: "question" });
    assert.deepEqual(question.messages, ["user: hello"]);
    const other = { id: "llm", type: "llm", config: { memory: { type: "question" }, prompt: "Translate it." } };
    const model = createScriptedModel([{ text: "ok" }]);
    await runFlow(chain(other), { stored, services: modelServices(model) });
    assert.deepEqual(
      model.calls[0]?.messages.map(({ content }) => content),
      ["hello", "Translate it."],
    );
  });

  it("begins with what the user sent, where the prompt does not pass it on", async () => {
    const model = createScriptedModel([{ text: "ok" }]);
    const memory = { type: "all", opening: true };
    const one = { id: "one", type: "llm", config: { memory, prompt: "" } };
    const input = { question: "hello", fileAttachment: "A" };
    const services = modelServices(model);
    await runFlow(chain(one, { ...one, id: "two" }), { services, stored: stored.slice(0, 1), input });
    const said = model.calls.map(({ messages }) => messages.slice(1).map(({ content }) => String(content)));
    const before = stored[0]?.content;
    assert.deepEqual(said[0]?.map(unmarked), [before, "A\n\nhello"]);
    assert.deepEqual(said[1]?.map(unmarked), [before, "A\n\nhello", "ok"]);
    const nothing = await remembered({ type: "last", opening: true }, { stored: [], input: { form: {} } });
    assert.deepEqual(nothing.messages, []);
  });

  it("shows later models the answer as the user's words where that is asked for", async () => {
    const model = createScriptedModel([{ text: "first" }]);
    const flow = chain(
      { id: "one", type: "llm", config: { responseRole: "user" } },
      { id: "two", type: "agent", config: { prompt: "" } },
    );
    await runFlow(flow, { services: modelServices(model) });
    assert.deepEqual(
      model.calls[1]?.messages.map(({ role, content }) => [role, content]),
      [
        ["user", "hello"],
        ["user", "first"],
      ],
    );
  });

  it("keeps what stays out of the conversation from later models, and answers with it all the same", async () => {
    const model = createScriptedModel([{ text: "aside" }]);
    const flow = chain(
      { id: "one", type: "llm", config: { prompt: "Classify {{ question }}", responseRole: "none" } },
      { id: "two", type: "agent", config: { prompt: "{{ question }}, {{ one }}" } },
    );
    await runFlow(flow, { services: modelServices(model) });
    assert.deepEqual(
      model.calls[1]?.messages.map(({ role, content }) => [role, content]),
      [["user", "hello, aside"]],
    );
    const alone = chain({ id: "one", type: "llm", config: { responseRole: "none" } });
    const { text } = await runFlow(alone, { services: modelServices(createScriptedModel([{ text: "said" }])) });
    assert.equal(text, "said");
  });

  it("refuses settings that are out of bounds", () => {
    for (const maxTokens of [-1, 1.5, "many"]) {
      const [finding] = findingsOf(llm({ type: "summary", maxTokens }));
      assert.deepEqual([finding?.code, finding?.path], ["node-config-invalid", "memory.maxTokens"]);
    }
  });
});
