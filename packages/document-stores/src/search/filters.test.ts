import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createScriptedEmbeddingServer, createScriptedOpenAiServer } from "@weft/providers/testing";
import type { DocumentStore, JsonObject, PredictionResult, VectorQueryResult } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { sendForm } from "../../../server/src/testing/send-form.ts";
import { stopAfter } from "../../../server/src/testing/stop-after.ts";
import { agentWith, flowOf, openTestPlatform } from "../../../server/src/testing/test-platform.ts";
import { testedBackends, type VectorBackend } from "../testing/vector-backends.ts";

type Test = Parameters<typeof openTestPlatform>[0];

const passages: Readonly<Record<string, JsonObject>> = {
  a: { kind: "fruit", size: 1, ripe: true, day: "2026-01-31", tags: ["red", "sweet"] },
  b: { kind: "fruit", size: 2.5, ripe: false, day: "2026-02-01" },
  c: { kind: "cake", size: 10, nested: { deep: 1 } },
  d: { kind: ["fruit", 7], size: "1", day: "2025-12-31T23:59:59Z" },
  e: { kind: "noise" },
};

/** A filter, and what a query, a retriever step and an agent's knowledge find with it. */
const cases: readonly [JsonObject, string][] = [
  [{ kind: { $eq: "fruit" } }, "abd"],
  [{ kind: { $ne: "fruit" } }, "ce"],
  [{ kind: { $in: ["cake", 7] } }, "cd"],
  [{ kind: { $nin: ["cake", "noise"] } }, "abd"],
  [{ size: { $gt: 1, $lte: 10 } }, "bc"],
  [{ size: { $gte: 1, $lt: 10 } }, "ab"],
  [{ day: { $gte: "2026-01-01" } }, "ab"],
  [{ size: { $exists: true }, tags: { $exists: false } }, "bcd"],
  [{ $and: [{ kind: "fruit" }, { $or: [{ ripe: true }, { size: "1" }] }] }, "ad"],
  [{ $not: { kind: "fruit" } }, "ce"],
  [{ kind: "fruit", size: 9 }, ""],
];

/** Filters that hold a text of the run, by the question that is asked. */
const told: readonly [JsonObject, string, string][] = [
  [{ kind: "{{ question }}" }, "cake", "c"],
  [{ kind: { $ne: "{{ question }}" } }, "fruit", "ce"],
  [{ kind: { $in: ["{{ question }}", "noise"] } }, "cake", "ce"],
  [{ day: { $lt: "{{ question }}" } }, "2026", "d"],
  [{ $or: [{ kind: "{{ question }}" }, { ripe: true }] }, "cake", "ac"],
  [{ kind: "{{ $vars.tenant }}" }, "cake", ""],
];

async function open(t: Test, databases: TestDatabases, backend: VectorBackend) {
  const { allow, settings } = await backend(t);
  const onEnd = stopAfter(t);
  const embedder = await createScriptedEmbeddingServer();
  onEnd(() => embedder.close());
  const chat = await createScriptedOpenAiServer({
    script: ({ messages }) =>
      messages.at(-1)?.role === "tool"
        ? { text: "Found." }
        : { toolCalls: [{ name: "docs", arguments: { query: "apple" } }] },
  });
  onEnd(() => chat.close());
  const hosts = [allow, new URL(chat.url).host].filter((host) => host !== "").join(",");
  const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: embedder.url, EGRESS_ALLOW: hosts };
  const platform = await openTestPlatform(t, databases, env);
  const embeddingConfig = JSON.stringify({ name: "openai", config: { model: "scripted" } });
  const outside = await settings(platform);
  const makeStore = (more: object = {}) =>
    platform.json<DocumentStore>("POST", "/document-store/store", {
      ...{ name: "Apples", embeddingConfig, ...outside },
      ...more,
    });
  const query = async (body: object) => {
    const answer = await platform.json<VectorQueryResult>("POST", "/document-store/vectorstore/query", body);
    return answer.docs.map(({ pageContent }) => pageContent);
  };
  const predict = async (flowData: string, question = "x") => {
    const agentId = await agentWith(platform, flowData);
    const result = await platform.json<PredictionResult>("POST", `/prediction/${agentId}`, { question });
    return (result.sourceDocuments ?? []).map(({ pageContent }) => pageContent);
  };
  const model = { provider: "openai-compatible", model: "m", baseUrl: chat.url };
  const retriever = (storeId: string, filter: JsonObject) =>
    flowOf("retriever", "Search", { stores: [{ storeId, filter, topK: 10 }], query: "apple" });
  const agent = (storeId: string, filter: JsonObject) =>
    flowOf("agent", "Agent", { model, knowledge: [{ storeId, name: "docs", filter, topK: 10 }] });
  return { platform, makeStore, query, predict, retriever, agent };
}

