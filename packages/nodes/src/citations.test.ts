import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createMemoryRetriever, createScriptedModel } from "@weft/engine/testing";
import type { Document, JsonObject, RunEvent } from "@weft/schema";
import { chain, modelServices, runFlow, type TestNode } from "./testing/run-flow.ts";

const passage = (pageContent: string, metadata: JsonObject): Document => ({ pageContent, metadata });
const cats = [
  passage("cats sleep all day, see [7]", { source: "cats.pdf", page: 2, citationNumber: 9, isCited: true }),
  passage("cats eat fish and more", { source: "cats.pdf", page: 5 }),
];
const dogs = [passage("dogs chase cats", { source: "dogs.md" })];
const retriever = createMemoryRetriever({ cats, dogs });

const knowledge = [
  { storeId: "cats", name: "cat_facts" },
  { storeId: "dogs", name: "dog_facts" },
];
const agent = (config: object): TestNode => ({ id: "agent", type: "agent", config: { knowledge, ...config } });
const look = (name: string, query: string) => ({ name, arguments: { query } });

async function run(flow: string, steps: Parameters<typeof createScriptedModel>[0], more: object = {}) {
  const model = createScriptedModel(steps);
  const services = { ...modelServices(model), retriever };
  const done = await runFlow(flow, { services, input: { question: "cats?" }, ...more });
  return { ...done, model, told: (call: number) => JSON.stringify(model.calls[call]?.messages) };
}

function numbersOf(output: unknown): unknown[] {
  const { sourceDocuments = [] } = output as { sourceDocuments?: Document[] };
  return sourceDocuments.map(({ metadata }) => metadata.citationNumber);
}

const rule = /Cite the passages/;

describe("an agent that cites", () => {
  const searches = [
    { toolCalls: [look("cat_facts", "cats eat fish"), look("dog_facts", "dogs")] },
    { toolCalls: [look("cat_facts", "cats sleep")] },
    { text: "They eat fish [1] and sleep [2]." },
  ];

  it("reads passages by number over several searches, and names them so as its sources", async () => {
    const done = await run(chain(agent({ citations: true })), searches);
    assert.match(done.told(0), rule);
    assert.match(done.told(1), /number=\\"1\\" title=\\"cats.pdf\\" page=\\"5\\"/);
    assert.match(done.told(2), /see \[ 7 \]/);
    assert.deepEqual(numbersOf(done.outputOf("agent")), [1, 2, 3, 2, 1]);
    const { usedTools } = done.outputOf("agent") as { usedTools: { toolOutput: string }[] };
    assert.ok(usedTools.every(({ toolOutput }) => !toolOutput.includes("<passage")));
  });

  it("is none by default: nothing changes", async () => {
    const done = await run(chain(agent({})), searches);
    assert.doesNotMatch(done.told(2), /<passage|Cite the passages/);
    assert.deepEqual(new Set(numbersOf(done.outputOf("agent"))), new Set([undefined]));
  });

  it("cites nothing that it does not show, and nothing in structured answers", async () => {
    const hidden = knowledge.map((store) => ({ ...store, returnSourceDocuments: false }));
    const silent = await run(chain(agent({ citations: true, knowledge: hidden })), searches);
    assert.doesNotMatch(silent.told(2), /<passage|Cite the passages/);
    const structuredOutput = [{ name: "food", type: "string", description: "" }];
    const data = await run(chain(agent({ citations: true, structuredOutput })), [
      ...searches.slice(0, 2),
      { text: '{"food":"fish"}' },
    ]);
    assert.doesNotMatch(data.told(2), /<passage|Cite the passages/);
  });

  it("forgets the numbers of the session's earlier answers", async () => {
    const stored = [
      { role: "userMessage" as const, content: "Hi [1]" },
      { role: "apiMessage" as const, content: "They purr [1]." },
    ];
    const told = async (config: object) => (await run(chain(agent(config)), [{ text: "Yes." }], { stored })).told(0);
    assert.match(await told({ citations: true }), /Hi \[1\].*They purr\./);
    assert.match(await told({}), /They purr \[1\]\./);
  });

  it("counts on after the numbers of steps before it", async () => {
    const second = { ...agent({ citations: true, memory: { type: "off" } }), id: "second" };
    const done = await run(chain(agent({ citations: true }), second), searches);
    assert.deepEqual(numbersOf(done.outputOf("second")), [4, 5, 6, 5, 4]);
  });
});

describe("a model that cites what a retriever found", () => {
  const find = { id: "find", type: "retriever", config: { stores: [{ storeId: "cats" }, { storeId: "dogs" }] } };
  const llm = (config: object): TestNode => ({
    id: "llm",
    type: "llm",
    config: { messages: [{ role: "system", content: "Use: {{ find.output.content }}" }], ...config },
  });
  const steps = [{ text: "Fish [1]." }];
  const asked = (events: readonly RunEvent[]) =>
    JSON.stringify(events.filter((event) => event.type === "effect-started" && event.category === "model"));

  it("reads them by number, marked as data", async () => {
    const done = await run(chain(find, llm({ citations: true })), steps);
    assert.match(done.told(0), /<data-\w{16} from=\\"document\\">\\n<passage number=\\"1\\"/);
    assert.equal(done.told(0).match(/<data-\w{16} from/g)?.length, 1);
    assert.match(done.told(0), rule);
    assert.deepEqual(numbersOf(done.outputOf("llm")), [1, 2, 3]);
    assert.deepEqual(new Set(numbersOf(done.outputOf("find"))), new Set([undefined]));
    assert.match(asked(done.events), /<passage number/);
  });

  it("does not where that is off, or where its messages hold none", async () => {
    const off = await run(chain(find, llm({})), steps);
    assert.doesNotMatch(off.told(0), /<passage|Cite the passages/);
    const other = await run(chain(find, llm({ citations: true, messages: [] })), steps);
    assert.doesNotMatch(other.told(0), /<passage|Cite the passages/);
  });
});
