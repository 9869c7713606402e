import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChatModel } from "@weft/engine/ports/chat-model";
import { createScriptedModel } from "@weft/engine/testing";
import { WeftError } from "@weft/schema";
import { chain, completionOf, createFlowProcess, findingsOf, modelServices, runFlow } from "./testing/run-flow.ts";

const llm = (config: object = {}, id = "llm") => ({ id, type: "llm", config });

describe("llm node", () => {
  it("answers with the model's text, and tells what it cost", async () => {
    const run = await runFlow(chain(llm()), { services: modelServices(createScriptedModel([{ text: "Hi there" }])) });
    assert.equal(run.text, "Hi there");
    const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
    assert.deepEqual(run.outputOf("llm"), {
      content: "Hi there",
      model: "scripted/model",
      usage,
      finishReason: "stop",
    });
    const end = run.events.at(-1);
    assert.deepEqual(end?.type === "run-completed" && end.usage, usage);
    assert.deepEqual(completionOf(run.events, "llm")?.messages, [
      { role: "userMessage", content: "hello" },
      { role: "apiMessage", content: "Hi there" },
    ]);
  });

  it("asks for the model of its settings, with the parameters of both", async () => {
    const model = createScriptedModel([{ text: "ok" }]);
    const services = modelServices(model);
    const settings = {
      provider: "openai",
      model: "gpt",
      baseUrl: "http://m.test/v1",
      credential: "c-1",
      temperature: 0.5,
      topP: 1,
    };
    const input = { question: "q", modelParameters: { temperature: 1, maxTokens: 7 } };
    await runFlow(chain(llm({ model: settings })), { services, input });
    assert.deepEqual(services.asked, [
      { provider: "openai", model: "gpt", baseUrl: "http://m.test/v1", credential: "c-1" },
    ]);
    assert.deepEqual(model.calls[0]?.parameters, { temperature: 1, topP: 1, maxTokens: 7 });
    assert.equal(model.calls[0]?.tools, undefined);
    const bare = createScriptedModel([{ text: "ok" }]);
    await runFlow(chain(llm()), { services: modelServices(bare) });
    assert.deepEqual(bare.calls[0]?.parameters, {});
  });

  it("streams its text as the answer only where no other leaf can answer", async () => {
    const services = modelServices(createScriptedModel([{ text: "one two" }]));
    const run = await runFlow(chain(llm({}, "a"), llm({}, "b")), { services, live: true });
    assert.deepEqual(
      run.deltas.map(({ nodeId, offset, text }) => [nodeId, offset, text]),
      [
        ["a", 0, "one "],
        ["a", 4, "two"],
        ["b", 0, "one "],
        ["b", 4, "two"],
      ],
    );
    const answering = run.events.flatMap((event) =>
      event.type === "node-started" && event.isAnswer ? event.nodeId : [],
    );
    assert.deepEqual(answering, ["b"]);
    const calls = run.events.flatMap((event) => (event.type === "effect-started" ? event.seq : []));
    assert.deepEqual([...new Set(run.deltas.map(({ effectSeq }) => effectSeq))], calls);
    assert.ok(!run.events.some((event) => JSON.stringify(event).includes('"one "')));
  });

  it("fails with the vendor's words, and retries what may succeed later", async () => {
    let asked = 0;
    const flaky: ChatModel = {
      id: "flaky",
      answer: async () => {
        asked += 1;
        if (asked < 3)
          throw new WeftError("model-rate-limited", { params: { status: 429 }, upstream: { status: 429 } });
        return {
          text: "ok",
          toolCalls: [],
          finishReason: "stop",
          usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
        };
      },
    };
    const failed = await runFlow(chain(llm({ onFailure: { retries: 0 } })), { services: modelServices(flaky) });
    assert.equal(failed.error?.code, "model-rate-limited");
    assert.deepEqual(failed.error?.upstream, { status: 429 });
    asked = 0;
    const retried = await runFlow(chain(llm({ onFailure: { retries: 2, retryDelayMs: 1_000 } })), {
      services: modelServices(flaky),
    });
    assert.equal(retried.text, "ok");
    asked = 0;
    assert.equal((await runFlow(chain(llm()), { services: modelServices(flaky) })).text, "ok");
  });

  it("fails when its model cannot be used", async () => {
    const resolve = () =>
      Promise.reject(new WeftError("model-not-configured", { params: { model: "x", reason: "no key" } }));
    const run = await runFlow(chain(llm()), { services: { models: { resolve } } });
    assert.equal(run.error?.code, "model-not-configured");
    assert.equal(run.error?.message, "The model x cannot be used: no key");
  });

  it("asks again after a crash, and never for an answer that is durable", async () => {
    const entered = Promise.withResolvers<void>();
    let asked = 0;
    const model: ChatModel = {
      id: "m",
      answer: async () => {
        asked += 1;
        if (asked === 2) {
          entered.resolve();
          return new Promise<never>(() => undefined);
        }
        return {
          text: `answer ${asked}`,
          toolCalls: [],
          finishReason: "stop",
          usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
        };
      },
    };
    const process = createFlowProcess(chain(llm({}, "a"), llm({ prompt: "{{ a }}" }, "b")), {
      services: modelServices(model),
    });
    process.start();
    await entered.promise;
    assert.equal(await process.recover().done, "completed");
    const end = process.events().at(-1);
    assert.equal(end?.type === "run-completed" && end.text, "answer 3");
    assert.deepEqual(end?.type === "run-completed" && end.usage, { inputTokens: 2, outputTokens: 2, totalTokens: 4 });
  });

  it("refuses parameters that are out of bounds", () => {
    for (const model of [
      { temperature: 3 },
      { topP: -1 },
      { maxTokens: 0 },
      { maxTokens: 1.5 },
      { temperature: "1" },
    ]) {
      const [finding] = findingsOf(llm({ model }));
      assert.deepEqual([finding?.code, finding?.path], ["node-config-invalid", `model.${Object.keys(model)[0]}`]);
    }
  });
});
