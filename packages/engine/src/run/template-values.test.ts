import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Json, RunInput } from "@weft/schema";
import type { NodeContext } from "../node-type.ts";
import { completed, createTestProcess, noMemory, testFlow, valuesOf } from "../testing/test-process.ts";

/** Renders a text as a run's second step sees it. */
async function render(text: string, input: RunInput = { question: "hello" }): Promise<Json> {
  let value: Json = null;
  const process = createTestProcess({
    flow: testFlow("start>a a>b", { b: { text: "{{ chat_history }}" } }),
    input,
    deps: {
      variables: { all: async () => ({ name: "platform", other: 1 }) },
      memory: { ...noMemory, messages: async () => [{ role: "userMessage", content: "before" }] },
    },
    behaviours: {
      a: () =>
        completed(
          { part: [1, 2] },
          {
            text: "a said",
            state: { x: 7 },
            messages: [
              { role: "userMessage", content: "asked" },
              { role: "apiMessage", content: "said" },
            ],
          },
        ),
      b: (context: NodeContext) => {
        value = context.render(text);
        return completed(null);
      },
    },
  });
  assert.equal(await process.start().done, "completed");
  return value;
}

describe("values of templates in a run", () => {
  it("reads the run's input, state, variables and facts", async () => {
    const input: RunInput = { question: "hello", form: { n: 1 }, vars: { name: "mine" } };
    const values: Record<string, Json> = {
      question: "hello",
      "$form.n": 1,
      "$vars.name": "mine",
      "$vars.other": 1,
      "$flow.state.x": 7,
      "$flow.input": "hello",
      "$flow.chatId": "chat-1",
      "$flow.sessionId": "session-1",
      "$flow.chatflowId": "agent-1",
      "$flow.chatflowid": "agent-1",
      "$flow.executionId": "run-1",
      "$flow.runtimeChatHistory[0]": { role: "userMessage", content: "asked" },
      "$flow.runtimeChatHistory[-1].content": "said",
      "$flow.runtimeChatHistoryLength": 1,
      runtime_messages_length: 1,
      loop_count: 0,
      file_attachment: "",
      $webhook: {},
      chat_history: "Human: before\nHuman: asked\nAssistant: said",
      a: "a said",
      "a.output.part[1]": 2,
      "a.part": [1, 2],
    };
    for (const [path, expected] of Object.entries(values)) {
      assert.deepEqual(await render(`{{ ${path} }}`, input), expected, path);
    }
    assert.match(String(await render("{{ current_date_time }}")), /^2026-01-01T00:00:00\.\d{3}Z$/);
  });

  it("prefers the history that the caller gave", async () => {
    const input: RunInput = { question: "hello", history: [{ role: "apiMessage", content: "given" }] };
    assert.equal(await render("{{ chat_history }}", input), "Assistant: given\nHuman: asked\nAssistant: said");
  });

  it("reads nothing by names that only prototypes have", async () => {
    for (const path of ["__proto__", "constructor", "$flow.__proto__", "$flow.constructor.name", "$vars.toString"]) {
      assert.equal(await render(`{{ ${path} }}`), "", path);
    }
  });

  it("has an empty question and input where there is a form alone", async () => {
    assert.equal(await render("{{ question }}", { form: { n: 1 } }), "");
    assert.deepEqual(await render("{{ $flow.input }}", { form: { n: 1 } }), { n: 1 });
  });

  it("reads outputs of enclosing levels, and never those of another item", async () => {
    const seen: Json[] = [];
    const process = createTestProcess({
      flow: testFlow("start>each x@each>y@each"),
      behaviours: {
        start: () => completed("outer"),
        each: (context) =>
          context.spawned ? completed(valuesOf(context.spawned)) : { type: "spawn", items: ["p", "q"], concurrency: 2 },
        x: (context) => completed(`x of ${context.renderText("{{ $iteration }}")}`),
        y: (context) => {
          seen.push(context.renderText("{{ x }} in {{ start }}, {{ $iteration }}"));
          return completed("y");
        },
      },
    });
    await process.start().done;
    assert.deepEqual(seen.sort(), ["x of p in outer, p", "x of q in outer, q"]);
  });
});