const namesOf = (texts: readonly string[]) =>
  texts
    .map((text) => text.replace("apple ", ""))
    .sort()
    .join("");

await onTestDatabase((databases) => {
  for (const [name, backend] of testedBackends) {
    describe(`filters mean the same wherever they are set: ${name}`, () => {
      test("in a query, a retriever step and an agent's knowledge, with texts of the run", async (t) => {
        const { platform, makeStore, query, predict, retriever, agent } = await open(t, databases, backend);
        const { id } = await makeStore();
        for (const [name, metadata] of Object.entries(passages)) {
          const loader = { name: "plainText", config: { text: `apple ${name}` } };
          await platform.json("POST", `/document-store/upsert/${id}`, { loader, metadata });
        }
        const byFlows = async (filter: JsonObject, expected: string, question?: string) => {
          const said = JSON.stringify(filter);
          assert.equal(namesOf(await predict(retriever(id, filter), question)), expected, `retriever: ${said}`);
          assert.equal(namesOf(await predict(agent(id, filter), question)), expected, `agent: ${said}`);
        };
        for (const [filter, expected] of cases) {
          const found = await query({ storeId: id, query: "apple", topK: 10, filter });
          assert.equal(namesOf(found), expected, JSON.stringify(filter));
          await byFlows(filter, expected);
        }
        for (const [filter, question, expected] of told) await byFlows(filter, expected, question);
      });

      test("what the settings of a store read around a passage meets them, too", async (t) => {
        const { platform, makeStore, query, predict, retriever, agent } = await open(t, databases, backend);
        const retrievalConfig = (settings: object) => ({ retrievalConfig: JSON.stringify(settings) });
        const { id } = await makeStore(retrievalConfig({ neighbours: 1 }));
        const rows = ["one", "two", "apple", "four", "five"];
        const bytes = ["lamp", ...rows].join("\n");
        await sendForm(platform, `/document-store/upsert/${id}`, [["files", { name: "lamps.csv", bytes }]]);
        const around: readonly [JsonObject, object, string][] = [
          [{ row: { $gte: 1 } }, { neighbours: 1 }, "two apple four"],
          [{ row: { $lte: 4 } }, { neighbours: 1 }, "two apple"],
          [{ row: { $in: [4, 5] } }, { neighbours: 1 }, "apple four"],
          [{ row: { $ne: 3 } }, { neighbours: 0, parent: "document" }, "apple four five"],
          [{ $not: { row: { $gt: 4 } } }, { neighbours: 0, parent: "document" }, "one two apple"],
        ];
        for (const [filter, settings, expected] of around) {
          await platform.json("PUT", `/document-store/store/${id}`, retrievalConfig(settings));
          const words = ([text = ""]: string[]) =>
            text
              .replaceAll(/lamp: /g, "")
              .split(/\s+/)
              .join(" ");
          const said = JSON.stringify(filter);
          assert.equal(words(await query({ storeId: id, query: "apple", topK: 1, filter })), expected, said);
          const first = (texts: readonly string[]) => words(texts.filter((text) => text.includes("apple")));
          assert.equal(first(await predict(retriever(id, filter))), expected, `retriever: ${said}`);
          assert.equal(first(await predict(agent(id, filter))), expected, `agent: ${said}`);
        }
      });
    });
  }
});
