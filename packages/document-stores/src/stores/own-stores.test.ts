import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { resolveStoreId } from "@weft/document-stores";
import { createScriptedEmbeddingServer, type Script } from "@weft/providers/testing";
import type {
  DocumentStore,
  Finding,
  FlowImport,
  FlowReading,
  PredictionResult,
  UpsertHistoryRecord,
  UpsertResult,
} from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { type ClassicTestNode, classicFlow, ref } from "../../../dialects/src/testing/classic-file.ts";
import { foreignFlow, startNode } from "../../../dialects/src/testing/foreign-file.ts";
import { openScriptedPlatform } from "../../../server/src/testing/scripted-model.ts";
import { sendForm } from "../../../server/src/testing/send-form.ts";
import { agentWith, type openTestPlatform } from "../../../server/src/testing/test-platform.ts";

type Test = Parameters<typeof openTestPlatform>[0];

const refunds = "Refunds take five days.";
const shipping = "Parcels leave on Mondays.";
const file = (text: string) => `data:text/plain;base64,${btoa(text)},filename:shipping.txt`;

/** A chain that answers from vectors which its flow keeps itself. */
function chainOn(embeddings: string, inputs: ClassicTestNode["inputs"] = {}, ...more: ClassicTestNode[]): string {
  const nodes: ClassicTestNode[] = [
    { id: "chatOpenAI_0", inputs: { modelName: "scripted" } },
    {
      id: "faiss_0",
      label: "Faiss",
      inputs: { document: [ref("plainText_0")], embeddings: ref("localAIEmbeddings_0"), topK: "2", ...inputs },
    },
    { id: "plainText_0", label: "Rules", inputs: { text: refunds, textSplitter: ref("characterTextSplitter_0") } },
    { id: "characterTextSplitter_0", inputs: { chunkSize: "500", chunkOverlap: "0" } },
    { id: "localAIEmbeddings_0", inputs: { modelName: "scripted", basePath: embeddings } },
    ...more,
    {
      id: "conversationalRetrievalQAChain_0",
      inputs: { model: ref("chatOpenAI_0"), vectorStoreRetriever: ref("faiss_0"), returnSourceDocuments: true },
    },
  ];
  return JSON.stringify(classicFlow(nodes));
}

/** Searches what it may search, then answers. */
const searching: Script = ({ messages, tools }) => {
  const [tool] = tools ?? [];
  if (tool === undefined || messages.some(({ role }) => role === "tool")) return { text: "Five days." };
  return { toolCalls: [{ name: tool.function.name, arguments: JSON.stringify({ query: "refunds" }) }] };
};

async function open(t: Test, databases: TestDatabases) {
  const embeddings = await createScriptedEmbeddingServer();
  t.after(() => embeddings.close());
  const env = { EGRESS_ALLOW: new URL(embeddings.url).host };
  const platform = await openScriptedPlatform(t, databases, searching, { env });
  const chainWith = (...change: [ClassicTestNode["inputs"]?, ...ClassicTestNode[]]) =>
    chainOn(embeddings.url, ...change);
  const stores = () => platform.json<DocumentStore[]>("GET", "/document-store/store");
  const upsert = (agentId: string, body: object = {}) =>
    platform.json<UpsertResult>("POST", `/vector/upsert/${agentId}`, body);
  const ask = (agentId: string, question = "Refunds?") =>
    platform.json<PredictionResult>("POST", `/prediction/${agentId}`, { question });
  const refusal = async (agentId: string, body: object) => {
    const response = await platform.send("POST", `/vector/upsert/${agentId}`, body);
    return { status: response.status, ...((await response.json()) as { message: string }) };
  };
  return { platform, embeddings, chainWith, stores, upsert, ask, refusal };
}

const passagesOf = ({ sourceDocuments = [] }: PredictionResult) =>
  (sourceDocuments ?? []).map(({ pageContent }) => pageContent).sort();

