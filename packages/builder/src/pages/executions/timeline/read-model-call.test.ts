import assert from "node:assert/strict";
import { it } from "node:test";
import { readModelCall } from "./model-call.tsx";

it("a model call is read as the journal keeps it", () => {
  const image = { type: "image", mediaType: "image/png", sizeBytes: 70 };
  const call = readModelCall(
    {
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "What is it?" }, image] },
        { role: "assistant", content: "", toolCalls: [{ id: "1", name: "look" }] },
      ],
      tools: ["look"],
      parameters: { temperature: 0.2 },
    },
    { text: "A dot.", toolCalls: [], finishReason: "stop" },
  );
  assert.deepEqual(call, {
    messages: [
      { role: "system", text: "Be brief.", toolCalls: [] },
      { role: "user", text: `What is it?\n${JSON.stringify(image)}`, toolCalls: [] },
      { role: "assistant", text: "", toolCalls: [{ id: "1", name: "look" }] },
    ],
    tools: ["look"],
    parameters: { temperature: 0.2 },
    text: "A dot.",
    toolCalls: [],
    finishReason: "stop",
  });
});

it("what was cut, or is not there, is empty", () => {
  const empty = { messages: [], tools: [], parameters: {}, text: "", toolCalls: [], finishReason: "" };
  for (const value of [null, "{… (cut: 70000 characters in all)", 7, []]) {
    assert.deepEqual(readModelCall(value, value), empty);
  }
});
