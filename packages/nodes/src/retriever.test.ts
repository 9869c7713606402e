import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { withoutMarks } from "@weft/engine/agent";
import type { Retrieval, Retrieved } from "@weft/engine/ports/retriever";
import { createMemoryRetriever, createScriptedModel } from "@weft/engine/testing";
import type { Document, Json, JsonObject } from "@weft/schema";
import { nodeRegistry } from "./registry.ts";
import { chain, createFlowProcess, findingsOf, modelServices, runFlow } from "./testing/run-flow.ts";

const passage = (pageContent: string, source: string): Document => ({ pageContent, metadata: { source } });
const cats = [passage("cats sleep a lot", "a"), passage("cats eat fish", "b"), passage("birds sing", "c")];
const dogs = [passage("dogs chase cats", "d")];
const retriever = createMemoryRetriever({ cats, dogs });

const node = (config: object) => ({ id: "find", type: "retriever", config });
const both = [{ storeId: "cats" }, { storeId: "dogs" }];

describe("retriever node", () => {
  it("searches all its stores, in order, and names the passages as sources", async () => {
    const input = { question: "what do cats eat?" };
    const run = await runFlow(chain(node({ stores: both })), { services: { retriever }, input });
    const found = [cats[1], cats[0], dogs[0]];
    assert.equal(run.text, "cats eat fish\n\ncats sleep a lot\n\ndogs chase cats");
    assert.deepEqual(run.outputOf("find"), { content: run.text, sourceDocuments: found });
    const asked = run.events.flatMap((event) =>
      event.type === "effect-started" ? [[event.category, event.kind, event.name]] : [],
    );
    assert.deepEqual(asked, [["retrieval", "read", "cats, dogs"]]);
  });

  it("answers with what is known of each passage, and with no more than it may", async () => {
    const config = {
      stores: [{ storeId: "cats", topK: 1 }],
      query: "eat {{ question }}",
      format: "text-with-metadata",
    };
    const run = await runFlow(chain(node(config)), { services: { retriever }, input: { question: "cats" } });
    assert.deepEqual(JSON.parse(run.text ?? ""), [cats[1]]);
  });

  it("finds only what has the metadata that its filter asks for, which may be told by the run", async () => {
    const find = async (filter: object) => {
      const config = { stores: [{ storeId: "cats", filter }], query: "cats" };
      return (await runFlow(chain(node(config)), { services: { retriever }, input: { question: "a" } })).text;
    };
    assert.equal(await find({ source: "b" }), "cats eat fish");
    assert.equal(await find({ source: "{{ question }}" }), "cats sleep a lot");
    assert.equal(await find({ source: 1 }), "");
    assert.equal(await find({ source: { $in: ["{{ question }}", "c"] } }), "cats sleep a lot");
    assert.equal(await find({ $not: { source: { $lte: "a" } } }), "cats eat fish");
    const findings = (filter: object) => findingsOf(node({ stores: [{ storeId: "cats", filter }] }));
    assert.deepEqual(findings({ source: { $in: "{{ state.sources }}" } }), []);
    assert.equal(findings({ source: { $near: "a" } })[0]?.path, "stores.0.filter.source.$near");
    assert.match(findings({ $or: "a" })[0]?.message ?? "", /at least one filter/);
  });

  it("finds nothing, and warns, where its filter has a reference without a value, whatever stands around it", async () => {
    const filters = [
      { source: "{{ $vars.tenant }}" },
      { source: { $ne: "{{ $vars.tenant }}" } },
      { source: { $ne: "user-{{ $vars.tenant }}" } },
      { source: { $nin: "{{ $vars.tenant }}" } },
      { source: { $nin: ["a", "{{ $vars.tenant }}"] } },
      { $not: { source: "{{ $vars.tenant }}" } },
      { $or: [{ source: "b" }, { source: "{{ $vars.tenant }}" }] },
    ];
    for (const filter of filters) {
      const config = { stores: [{ storeId: "cats", filter }], query: "cats" };
      const run = await runFlow(chain(node(config)), { services: { retriever } });
      assert.deepEqual(run.outputOf("find"), { content: "", sourceDocuments: [] }, JSON.stringify(filter));
      const warned = run.events.flatMap((event) => (event.type === "run-warned" ? [event.code] : []));
      assert.ok(warned.includes("filter-untold"), JSON.stringify(filter));
    }
  });

  it("keeps its sources from the answer where that is asked for, and gives them to later steps", async () => {
    const config = { stores: [{ storeId: "dogs" }], returnSourceDocuments: false };
    const reply = {
      id: "reply",
      type: "direct-reply",
      config: { message: "{{ find.output.documents[0].metadata.source }}" },
    };
    const run = await runFlow(chain(node(config), reply), { services: { retriever }, input: { question: "dogs" } });
    assert.deepEqual(run.outputOf("find"), { content: "dogs chase cats", documents: dogs });
    assert.equal(run.text, "d");
  });

  it("does not search for nothing, and finds nothing without a store", async () => {
    const asked: Retrieval[] = [];
    const counting = {
      async retrieve(retrieval: Retrieval) {
        asked.push(retrieval);
        return { documents: [], warnings: [] };
      },
    };
    for (const config of [{ stores: both, query: " " }, { stores: [] }]) {
      const run = await runFlow(chain(node(config)), { services: { retriever: counting } });
      assert.deepEqual(run.outputOf("find"), { content: "", sourceDocuments: [] });
    }
    assert.equal(asked.length, 0);
  });

  it("fails when a store cannot be searched", async () => {
    const run = await runFlow(chain(node({ stores: [{ storeId: "gone" }] })), { services: { retriever } });
    assert.equal(run.error?.code, "retrieval-failed");
    assert.match(run.error?.message ?? "", /gone cannot be searched: no store/);
  });

  it("refuses settings that do not fit", () => {
    const wrong: Record<string, object> = {
      "stores.0.storeId": { stores: [{ storeId: "" }] },
      "stores.0.topK": { stores: [{ storeId: "cats", topK: 0 }] },
      format: { format: "xml" },
    };
    for (const [path, config] of Object.entries(wrong)) assert.equal(findingsOf(node(config))[0]?.path, path);
  });
});

