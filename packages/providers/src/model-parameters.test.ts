import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatModel, ModelParameters } from "@weft/engine/ports/chat-model";
import { withTakenParameters } from "./model-guards.ts";
import { findChatProvider } from "./registry.ts";
import { ask } from "./testing/bench.ts";

/** What of the parameters a model is not sent. */
async function unsent(provider: string, name: string, parameters: ModelParameters): Promise<string[]> {
  const sent: ModelParameters[] = [];
  const model: ChatModel = {
    id: name,
    async answer(call) {
      sent.push(call.parameters ?? {});
      return {
        text: "",
        toolCalls: [],
        finishReason: "stop",
        usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
      };
    },
  };
  const found = findChatProvider(provider) ?? assert.fail(provider);
  const taking = withTakenParameters(model, found, name);
  await ask(taking, { parameters });
  const left = Object.keys(parameters).filter((one) => !(one in (sent[0] ?? {})));
  assert.deepEqual(taking.unsent?.(parameters).toSorted(), left.toSorted(), "what it tells is what it leaves out");
  return left;
}

const sampling = { temperature: 0.5, topP: 0.9 };

test("what a provider has no word for is not sent, and told", async () => {
  const parameters = { seed: 1, topK: 5, contextTokens: 100, stop: ["x"], temperature: 0 };
  const cases: [string, string, string[]][] = [
    ["anthropic", "claude-3-haiku-20240307", ["seed", "contextTokens"]],
    ["google", "gemini-flash-latest", ["contextTokens"]],
    ["openai", "gpt-4o", ["topK", "contextTokens"]],
    ["mistral", "mistral-small-latest", ["topK", "contextTokens"]],
    ["cohere", "command-a-03-2025", ["contextTokens"]],
    ["bedrock", "amazon.nova-lite-v1:0", ["seed", "topK", "contextTokens"]],
    ["ollama", "llama3.2", []],
    ["rehearsal", "rules", []],
  ];
  for (const [provider, model, expected] of cases)
    assert.deepEqual(await unsent(provider, model, parameters), expected);
});

test("a model that thinks takes none of the parameters that choose its words", async () => {
  const cases: [string, string, ModelParameters, string[]][] = [
    ["anthropic", "claude-sonnet-4-5", { reasoning: "low" }, ["temperature", "topP"]],
    ["anthropic", "claude-sonnet-4-5", { thinkingTokens: 0 }, []],
    ["anthropic", "claude-opus-5-5", {}, ["temperature", "topP"]],
    ["bedrock", "eu.anthropic.claude-sonnet-4-5-v1:0", { thinkingTokens: 1_024 }, ["temperature", "topP"]],
    ["openai", "gpt-5", { frequencyPenalty: 1 }, ["temperature", "topP", "frequencyPenalty"]],
    ["openai", "gpt-5.1", { reasoning: "none" }, []],
    ["openai", "gpt-4o", { reasoning: "high" }, ["reasoning"]],
    ["azure-openai", "o3-mini", { stop: ["x"] }, ["temperature", "topP", "stop"]],
    ["google", "gemini-2.5-flash", { presencePenalty: 1 }, ["presencePenalty"]],
  ];
  for (const [provider, model, own, expected] of cases) {
    assert.deepEqual(
      await unsent(provider, model, { ...sampling, ...own }),
      expected,
      `${model} ${JSON.stringify(own)}`,
    );
  }
});

test("a budget goes before an effort", async () => {
  assert.deepEqual(await unsent("google", "gemini-flash-latest", { reasoning: "low", thinkingTokens: 9 }), [
    "reasoning",
  ]);
  assert.deepEqual(await unsent("ollama", "qwen3", { reasoning: "low", thinkingTokens: 9 }), ["thinkingTokens"]);
});
