import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createScriptedOpenAiServer, createScriptedServer, type ScriptStep } from "@weft/providers/testing";
import type { DocumentStore, Execution, PredictionResult, RetrievalSettings, VectorQueryResult } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { wires } from "../../../providers/src/cohere/testing/wire.ts";
import type { RerankFormat } from "../../../providers/src/testing/rerank-format.ts";
import { stopAfter } from "../../../server/src/testing/stop-after.ts";
import { agentWith, flowOf, openTestPlatform } from "../../../server/src/testing/test-platform.ts";

type Test = Parameters<typeof openTestPlatform>[0];

const refunds = "Refunds take five days after we have received the goods.";
const cards = "Gift cards are not refunded, whatever they were used for.";
const shipping = "Parcels leave on Mondays, and arrive three days later.";
const format = wires.cohere?.rerank as RerankFormat;

/** A platform with a scripted reranker and a scripted chat model, and a store with one passage for each text. */
async function open(t: Test, databases: TestDatabases, texts = [refunds, cards, shipping]) {
  const onEnd = stopAfter(t);
  const steps: ScriptStep[] = [];
  const reranker = await createScriptedServer(format.wire, {
    script: (_request, index) => steps[index] ?? { status: 500, body: { message: "it is broken" } },
  });
  onEnd(() => reranker.close());
  const says: ScriptStep[] = [];
  const chat = await createScriptedOpenAiServer({
    script: (_request, index) => says[index] ?? { status: 500, body: { error: { message: "it is broken" } } },
  });
  onEnd(() => chat.close());
  const platform = await openTestPlatform(t, databases, {
    OPENAI_API_KEY: "k",
    OPENAI_BASE_URL: chat.url,
    EGRESS_ALLOW: new URL(reranker.url).host,
  });
  const credential = await platform.json<{ id: string }>("POST", "/credentials", {
    name: "Cohere",
    credentialName: "cohere",
    plainDataObj: { apiKey: "key-of-cohere" },
    hosts: [new URL(reranker.url).host],
  });
  const make = async (name: string, passages: readonly string[]) => {
    const { id } = await platform.json<DocumentStore>("POST", "/document-store/store", { name });
    for (const text of passages) {
      await platform.json("POST", `/document-store/upsert/${id}`, { loader: { name: "plainText", config: { text } } });
    }
    return id;
  };
  const storeId = await make("Handbook", texts);
  const rerank = { provider: "cohere", credential: credential.id, baseUrl: reranker.url, candidates: 30 } as const;
  const send = (query: string, settings: RetrievalSettings = {}) =>
    platform.send("POST", "/document-store/vectorstore/query", { storeId, query, settings });
  const ask = async (query: string, settings?: RetrievalSettings) => {
    const response = await send(query, settings);
    assert.equal(response.status, 200, await response.clone().text());
    return (await response.json()) as VectorQueryResult;
  };
  const scores = (...of: number[]): ScriptStep => ({ status: 200, body: format.toAnswer(of) });
  const saying = (value: object): ScriptStep => ({ text: JSON.stringify(value) });
  return { platform, storeId, make, reranker, chat, rerank, steps, says, scores, saying, ask, send };
}

const textsOf = ({ docs }: VectorQueryResult) => docs.map(({ pageContent }) => pageContent);