await onTestDatabase((databases) => {
  describe("a store that a flow describes", () => {
    test("is made with the agent, filled by an upsert, and answers questions", async (t) => {
      const { platform, embeddings, chainWith, stores, upsert, ask } = await open(t, databases);
      const agentId = await agentWith(platform, chainWith());
      const [store, ...others] = await stores();
      assert.equal(others.length, 0);
      assert.ok(store);
      assert.deepEqual(
        [store.id, store.name.endsWith(" – Faiss"), store.status, JSON.parse(store.whereUsed)],
        [resolveStoreId("own:faiss_0", agentId), true, "NEW", [agentId]],
      );
      const config = { model: "scripted", baseUrl: embeddings.url };
      assert.deepEqual(JSON.parse(store.embeddingConfig), { name: "openai-compatible", config });
      const [loader] = JSON.parse(store.loaders) as { loaderName: string; splitterConfig: { chunkSize: number } }[];
      assert.deepEqual([loader?.loaderName, loader?.splitterConfig.chunkSize], ["Rules", 500]);

      assert.deepEqual(passagesOf(await ask(agentId)), []);
      const first = await upsert(agentId);
      assert.deepEqual([first.numAdded, first.storeId, first.addedDocs[0]?.pageContent], [1, store.id, refunds]);
      const answer = await ask(agentId);
      assert.deepEqual([answer.text, passagesOf(answer)], ["Five days.", [refunds]]);

      const again = await upsert(agentId);
      assert.deepEqual([again.numAdded, again.numSkipped], [0, 1]);
      const history = await platform.json<UpsertHistoryRecord[]>("GET", `/upsert-history/${agentId}?order=DESC`);
      assert.deepEqual(
        history.map(({ result }) => JSON.parse(result).numAdded),
        [0, 1],
      );
    });

    test("stays the same when the agent is saved, and is made again when it was deleted", async (t) => {
      const { platform, chainWith, stores, upsert, ask } = await open(t, databases);
      const agentId = await agentWith(platform, chainWith());
      const id = resolveStoreId("own:faiss_0", agentId);
      await platform.json("PUT", `/document-store/store/${id}`, { name: "Rules of the house" });
      await platform.json("PUT", `/chatflows/${agentId}`, { flowData: chainWith({ topK: "1" }) });
      const [kept, ...others] = await stores();
      assert.deepEqual(
        [kept?.name, others.length, JSON.parse(kept?.whereUsed ?? "[]")],
        ["Rules of the house", 0, [agentId]],
      );

      await platform.json("DELETE", `/document-store/store/${id}`);
      const failed = await platform.send("POST", `/prediction/${agentId}`, { question: "Refunds?" });
      assert.match(
        ((await failed.json()) as { message: string }).message,
        /own store was not made yet, or was deleted/,
      );
      assert.equal((await upsert(agentId)).numAdded, 1);
      assert.deepEqual(passagesOf(await ask(agentId)), [refunds]);
    });

    test("takes inputs of the flow's components for one upsert, and no others", async (t) => {
      const { platform, chainWith, upsert, ask, refusal } = await open(t, databases);
      const agentId = await agentWith(platform, chainWith());
      const added = await upsert(agentId, { stopNodeId: "faiss_0", overrideConfig: { text: shipping, chatId: "c" } });
      assert.deepEqual([added.numAdded, added.addedDocs[0]?.pageContent], [1, shipping]);
      const byId = { overrideConfig: { text: { plainText_0: `${refunds}\n\n${shipping}` }, chunkSize: 30 } };
      assert.equal((await upsert(agentId, byId)).numAdded, 2);
      assert.equal(passagesOf(await ask(agentId)).length, 2);
      for (const [overrideConfig, expected] of [
        [{ topK: 5 }, /overrideConfig\.topK has no effect on the agent's document store/],
        [{ modelName: "other" }, /overrideConfig\.modelName belongs to the document store/],
        [{ nothing: 1 }, /overrideConfig\.nothing cannot be overridden/],
      ] as const) {
        const { status, message } = await refusal(agentId, { overrideConfig });
        assert.equal(status, 422);
        assert.match(message, expected);
      }
    });

    test("takes files of a form, split as the flow says", async (t) => {
      const { platform, chainWith, upsert, ask } = await open(t, databases);
      const agentId = await agentWith(platform, chainWith());
      const long = `${"Parcels leave soon. ".repeat(20)}\n\n${"They arrive late. ".repeat(20)}`;
      const form = await sendForm(platform, `/vector/upsert/${agentId}`, [
        ["files", { name: "shipping.txt", bytes: long }],
        ["stopNodeId", "faiss_0"],
        ["chunkSize", "450"],
      ]);
      const result = (await form.json()) as UpsertResult;
      assert.equal(result.numAdded, 2, JSON.stringify(result));
      assert.ok(passagesOf(await ask(agentId)).length > 0);
      assert.equal((await upsert(agentId)).numAdded, 1, "the flow's own text is loaded beside the file");
    });

    test("loads files that the flow holds", async (t) => {
      const { platform, chainWith, upsert, ask } = await open(t, databases);
      const withFile = chainWith(
        { document: [ref("textFile_0")] },
        { id: "textFile_0", inputs: { txtFile: file(shipping) } },
      );
      const agentId = await agentWith(platform, withFile);
      assert.equal((await upsert(agentId)).numAdded, 1);
      assert.deepEqual(passagesOf(await ask(agentId)), [shipping]);
    });

    test("is one of several in a flow, and belongs to one agent", async (t) => {
      const { platform, chainWith, stores, upsert, ask, refusal } = await open(t, databases);
      const other: ClassicTestNode[] = [
        { id: "memoryVectorStore_0", inputs: { document: [ref("plainText_1")] } },
        { id: "plainText_1", inputs: { text: shipping } },
      ];
      const both = [ref("faiss_0"), ref("memoryVectorStore_0")];
      const flow = chainWith({}, ...other).replace(
        '"vectorStoreRetriever":"{{faiss_0.data.instance}}"',
        `"vectorStoreRetriever":${JSON.stringify(both)}`,
      );
      const agentId = await agentWith(
        platform,
        flow.replaceAll("conversationalRetrievalQAChain", "multiRetrievalQAChain"),
      );
      const { status, message } = await refusal(agentId, {});
      assert.equal(status, 400);
      assert.match(message, /stopNodeId to one of them: faiss_0, memoryVectorStore_0/);
      assert.equal((await upsert(agentId, { stopNodeId: "memoryVectorStore_0" })).addedDocs[0]?.pageContent, shipping);
      assert.deepEqual(passagesOf(await ask(agentId)), [shipping]);

      const alike = await agentWith(platform, flow.replaceAll('"label":"memoryVectorStore"', '"label":"Faiss"'));
      const names = (await stores()).filter(({ whereUsed }) => whereUsed.includes(alike)).map(({ name }) => name);
      assert.deepEqual(names.sort(), ["Agent – Faiss (faiss_0)", "Agent – Faiss (memoryVectorStore_0)"]);

      const copy = await agentWith(platform, chainWith());
      assert.deepEqual(passagesOf(await ask(copy)), []);
      assert.equal((await stores()).length, 5);
    });

    test("is searched with the flow's metadata filter", async (t) => {
      const { platform, chainWith, upsert, ask } = await open(t, databases);
      const other = { id: "plainText_1", inputs: { text: shipping, metadata: '{"topic":"shipping"}' } };
      const flow = chainWith({ document: [ref("plainText_0"), ref("plainText_1")] }, other)
        .replaceAll("faiss_0", "chroma_0")
        .replaceAll('"name":"faiss"', '"name":"chroma"')
        .replace('"topK":"2"', '"topK":"2","chromaMetadataFilter":{"topic":"shipping"}');
      const agentId = await agentWith(platform, flow);
      assert.equal((await upsert(agentId)).numAdded, 2);
      assert.deepEqual(passagesOf(await ask(agentId)), [shipping]);
    });

    test("leaves out what cannot be used, and the flow's findings say so", async (t) => {
      const { platform, chainWith, stores } = await open(t, databases);
      const page = { id: "cheerioWebScraper_0", inputs: { url: "no address" } };
      const flow = chainWith({ document: [ref("cheerioWebScraper_0"), ref("plainText_0")] }, page);
      await agentWith(platform, flow);
      const [store] = await stores();
      assert.equal(JSON.parse(store?.loaders ?? "[]").length, 1);
      const { findings } = await platform.json<FlowReading>("POST", "/flows/read", { flowData: flow });
      const said = findings.map(({ code, message }) => `${code} ${message}`).join("\n");
      assert.match(said, /store-incomplete .*"Faiss" is not complete: .*https:\/\//);
    });

    test("needs a credential for its embedding model, which is chosen in the store", async (t) => {
      const { platform, chainWith, embeddings, stores } = await open(t, databases);
      const flow = chainWith(
        { embeddings: ref("openAIEmbeddings_0") },
        { id: "openAIEmbeddings_0", inputs: { basepath: embeddings.url } },
      );
      const agentId = await agentWith(platform, flow);
      const findings = async () =>
        (await platform.json<Finding[]>("GET", `/chatflows/${agentId}/findings`))
          .filter(({ code }) => code === "store-incomplete")
          .map(({ message }) => message);
      assert.match((await findings()).join(), /"Faiss" is not complete: .*Document stores/);
      const [store] = await stores();
      const other = { name: "openai-compatible", config: { baseUrl: embeddings.url, model: "scripted" } };
      await platform.json("PUT", `/document-store/store/${store?.id}`, { embeddingConfig: JSON.stringify(other) });
      assert.deepEqual(await findings(), []);
    });

    test("embeds with the credential that its flow names, which may be sent to the flow's address", async (t) => {
      const { platform, chainWith, embeddings, upsert } = await open(t, databases);
      const { id: credential } = await platform.json<{ id: string }>("POST", "/credentials", {
        name: "Embeddings",
        credentialName: "openAIApi",
        plainDataObj: { openAIApiKey: "sk-own" },
      });
      const own = { id: "openAIEmbeddings_0", inputs: { basepath: embeddings.url, credential } };
      const agentId = await agentWith(platform, chainWith({ embeddings: ref("openAIEmbeddings_0") }, own));
      assert.equal((await upsert(agentId)).numAdded, 1);
      assert.match(JSON.stringify(embeddings.requests.map(({ headers }) => headers)), /sk-own/);
    });

    test("has its id in the native form of the flow, and is made by an import", async (t) => {
      const { platform, chainWith, stores, upsert, ask } = await open(t, databases);
      const { agent } = await platform.json<FlowImport>("POST", "/flows/import", {
        files: [{ name: "Rules.json", text: chainWith() }],
      });
      const id = resolveStoreId("own:faiss_0", agent.id);
      assert.ok(agent.flowData.includes(id) && !agent.flowData.includes("own:"));
      const [store] = await stores();
      assert.deepEqual([store?.id, store?.name], [id, "Rules – Faiss"]);
      const result = await upsert(agent.id, { stopNodeId: "faiss_0" });
      assert.deepEqual([result.numAdded, passagesOf(await ask(agent.id))], [1, [refunds]]);
      const agentId = agent.id;
      const read = await platform.json<FlowReading>("POST", "/flows/read", { flowData: chainWith(), agentId });
      assert.ok(JSON.stringify(read.flow).includes(id));
      assert.ok(!read.findings.some(({ level }) => level === "error"), JSON.stringify(read.findings));
    });

    test("is the knowledge of a V2 agent that names a vector store and an embedding model", async (t) => {
      const { platform, embeddings, upsert, ask } = await open(t, databases);
      const knowledge = {
        vectorStore: "pinecone",
        vectorStoreConfig: { pineconeIndex: "films" },
        embeddingModel: "localAIEmbeddings",
        embeddingModelConfig: { modelName: "scripted", basePath: embeddings.url },
        knowledgeName: "rules",
        knowledgeDescription: "The rules",
        returnSourceDocuments: true,
      };
      const agent = {
        id: "agentAgentflow_0",
        inputs: {
          agentModel: "chatOpenAI",
          agentModelConfig: { modelName: "scripted" },
          agentKnowledgeVSEmbeddings: [knowledge],
        },
      };
      const flow = JSON.stringify(foreignFlow([startNode, agent], ["startAgentflow_0>agentAgentflow_0"]));
      const agentId = await agentWith(platform, flow);
      assert.equal((await upsert(agentId, { overrideConfig: { text: refunds } })).numAdded, 1);
      assert.deepEqual(passagesOf(await ask(agentId)), [refunds]);
    });
  });
});
