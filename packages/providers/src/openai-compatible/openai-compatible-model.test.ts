import assert from "node:assert/strict";
import { test } from "node:test";
import { ask } from "../testing/bench.ts";
import { httpTo } from "../testing/model-http.ts";
import { createScriptedOpenAiServer } from "../testing/scripted-openai-server.ts";
import { openAiCompatible } from "./openai-compatible.ts";

for (const onText of [undefined, () => undefined]) {
  test(`a call of Gemini goes back with its thought signature, ${onText ? "streamed" : "whole"}`, async (t) => {
    const script = [{ toolCalls: [{ id: "a", name: "look", arguments: "{}", signature: "c2lnbmVk" }] }, { text: "ok" }];
    const server = await createScriptedOpenAiServer({ script });
    t.after(server.close);
    const model = await openAiCompatible.chat.create({ model: "gemini", baseUrl: server.url, ...httpTo(server.url) });
    const { toolCalls } = await ask(model, onText ? { onText } : {});
    await ask(model, { messages: [{ role: "assistant", content: "", toolCalls }] });
    assert.deepEqual(server.requests[1]?.body.messages[0]?.tool_calls, [
      {
        id: "a",
        type: "function",
        function: { name: "look", arguments: "{}" },
        extra_content: { google: { thought_signature: "c2lnbmVk" } },
      },
    ]);
  });
}
