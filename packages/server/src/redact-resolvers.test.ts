import assert from "node:assert/strict";
import { test } from "node:test";
import { createSecretVault } from "@weft/egress";
import type { ChatModel, ModelCall } from "@weft/engine/ports/chat-model";
import type { ToolContext } from "@weft/engine/ports/tool";
import { redactResolvers } from "./known-secrets.ts";

const secret = "sk-spelled-in-pieces-42";
const said = `The key is ${secret}, and über that nothing.`;

test("a model that spells its own key over pieces of text shows none of it, the first time included", async () => {
  const vault = createSecretVault();
  const key = vault.placeholderFor("key", { value: secret, name: "OpenAI", hosts: ["api.openai.com"] });
  const model: ChatModel = {
    id: "m",
    async answer({ onText }) {
      // The request goes out here.
      vault.fill(key, new URL("https://api.openai.com/v1"));
      for (const piece of said.match(/.{1,3}/gs) ?? []) onText?.(piece);
      const toolCalls = [{ id: "1", name: "t", arguments: JSON.stringify({ secret }) }];
      return {
        text: said,
        toolCalls,
        finishReason: "stop",
        usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
      };
    },
  };
  const { models, tools } = redactResolvers(
    {
      models: { resolve: async () => model },
      tools: {
        resolve: async () => [
          {
            name: "t",
            description: "",
            parameters: {},
            kind: "read",
            effect: "read",
            call: async () => ({ content: said, details: { said: btoa(secret) } }),
          },
        ],
      },
    },
    vault,
  );
  const pieces: string[] = [];
  const call: ModelCall = { messages: [], signal: new AbortController().signal, onText: (text) => pieces.push(text) };
  const answer = await (await models.resolve({})).answer(call);
  assert.equal(pieces.join(""), "The key is [secret], and über that nothing.");
  assert.equal(answer.text, pieces.join(""));
  assert.ok(pieces.length > 5, "text goes on arriving in pieces");
  assert.deepEqual(answer.toolCalls[0]?.arguments, '{"secret":"[secret]"}');
  const [tool] = await tools.resolve({ type: "t", config: {} }, {} as Parameters<typeof tools.resolve>[1]);
  const result = await tool?.call({}, {} as ToolContext);
  assert.deepEqual([result?.content, result?.details], [pieces.join(""), { said: "[secret]" }]);
});
