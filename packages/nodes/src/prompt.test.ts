import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createScriptedModel } from "@weft/engine/testing";
import type { HistoryMessage } from "@weft/schema";
import { flowOf, say } from "./testing/flow-of.ts";
import {
  chain,
  createFlowProcess,
  findingsOf,
  modelServices,
  type RunFlowOptions,
  runFlow,
} from "./testing/run-flow.ts";

const llm = (config: object, id = "llm") => ({ id, type: "llm", config });

const stored: HistoryMessage[] = [
  { role: "userMessage", content: "one" },
  { role: "apiMessage", content: "two" },
  { role: "userMessage", content: "three" },
  { role: "apiMessage", content: "four" },
];

/** What the model is given, as `role: content`. */
async function messagesFor(config: object, options: RunFlowOptions = {}): Promise<string[]> {
  const model = createScriptedModel([{ text: "ok" }]);
  const run = await runFlow(chain(llm(config)), { ...options, services: modelServices(model) });
  assert.equal(run.outcome, "completed");
  return (model.calls[0]?.messages ?? []).map(({ role, content }) => `${role}: ${String(content)}`);
}

describe("prompt", () => {
  it("asks the question by default", async () => {
    assert.deepEqual(await messagesFor({}), ["user: hello"]);
  });

  it("puts instructions first, then memory, examples and the question", async () => {
    const messages = [
      { role: "user", content: "example question" },
      { role: "system", content: "Be {{ $vars.mood }}." },
      { role: "assistant", content: "example answer" },
      { role: "system", content: "Today is {{ current_date_time }}." },
    ];
    assert.deepEqual(await messagesFor({ messages, prompt: "Q: {{ question }}" }, { stored, vars: { mood: "kind" } }), [
      "system: Be kind.",
      "system: Today is 2026-01-01T00:00:00.000Z.",
      "user: one",
      "assistant: two",
      "user: three",
      "assistant: four",
      "user: example question",
      "assistant: example answer",
      "user: Q: hello",
    ]);
  });

  it("remembers as its memory setting says", async () => {
    assert.deepEqual(await messagesFor({ memory: { type: "off" } }, { stored }), ["user: hello"]);
    assert.deepEqual(await messagesFor({ memory: { type: "window", size: 3 } }, { stored }), [
      "assistant: two",
      "user: three",
      "assistant: four",
      "user: hello",
    ]);
    const many = Array.from(
      { length: 60 },
      (_, index): HistoryMessage => ({ role: "userMessage", content: String(index) }),
    );
    assert.equal((await messagesFor({ memory: { type: "window" } }, { stored: many })).length, 21);
    assert.equal((await messagesFor({ memory: { type: "all" } }, { stored: many })).length, 61);
  });

  it("answers what a person said since, when a loop comes back to it, and does not ask the same again", async () => {
    const again = async (config: object) => {
      const nodes = {
        draft: { type: "llm", config },
        h: { type: "human-input", config: { question: "Well?", feedback: true } },
        l: { type: "loop", config: { target: "draft" } },
        end: say("sent"),
      };
      const model = createScriptedModel([{ text: "a draft" }, { text: "a shorter draft" }]);
      const flow = flowOf(nodes, "start>draft draft>h h:reject>l h:proceed>end");
      const process = createFlowProcess(flow, { services: modelServices(model) });
      await process.start().done;
      const asked = process.events().find((event) => event.type === "node-suspended");
      assert.ok(asked?.type === "node-suspended");
      const answer = { type: "reject", feedback: "Shorter!" };
      await process.recover({ resume: { nodeKey: "h#0", nodeId: "h", waitId: asked.wait.waitId, answer } }).done;
      return (model.calls[1]?.messages ?? []).map(({ role, content }) => `${role}: ${String(content)}`);
    };
    const said = ["user: hello", "assistant: a draft", "user: Shorter!"];
    assert.deepEqual(await again({}), said);
    assert.deepEqual(await again({ prompt: "Draft: {{ question }}" }), ["user: Draft: hello", ...said.slice(1)]);
    assert.deepEqual(await again({ memory: { opening: true } }), ["user: hello", ...said, "user: hello"]);
    assert.deepEqual(await again({ memory: { type: "off" } }), ["user: hello"]);
    assert.deepEqual(await again({ memory: { type: "window", size: 2 } }), [...said.slice(1), "user: hello"]);
  });

  it("reads no more of the session than its steps need, and less never again", async () => {
    const asked: (number | undefined)[] = [];
    const messages = async ({ limit }: { limit?: number }) => {
      asked.push(limit);
      return limit === undefined ? stored : stored.slice(-limit);
    };
    const window = (size: number) => llm({ memory: { type: "window", size } }, `of-${size}`);
    const model = createScriptedModel([{ text: "ok" }]);
    const services = modelServices(model);
    await runFlow(chain(window(1), window(3), window(2)), { memory: { messages }, services });
    assert.deepEqual(asked, [1, 3]);
    await runFlow(chain(llm({ memory: { type: "last" } }, "last"), llm({}, "all"), window(2)), {
      memory: { messages },
      services,
    });
    assert.deepEqual(asked.slice(2), [1, undefined]);
    assert.deepEqual(
      model.calls[0]?.messages.map(({ content }) => content),
      ["four", "hello"],
    );
  });

  it("uses the history that the caller gave in place of the stored one", async () => {
    const input = { question: "hello", history: [{ role: "apiMessage", content: "given" } as const] };
    assert.deepEqual(await messagesFor({}, { stored, input }), ["assistant: given", "user: hello"]);
  });

  it("asks nothing more when the prompt is empty", async () => {
    const messages = [{ role: "user", content: "fixed" }];
    assert.deepEqual(await messagesFor({ messages, prompt: "" }), ["user: fixed"]);
    assert.deepEqual(await messagesFor({ messages }, { input: { form: { a: 1 } } }), ["user: fixed"]);
  });

  it("never reads a message as a template", async () => {
    const vars = { key: "s3cret" };
    const input = { question: "{{ $vars.key }}" };
    const history: HistoryMessage[] = [{ role: "userMessage", content: "{{ $vars.key }}" }];
    const told = await messagesFor(
      { messages: [{ role: "system", content: "Q {{ question }}" }] },
      { input, vars, stored: history },
    );
    assert.ok(!told.join().includes("s3cret"));
    assert.equal(told.length, 3);
  });

  it("shows later models what earlier ones of the run were told and said", async () => {
    const model = createScriptedModel([{ text: "first" }]);
    const flow = chain(llm({}, "one"), llm({ prompt: "and then?" }, "two"), llm({ memory: { type: "off" } }, "three"));
    await runFlow(flow, { stored: stored.slice(0, 1), services: modelServices(model) });
    assert.deepEqual(
      model.calls.map((call) => call.messages.map(({ content }) => content)),
      [["one", "hello"], ["one", "hello", "first", "and then?"], ["hello"]],
    );
  });

  it("refuses settings that are out of bounds", () => {
    const wrong: Record<string, object> = {
      "messages.0.role": { messages: [{ role: "tool", content: "" }] },
      "messages.0.content": { messages: [{ role: "user" }] },
      "memory.type": { memory: { type: "some" } },
      "memory.size": { memory: { type: "window", size: 0 } },
    };
    for (const [path, config] of Object.entries(wrong)) {
      const findings = findingsOf(llm(config));
      assert.deepEqual([findings.length, findings[0]?.code, findings[0]?.path], [1, "node-config-invalid", path]);
    }
    const [typo] = findingsOf(llm({ messages: [{ role: "user", content: "{{ typo }}" }] }));
    assert.deepEqual([typo?.code, typo?.path], ["template-unknown", "messages.0.content"]);
  });

  it("shows pictures to a model that sees, and warns of those that are gone", async () => {
    const model = { ...createScriptedModel([{ text: "ok" }]), acceptsImages: true };
    const upload = { kind: "image", type: "stored-file", mime: "image/png", data: "" } as const;
    const uploads = [
      { ...upload, name: "here.png", fileId: "f-1" },
      { ...upload, name: "gone.png", fileId: "f-2" },
    ];
    const bytes = new Uint8Array([1, 2, 3]);
    const files = { read: async (id: string) => (id === "f-1" ? { bytes, mediaType: "image/png" } : undefined) };
    const services = { ...modelServices(model), files };
    const run = await runFlow(chain(llm({})), { services, input: { question: "What?", uploads } });
    assert.deepEqual(model.calls[0]?.messages, [
      {
        role: "user",
        content: [
          { type: "text", text: "What?" },
          { type: "image", mediaType: "image/png", data: bytes },
        ],
      },
    ]);
    assert.deepEqual(run.warnings, ["LLM: the file gone.png was deleted and left out."]);
    assert.doesNotMatch(JSON.stringify(run.events), /"data":\{|\[1,2,3\]/);
  });
});