describe("how stores are asked", () => {
  /** A retriever that asks a model on its way, as one that judges does. */
  const judging = (
    seen: Retrieval[],
    after?: () => Promise<void>,
  ): { retrieve(given: Retrieval): Promise<Retrieved> } => ({
    async retrieve(given) {
      seen.push(given);
      const call = { key: "rerank-0", name: "judge/model", input: { passages: 2 } };
      const make = async () => ({ scores: [seen.length] });
      const { scores } = await (given.ask?.(call, make) ?? make());
      await after?.();
      const [score = 0] = scores;
      const warning = { code: "store-failed", message: "The store dogs cannot be searched." };
      return { documents: [passage(`scored ${score}`, "a")], warnings: [warning] };
    },
  });

  it("hands over all stores, their filters, the settings and the conversation, and warns of what failed", async () => {
    const seen: Retrieval[] = [];
    const stores = [{ storeId: "cats", topK: 2, filter: { source: "{{ question }}" } }, { storeId: "dogs" }];
    const settings = { scoreThreshold: 0.4, rerank: { provider: "jina" }, rewrite: true };
    const run = await runFlow(chain(node({ stores, topK: 3, search: settings })), {
      services: { retriever: judging(seen) },
      stored: [{ role: "userMessage", content: "earlier" }],
      input: { question: "now" },
    });
    assert.equal(run.text, "scored 1");
    const [given] = seen;
    assert.deepEqual(given?.stores, [
      { storeId: "cats", topK: 2, filter: { source: "now" } },
      { storeId: "dogs", topK: undefined, filter: undefined },
    ]);
    assert.equal(given?.topK, 3);
    assert.deepEqual(given?.settings, { ...settings, rerank: { provider: "jina", candidates: 30 } });
    assert.deepEqual(
      (await given?.history?.())?.map(({ content }) => content),
      ["earlier"],
    );
    assert.match(run.warnings.join(), /The store dogs cannot be searched/);
  });

  it("leaves out the store whose filter cannot be told, and searches the others", async () => {
    const seen: Retrieval[] = [];
    const stores = [{ storeId: "cats", filter: { source: "{{ $vars.tenant }}" } }, { storeId: "dogs" }];
    const run = await runFlow(chain(node({ stores })), { services: { retriever: judging(seen) } });
    assert.deepEqual(
      seen[0]?.stores.map(({ storeId }) => storeId),
      ["dogs"],
    );
    assert.match(run.warnings.join(), /nothing was searched/);
  });

  it("asks a model once, also when the process ends before the search does", async () => {
    const seen: Retrieval[] = [];
    let isLost = true;
    const after = async () => {
      if (isLost) await new Promise(() => undefined);
    };
    const process = createFlowProcess(chain(node({ stores: both })), { services: { retriever: judging(seen, after) } });
    process.start();
    const isJudged = () =>
      process.events().some((event) => event.type === "effect-finished" && event.effectKey === "search/rerank-0");
    while (!isJudged()) await new Promise((resolve) => setImmediate(resolve));
    isLost = false;
    await process.recover().done;
    const end = process.events().at(-1);
    assert.equal(end?.type === "run-completed" ? end.text : undefined, "scored 1");
    const model = process.events().filter((event) => event.type === "effect-started" && event.category === "model");
    assert.equal(model.length, 1);
  });

  it("tells a model that nothing was relevant enough, and names no sources", async () => {
    const nothing = 'Nothing about this was found in "Cats".';
    const retriever = { retrieve: async () => ({ documents: [], warnings: [], nothing }) };
    const run = await runFlow(chain(node({ stores: [{ storeId: "cats" }] })), { services: { retriever } });
    assert.deepEqual(run.outputOf("find"), { content: nothing, sourceDocuments: [] });
  });

  it("says which chat model it needs, and refuses settings that do not fit", () => {
    const wrong: Record<string, object> = {
      "search.scoreThreshold": { search: { scoreThreshold: 2 } },
      "search.rerank.provider": { search: { rerank: { provider: "oracle" } } },
      "search.variants": { search: { variants: 9 } },
    };
    for (const [path, config] of Object.entries(wrong)) {
      assert.equal(findingsOf(node({ stores: both, ...config }))[0]?.path, path);
    }
    const chatModel = { provider: "openai", model: "small" };
    const usesOf = (search: object) => nodeRegistry.retriever?.uses(parsed({ search })).models;
    const parsed = (config: object) => nodeRegistry.retriever?.config.parse(config) as never;
    assert.equal(usesOf({ neighbours: 1 }), undefined);
    assert.deepEqual(usesOf({ rewrite: true, chatModel }), [{ path: "search.chatModel", reference: chatModel }]);
  });
});