await onTestDatabase((databases) => {
  describe("a store is asked by its settings", () => {
    test("a reranker puts its best first, and its scores are the relevance", async (t) => {
      const { ask, steps, scores, rerank, reranker, platform, storeId } = await open(t, databases);
      steps.push(scores(0.2, 0.95, 0.05));
      const plain = textsOf(await ask("refunds"));
      const found = await ask("refunds", { rerank });
      assert.deepEqual(textsOf(found), [plain[1], plain[0], plain[2]]);
      assert.deepEqual(
        found.docs.map(({ relevance, relevanceWord }) => [relevance, relevanceWord]),
        [
          [0.95, "strong"],
          [0.2, "weak"],
          [0.05, "weak"],
        ],
      );
      assert.deepEqual(found.warnings, []);
      steps.push(scores(0.1, 0.2, 0.3));
      const few = await ask("refunds", { rerank: { ...rerank, candidates: 1 } });
      assert.equal(few.docs.length, 3, "at least as many are judged as are wanted");
      assert.equal(reranker.requests[0]?.headers.authorization, "Bearer key-of-cohere");
      // The same as a setting of the store, with a threshold.
      steps.push(scores(0.2, 0.95, 0.05));
      const retrievalConfig = JSON.stringify({ rerank, scoreThreshold: 0.5 });
      await platform.json("PUT", `/document-store/store/${storeId}`, { retrievalConfig });
      assert.deepEqual(textsOf(await ask("refunds")), [plain[1]]);
      assert.deepEqual(
        textsOf(await ask("refunds", { rerank: { ...rerank, provider: "none" }, scoreThreshold: 0 })),
        plain,
      );
    });

    test("a reranker that fails leaves the order as it is, with a warning; a wrong key is an error", async (t) => {
      const { ask, send, steps, rerank } = await open(t, databases);
      const plain = textsOf(await ask("refunds"));
      steps.push({ status: 503, body: { message: "overloaded" } }, { status: 429, body: { message: "slow down" } });
      steps.push(tooFew(), { status: 401, body: { message: "who are you?" } });
      for (const said of [/503/, /429/, /2 scores for 3/]) {
        const found = await ask("refunds", { rerank });
        assert.deepEqual(textsOf(found), plain);
        assert.match(found.warnings.join(), said);
        assert.match(found.warnings.join(), /the order of the search stays/);
      }
      const refused = await send("refunds", { rerank });
      assert.equal(refused.status, 500);
      assert.match(await refused.text(), /rejected the API key/);
    });

    test("settings that cannot work are refused when they are saved", async (t) => {
      const { platform, storeId, rerank } = await open(t, databases, []);
      const save = (settings: object) =>
        platform.send("PUT", `/document-store/store/${storeId}`, { retrievalConfig: JSON.stringify(settings) });
      const cases = [
        [{ rerank: { provider: "voyage" } }, /VOYAGE_API_KEY/],
        [{ rerank: { ...rerank, credential: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f" } }, /No credential with the id/],
        [{ scoreThreshold: 7 }, /retrievalConfig\.scoreThreshold/],
        [{ treshold: 0.5 }, /retrievalConfig/],
      ] as const;
      for (const [settings, message] of cases) {
        const response = await save(settings);
        assert.equal(response.status, 400);
        assert.match(await response.text(), message);
      }
      assert.equal((await save({ rerank })).status, 200);
    });

    test("a chat model judges, and a verdict that cannot be read changes nothing", async (t) => {
      const { ask, says, saying, chat } = await open(t, databases);
      const plain = textsOf(await ask("refunds"));
      const rerank = { provider: "chat-model", candidates: 30 } as const;
      const verdict = [1, 2, 3].map((number) => ({ number, score: number === 3 ? 9 : 1 }));
      says.push(saying({ scores: verdict }), { text: "All of them are good." });
      const found = await ask("refunds", { rerank });
      assert.equal(textsOf(found)[0], plain[2]);
      assert.equal(found.docs[0]?.relevance, 0.9);
      const unread = await ask("refunds", { rerank });
      assert.deepEqual(textsOf(unread), plain);
      assert.match(unread.warnings.join(), /not valid JSON/);
      assert.equal(chat.count(), 2);
    });

    test("other wordings find what the question's own words do not", async (t) => {
      const { ask, says, saying } = await open(t, databases);
      says.push(saying({ variants: ["gift cards"] }), { status: 500, body: { error: { message: "down" } } });
      const settings = { mode: "keyword", variants: 1 } as const;
      assert.deepEqual(textsOf(await ask("vouchers", { mode: "keyword" })), []);
      assert.deepEqual(textsOf(await ask("vouchers", settings)), [cards]);
      const failed = await ask("vouchers", settings);
      assert.deepEqual(textsOf(failed), []);
      assert.match(failed.warnings.join(), /the question was searched as it is/);
    });

    test("neighbours, sections and documents are read around a passage, within its filter", async (t) => {
      const { platform, make } = await open(t, databases, []);
      const id = await make("Book", []);
      const parts = ["Alpha begins.", "Beta follows.", "Gamma is third.", "Delta ends."];
      await platform.json("POST", `/document-store/upsert/${id}`, {
        loader: { name: "plainText", config: { text: parts.join("\n\n") } },
        splitter: { name: "recursiveCharacterTextSplitter", config: { chunkSize: 16, chunkOverlap: 0 } },
        metadata: { tenant: "a" },
      });
      const find = async (settings: RetrievalSettings, more: object = {}) => {
        const body = { storeId: id, query: "Beta", topK: 1, settings: { mode: "keyword", ...settings }, ...more };
        return textsOf(await platform.json("POST", "/document-store/vectorstore/query", body));
      };
      assert.deepEqual(await find({}), [parts[1]]);
      assert.deepEqual(await find({ neighbours: 1 }), [parts.slice(0, 3).join("\n\n")]);
      assert.deepEqual(await find({ parent: "document" }), [parts.join("\n\n")]);
      assert.deepEqual(await find({ parent: "section", parentCharacters: 200 }), [parts.join("\n\n")]);
      assert.deepEqual(await find({ neighbours: 1 }, { filter: { tenant: "a" } }), [parts.slice(0, 3).join("\n\n")]);
      const both = { query: "Beta Gamma", topK: 2 };
      assert.deepEqual(await find({ neighbours: 3 }, both), [parts.join("\n\n")], "one text, not twice");
    });

    test("rows of a table that are read around a passage stand below one head", async (t) => {
      const { platform, make } = await open(t, databases, []);
      const id = await make("Lamps", []);
      const rows = ["North", "South", "East", "West", "Mole", "Reef"].map((lamp, index) => `| ${lamp} | ${index} m |`);
      const table = ["| Lamp | Height |", "| --- | --- |", ...rows].join("\n");
      await platform.json("POST", `/document-store/upsert/${id}`, {
        loader: { name: "plainText", config: { text: table } },
        splitter: { name: "markdownTextSplitter", config: { chunkSize: 100, chunkOverlap: 20 } },
      });
      const find = async (settings: RetrievalSettings) => {
        const body = { storeId: id, query: "Reef", topK: 1, settings: { mode: "keyword", ...settings } };
        return textsOf(await platform.json("POST", "/document-store/vectorstore/query", body));
      };
      const [passage = ""] = await find({});
      assert.ok(passage.startsWith("| Lamp | Height |\n| --- | --- |\n") && !passage.includes("North"), passage);
      assert.deepEqual(await find({ neighbours: 3 }), [table]);
    });

    test("what is near the same gives way to something else", async (t) => {
      const again = refunds.replace("the goods", "your goods");
      const { ask } = await open(t, databases, [refunds, again, cards]);
      const found = textsOf(await ask("refunds goods received", { mmrLambda: 0.5 }));
      assert.equal(found.length, 3);
      const { docs } = await ask("refunds goods received", { mode: "keyword", mmrLambda: 0.3 });
      assert.ok(docs.length > 0);
    });
  });

  describe("runs ask stores", () => {
    test("of several stores the most relevant come first, and one that fails is named", async (t) => {
      const { platform, storeId, make, steps, scores, rerank } = await open(t, databases, [refunds]);
      const other = await make("Shop", [cards]);
      steps.push(scores(0.3), scores(0.8));
      const gone = "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f";
      const stores = [{ storeId }, { storeId: other }, { storeId: gone }];
      const agentId = await agentWith(platform, flowOf("retriever", "Search", { stores, search: { rerank } }));
      const answer = await platform.json<PredictionResult>("POST", `/prediction/${agentId}`, { question: "refunded" });
      const relevances = answer.sourceDocuments?.map(({ metadata }) => metadata.relevance);
      assert.deepEqual(relevances, [0.8, 0.3]);
      assert.equal(answer.sourceDocuments?.[0]?.metadata.relevanceWord, "strong");
      const run = await platform.json<Execution>("GET", `/executions/${answer.executionId}`);
      assert.match(JSON.stringify(run), new RegExp(`The document store ${gone} cannot be searched`));
      const nothing = await agentWith(platform, flowOf("retriever", "Search", { stores: [{ storeId: gone }] }));
      const failed = await platform.send("POST", `/prediction/${nothing}`, { question: "refunds" });
      assert.equal(failed.status, 500);
    });

    test("below the threshold nothing is returned, and the answer says so by the store's name", async (t) => {
      const { platform, storeId, steps, scores, rerank } = await open(t, databases, [refunds]);
      steps.push(scores(0.2));
      const search = { rerank, scoreThreshold: 0.5 };
      const agentId = await agentWith(platform, flowOf("retriever", "Search", { stores: [{ storeId }], search }));
      const answer = await platform.json<PredictionResult>("POST", `/prediction/${agentId}`, { question: "the moon" });
      assert.equal(answer.text, 'Nothing about this was found in "Handbook".');
      assert.deepEqual(answer.sourceDocuments ?? [], []);
    });

    test("a follow-up question is completed from the conversation, and asked as it is where that fails", async (t) => {
      const { platform, storeId, says, saying, chat } = await open(t, databases);
      says.push(saying({ question: "Are gift cards refunded?" }));
      const search = { rewrite: true, mode: "keyword" };
      const agentId = await agentWith(
        platform,
        flowOf("retriever", "Search", { stores: [{ storeId, topK: 1 }], search }),
      );
      const send = (question: string) =>
        platform.json<PredictionResult>("POST", `/prediction/${agentId}`, {
          question,
          overrideConfig: { sessionId: "s" },
        });
      assert.equal((await send("Mondays parcels")).text, shipping, "the first question stands alone");
      assert.equal(chat.count(), 0);
      assert.equal((await send("And are these?")).text, cards);
      assert.match(JSON.stringify(chat.requests[0]?.body), /Mondays parcels/);
      assert.equal((await send("refunds")).text, refunds);
      assert.equal(chat.count(), 2);
    });
  });
});

/** Two scores where three were asked for. */
function tooFew(): ScriptStep {
  return { status: 200, body: format.toAnswer([0.1, 0.2]) };
}
