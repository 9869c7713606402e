import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelCall } from "@weft/engine/ports/chat-model";
import { ask, startModel } from "../testing/bench.ts";
import { google } from "./google.ts";
import { googleFormat } from "./testing/google-format.ts";

const subject = { chat: google.chat, format: googleFormat, model: "gemini-3.5-flash", apiKey: "a-key" };

test("a wrong key is refused with 400 and a reason of its own", async (t) => {
  const info = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" };
  const error = { code: 400, message: "API key not valid.", status: "INVALID_ARGUMENT", details: [info] };
  const { model } = await startModel(t, subject, { status: 400, body: { error } });
  await assert.rejects(ask(model), { code: "model-unauthorized" });
});

test("the time to wait comes in the body", async (t) => {
  const info = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "33.4s" };
  const error = { code: 429, message: "Quota exceeded.", status: "RESOURCE_EXHAUSTED", details: [info] };
  const { model } = await startModel(t, subject, { status: 429, body: { error } });
  const upstream = { status: 429, retryAfterSeconds: 34 };
  await assert.rejects(ask(model), { code: "model-rate-limited", upstream });
});

test("the results of one turn's calls are one turn", async (t) => {
  const { model, server } = await startModel(t, subject, { text: "ok" });
  const call = (id: string) => ({ id, name: "look", arguments: "{}" });
  const result = (id: string) => ({ role: "tool", toolCallId: id, toolName: "look", content: id }) as const;
  const messages: ModelCall["messages"] = [
    { role: "user", content: "Look twice" },
    { role: "assistant", content: "", toolCalls: [call("a"), call("b")] },
    result("a"),
    result("b"),
  ];
  await ask(model, { messages });
  const [request] = server.requests;
  assert.deepEqual(
    request?.body.contents.map(({ role, parts }) => [role, parts.length]),
    [
      ["user", 1],
      ["model", 2],
      ["user", 2],
    ],
  );
  assert.doesNotMatch(request?.path ?? "", /a-key/);
});

test("a blocked question is an answer of the content filter", async (t) => {
  const body = { promptFeedback: { blockReason: "SAFETY" }, usageMetadata: { promptTokenCount: 4 } };
  const { model } = await startModel(t, subject, { status: 200, body });
  const { text, finishReason } = await ask(model);
  assert.deepEqual([text, finishReason], ["", "content-filter"]);
});

for (const onText of [undefined, () => undefined]) {
  test(`a call goes back with its thought signature, ${onText ? "streamed" : "whole"}`, async (t) => {
    const { model, server } = await startModel(
      t,
      subject,
      { toolCalls: [{ id: "a", name: "look", arguments: {}, signature: "c2lnbmVk" }] },
      { text: "ok" },
    );
    const { toolCalls } = await ask(model, onText ? { onText } : {});
    await ask(model, { messages: [{ role: "assistant", content: "", toolCalls }] });
    assert.deepEqual(server.requests[1]?.body.contents, [
      { role: "model", parts: [{ functionCall: { id: "a", name: "look", args: {} }, thoughtSignature: "c2lnbmVk" }] },
    ]);
  });
}