describe("knowledge of an agent", () => {
  const agent = (knowledge: object[]) => ({ id: "agent", type: "agent", config: { knowledge } });
  const store = { storeId: "cats", name: "cat_facts", description: "All about cats.", topK: 1 };
  const searching = [
    { toolCalls: [{ name: "cat_facts", arguments: { query: "cats eat" } }] },
    { text: "They eat fish." },
  ];

  it("is a tool for the model, whose finds are named as sources", async () => {
    const model = createScriptedModel(searching);
    const run = await runFlow(chain(agent([store])), { services: { ...modelServices(model), retriever } });
    assert.equal(run.text, "They eat fish.");
    assert.deepEqual(
      model.calls[0]?.tools?.map(({ name, description }) => [name, description]),
      [["cat_facts", "All about cats."]],
    );
    const { usedTools, sourceDocuments } = run.outputOf("agent") as JsonObject;
    assert.deepEqual(sourceDocuments, [cats[1]] as Json);
    assert.deepEqual(usedTools, [{ tool: "cat_facts", toolInput: { query: "cats eat" }, toolOutput: "cats eat fish" }]);
  });

  it("is searched for what has the metadata of its filter", async () => {
    const filtered = { ...store, topK: 4, filter: { source: "a" } };
    const services = { ...modelServices(createScriptedModel(searching)), retriever };
    const run = await runFlow(chain(agent([filtered])), { services });
    assert.deepEqual((run.outputOf("agent") as JsonObject).sourceDocuments, [cats[0]] as Json);
  });

  it("finds nothing where its filter has a reference without a value", async () => {
    const filtered = { ...store, filter: { source: { $ne: "{{ $vars.tenant }}" } } };
    const model = createScriptedModel(searching);
    const services = { ...modelServices(model), retriever };
    await runFlow(chain(agent([filtered])), { services });
    assert.match(
      String(withoutMarks(model.calls[1]?.messages ?? []).at(-1)?.content),
      /Nothing about this was found in cat_facts/,
    );
  });

  it("keeps its sources to itself where that is asked for, and says when there is nothing", async () => {
    const quiet = await runFlow(chain(agent([{ ...store, returnSourceDocuments: false }])), {
      services: { ...modelServices(createScriptedModel(searching)), retriever },
    });
    assert.equal((quiet.outputOf("agent") as JsonObject).sourceDocuments, undefined);
    const model = createScriptedModel([{ toolCalls: [{ name: "cat_facts", arguments: { query: "x" } }] }, {}]);
    await runFlow(chain(agent([store])), { services: { ...modelServices(model), retriever } });
    assert.equal(
      withoutMarks(model.calls[1]?.messages ?? []).at(-1)?.content,
      "Nothing about this was found in cat_facts.",
    );
  });

  it("tells the model of a store that cannot be searched", async () => {
    const model = createScriptedModel(searching);
    const run = await runFlow(chain(agent([{ ...store, storeId: "gone" }])), {
      services: { ...modelServices(model), retriever },
    });
    assert.equal(run.outcome, "completed");
    assert.match(String(model.calls[1]?.messages.at(-1)?.content), /gone cannot be searched/);
  });

  it("has names that models take, each once", async () => {
    const [finding] = findingsOf(agent([{ ...store, name: "cat facts" }]));
    assert.equal(finding?.path, "knowledge.0.name");
    const model = createScriptedModel([{ text: "never" }]);
    const run = await runFlow(chain(agent([store, store])), { services: { ...modelServices(model), retriever } });
    assert.equal(run.error?.code, "tool-invalid");
  });

  it("searches several stores as one, and asks models under the key of the call", async () => {
    const seen: Retrieval[] = [];
    const retriever = {
      async retrieve(given: Retrieval) {
        seen.push(given);
        await given.ask?.({ key: "rerank-0", name: "judge/model", input: {} }, async () => ({ scores: [] }));
        return createMemoryRetriever({ cats, dogs }).retrieve(given);
      },
    };
    const model = createScriptedModel(searching);
    const entry = { ...store, topK: 2, moreStores: [{ storeId: "dogs" }], search: { neighbours: 1 } };
    const run = await runFlow(chain(agent([entry])), { services: { ...modelServices(model), retriever } });
    assert.deepEqual(
      seen[0]?.stores.map(({ storeId }) => storeId),
      ["cats", "dogs"],
    );
    assert.deepEqual([seen[0]?.topK, seen[0]?.settings], [2, { neighbours: 1 }]);
    const keys = run.events.flatMap((event) => (event.type === "effect-started" ? [event.effectKey] : []));
    assert.deepEqual(keys, ["model-0", "tool-1-0", "tool-1-0/rerank-0", "model-1"]);
  });
});
