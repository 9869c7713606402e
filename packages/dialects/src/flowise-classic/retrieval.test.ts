import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { Json, JsonObject } from "@weft/schema";
import { overrideOwnStores, ownStoresOf } from "../read-flow.ts";
import { type ClassicTestNode, classicFlow, ref } from "../testing/classic-file.ts";
import { codesOf, nodeOf } from "../testing/foreign-file.ts";
import { closeSandbox, compileClassic, runClassic } from "../testing/run-classic.ts";
import { searchOf, withStore } from "../testing/search-flow.ts";

const model: ClassicTestNode = { id: "chatOpenAI_0" };
const store: ClassicTestNode = { id: "documentStoreVS_0", output: "retriever", inputs: { selectedStore: "s-1" } };
const documents = [
  { pageContent: "one", metadata: { source: "a" } },
  { pageContent: "two", metadata: {} },
];
const history = [
  { role: "userMessage", content: "Where is the bakery?" },
  { role: "apiMessage", content: "In Ulm." },
] as const;

function chain(id: string, inputs: JsonObject, ...more: ClassicTestNode[]): JsonObject {
  const wired = { model: ref("chatOpenAI_0"), vectorStoreRetriever: ref("documentStoreVS_0"), ...inputs };
  return classicFlow([model, store, ...more, { id, inputs: wired }]);
}

const codes = (document: JsonObject) => codesOf(compileClassic(document).findings);

after(closeSandbox);

describe("conversationalRetrievalQAChain", () => {
  const document = chain("conversationalRetrievalQAChain_0", {
    rephrasePrompt: "{chat_history}\n{question} alone:",
    responsePrompt: "From: {context}",
    returnSourceDocuments: true,
  });

  it("searches with the question first, and later with a question that needs nothing before it", async () => {
    const first = await runClassic(document, { script: [{ text: "At 8." }], documents });
    assert.deepEqual(first.searches, [{ storeId: "s-1", query: "hello" }]);
    assert.deepEqual(first.said, [["system: From: one\n\ntwo", "user: hello"]]);
    assert.match(JSON.stringify(first.events), /"sourceDocuments":\[\{"pageContent":"one"/);
    const later = await runClassic(document, {
      script: [{ text: "When does it open?" }, { text: "At 8." }],
      documents,
      history: [...history],
    });
    assert.equal(later.text, "At 8.");
    assert.deepEqual(
      later.searches.map(({ query }) => query),
      ["When does it open?"],
    );
    assert.deepEqual(later.said, [
      ["user: Human: Where is the bakery?\nAssistant: In Ulm.\nhello alone:"],
      ["system: From: one\n\ntwo", "user: Where is the bakery?", "assistant: In Ulm.", "user: hello"],
    ]);
  });

  it("has prompts of its own where the file has none", async () => {
    const bare = chain("conversationalRetrievalQAChain_0", {});
    const { said, events } = await runClassic(bare, {
      script: [{ text: "x" }, { text: "y" }],
      documents,
      history: [...history],
    });
    assert.match(said[0]?.[0] ?? "", /Where is the bakery\?/);
    assert.match(said[1]?.[0] ?? "", /one\n\ntwo/);
    assert.doesNotMatch(JSON.stringify(events), /"sourceDocuments"/);
  });

  it("takes the instructions of earlier versions", async () => {
    const old = chain("conversationalRetrievalQAChain_0", {
      systemMessagePrompt: "Be brief.",
      responsePrompt: "unused",
    });
    const { said } = await runClassic(old, { documents });
    assert.match(said[0]?.[0] ?? "", /^system: Be brief\.\n\nUse the passages[\s\S]*one\n\ntwo$/);
  });

  it("searches with the question alone where nothing is remembered", async () => {
    const memory = { id: "bufferWindowMemory_0", inputs: { k: 0 } };
    const forgetful = chain("conversationalRetrievalQAChain_0", { memory: ref("bufferWindowMemory_0") }, memory);
    const { order } = await runClassic(forgetful, { history: [...history] });
    assert.deepEqual(order, ["start", "conversationalRetrievalQAChain_0_search", "conversationalRetrievalQAChain_0"]);
  });

  it("fails when the store does", async () => {
    const { end } = await runClassic(document, {
      services: { retriever: { retrieve: () => Promise.reject(new Error("gone")) } },
    });
    assert.equal(end?.type, "run-failed");
  });
});

describe("chains that answer from stores", () => {
  it("answer without memory or sources", async () => {
    for (const id of ["retrievalQAChain_0", "vectorDBQAChain_0", "vectaraQAChain_0"]) {
      const input =
        { retrievalQAChain_0: "vectorStoreRetriever", vectorDBQAChain_0: "vectorStore" }[id] ?? "vectaraStore";
      const document = classicFlow([
        model,
        store,
        { id, inputs: { model: ref("chatOpenAI_0"), [input]: ref("documentStoreVS_0") } },
      ]);
      const { said, text, events } = await runClassic(document, {
        script: [{ text: "ok" }],
        documents,
        history: [...history],
      });
      assert.equal(text, "ok", id);
      assert.match(said[0]?.[0] ?? "", /one\n\ntwo/);
      assert.equal(said[0]?.length, 2);
      assert.doesNotMatch(JSON.stringify(events), /"sourceDocuments"/);
    }
  });

  it("search one store, or several without a name, without choosing", async () => {
    const two = [ref("documentStoreVS_0"), ref("documentStoreVS_1")];
    const other = { id: "documentStoreVS_1", inputs: { selectedStore: "s-2" } };
    const document = chain(
      "multiRetrievalQAChain_0",
      { vectorStoreRetriever: two, returnSourceDocuments: true },
      other,
    );
    const { searches, calls } = await runClassic(document, { script: [{ text: "ok" }], documents });
    assert.deepEqual(
      searches.map(({ storeId }) => storeId),
      ["s-1", "s-2"],
    );
    assert.equal(calls.length, 1);
  });

  it("choose among stores with a name, or none", async () => {
    const named = (id: string, name: string): ClassicTestNode => ({
      id,
      inputs: { name, description: `About ${name}`, vectorStore: ref("documentStoreVS_0") },
    });
    const both = [ref("vectorStoreRetriever_0"), ref("vectorStoreRetriever_1")];
    const document = chain(
      "multiRetrievalQAChain_0",
      { vectorStoreRetriever: both },
      named("vectorStoreRetriever_0", "cats"),
      named("vectorStoreRetriever_1", "dogs"),
    );
    const dogs = await runClassic(document, {
      script: [{ text: '{"scenario":"route_1"}' }, { text: "Woof" }],
      documents,
    });
    assert.equal(dogs.text, "Woof");
    assert.match(dogs.said[0]?.[0] ?? "", /dogs: About dogs/);
    assert.equal(dogs.searches.length, 1);
    const none = await runClassic(document, {
      script: [{ text: '{"scenario":"else"}' }, { text: "Plain" }],
      documents,
    });
    assert.deepEqual([none.text, none.searches], ["Plain", []]);
  });

  it("choose among prompts", async () => {
    const prompt = (id: string, name: string): ClassicTestNode => ({
      id,
      inputs: {
        name,
        description: `Good at ${name}`,
        systemMessage: `You teach ${name}.${name === "music" ? " {input}" : ""}`,
      },
    });
    const document = classicFlow([
      model,
      prompt("promptRetriever_0", "maths"),
      prompt("promptRetriever_1", "music"),
      {
        id: "multiPromptChain_0",
        inputs: { model: ref("chatOpenAI_0"), promptRetriever: [ref("promptRetriever_0"), ref("promptRetriever_1")] },
      },
    ]);
    const { said, text } = await runClassic(document, { script: [{ text: '{"scenario":"route_0"}' }, { text: "4" }] });
    assert.deepEqual([text, said[1]], ["4", ["system: You teach maths.", "user: hello"]]);
    const music = await runClassic(document, { script: [{ text: '{"scenario":"route_1"}' }, { text: "C" }] });
    assert.deepEqual(music.said[1], ["user: You teach music. hello"]);
    const none = classicFlow([model, { id: "multiPromptChain_0", inputs: { model: ref("chatOpenAI_0") } }]);
    assert.deepEqual(codes(none), ["error prompt-missing"]);
  });
});

describe("stores", () => {
  it("that a flow keeps itself become stores of the agent, with all that is wired to them", async () => {
    const document = withStore(
      {
        id: "memoryVectorStore_0",
        label: "Handbook",
        inputs: { document: [ref("plainText_0")], embeddings: ref("openAIEmbeddings_0"), topK: "7" },
      },
      { id: "plainText_0", inputs: { text: "Refunds take five days.", textSplitter: ref("tokenTextSplitter_0") } },
      { id: "tokenTextSplitter_0", inputs: { chunkSize: 300 } },
      { id: "openAIEmbeddings_0", inputs: { modelName: "text-embedding-3-small", credential: "c-1" } },
    );
    const run = { findings: ["warning store-own"], script: [{ text: "found" }], documents };
    const { text, searches, order } = await runClassic(document, run);
    assert.equal(text, "found");
    assert.deepEqual(searches, [{ storeId: "own:memoryVectorStore_0", query: "hello", topK: 7 }]);
    assert.deepEqual(order, ["start", "retrievalQAChain_0_search", "retrievalQAChain_0"]);
    const splitter = { name: "tokenTextSplitter", config: { chunkSize: 300 } };
    assert.deepEqual(nodeOf(compileClassic(document).flow, "memoryVectorStore_0").config, {
      storeId: "own:memoryVectorStore_0",
      splitter,
    });
    assert.deepEqual(JSON.parse(JSON.stringify(ownStoresOf(JSON.stringify(document)))), [
      {
        key: "memoryVectorStore_0",
        label: "Handbook",
        embedding: { name: "openai", config: { model: "text-embedding-3-small", credential: "c-1" } },
        splitter,
        loaders: [
          {
            label: "plainText",
            loader: { name: "plainText", config: { text: "Refunds take five days." } },
            splitter,
          },
        ],
      },
    ]);
  });

  it("keep the embedding model behind a cache, which is left out", () => {
    for (const cache of ["inMemoryEmbeddingCache_0", "redisEmbeddingsCache_0"]) {
      const document = withStore(
        { id: "memoryVectorStore_0", inputs: { document: [], embeddings: ref(cache) } },
        { id: cache, inputs: { embeddings: ref("openAIEmbeddings_0"), namespace: "films" } },
        { id: "openAIEmbeddings_0", inputs: { modelName: "text-embedding-3-small" } },
      );
      const [store] = ownStoresOf(JSON.stringify(document));
      assert.deepEqual(store?.embedding, { name: "openai", config: { model: "text-embedding-3-small" } });
      assert.deepEqual(codes(document), ["warning cache-left-out", "warning store-own"], cache);
    }
  });

  it("that other databases keep stay there where this server can write to them", () => {
    const document = withStore(
      {
        id: "qdrant_0",
        inputs: {
          qdrantServerUrl: "https://q.example",
          qdrantCollection: "films",
          qdrantVectorDimension: 1536,
          credential: "c-2",
          embeddings: ref("AWSBedrockEmbeddings_0"),
          recordManager: ref("SQLiteRecordManager_0"),
        },
      },
      { id: "AWSBedrockEmbeddings_0", inputs: { region: "eu-central-1", model: "amazon.titan-embed-text-v2:0" } },
      { id: "SQLiteRecordManager_0", inputs: { cleanup: "full", namespace: "x" } },
    );
    const [store] = ownStoresOf(JSON.stringify(document));
    assert.deepEqual(store?.vectorStore, { name: "qdrant", config: { url: "https://q.example", credential: "c-2" } });
    assert.deepEqual(store?.embedding?.config, {
      baseUrl: "https://bedrock-runtime.eu-central-1.amazonaws.com",
      model: "amazon.titan-embed-text-v2:0",
    });
    assert.deepEqual(store?.recordManager, { name: "built-in", config: { cleanup: "full" } });
    assert.deepEqual(codes(document), ["warning store-own", "warning store-settings-ignored"]);
    const said = JSON.stringify(compileClassic(document).findings);
    assert.match(
      said,
      /same database[\s\S]*What the vector store holds now is not read[\s\S]*document store: qdrantCollection\. Check/,
    );
  });

  it("say what does not come along, without passwords", () => {
    const document = withStore(
      {
        id: "pinecone_0",
        inputs: {
          document: [ref("github_0"), ref("pdfFile_0"), ref("textFile_0")],
          pineconeIndex: "films",
          pineconeMetadataFilter: { a: 1 },
          embeddings: ref("voyageAIEmbeddings_0"),
        },
      },
      { id: "github_0", inputs: { repoLink: "https://me:pw1@git.example/x", textSplitter: ref("otherSplitter_0") } },
      { id: "pdfFile_0", inputs: { pdfFile: 'FILE-STORAGE::["a.pdf"]' } },
      { id: "textFile_0", inputs: { textSplitter: ref("otherSplitter_0") } },
      { id: "otherSplitter_0", inputs: { chunkSize: 1 } },
      { id: "voyageAIEmbeddings_0", inputs: { modelName: "voyage-2" } },
    );
    const { findings } = compileClassic(document);
    assert.deepEqual(codesOf(findings), [
      "warning store-own",
      "warning store-embeddings",
      "warning store-splitter",
      "warning store-loader",
      "warning store-files",
      "warning store-settings-ignored",
    ]);
    const said = findings.map(({ message }) => message).join(" ");
    assert.match(
      said,
      /voyage-2[\s\S]*otherSplitter \(chunkSize 1\)[\s\S]*github \(repoLink[\s\S]*pdfFile[\s\S]*pineconeIndex/,
    );
    assert.doesNotMatch(said, /pw1/);
    assert.deepEqual(ownStoresOf(JSON.stringify(document))[0]?.loaders, []);
  });

  it("are searched with the filter that metadata must meet, and say where a filter wants what none can", async () => {
    const filtered = (filter: Json, name = "pinecone", input = "pineconeMetadataFilter") =>
      withStore(
        { id: `${name}_0`, inputs: { [input]: filter, embeddings: ref("openAIEmbeddings_0") } },
        { id: "openAIEmbeddings_0" },
      );
    const equal = filtered('{"source":{"$eq":"{{question}}"},"year":2020}');
    const { searches } = await runClassic(equal, { findings: ["warning store-own"], documents });
    assert.deepEqual(searches, [
      { storeId: "own:pinecone_0", query: "hello", topK: 4, filter: { source: "hello", year: 2020 } },
    ]);
    const later = { year: { $gt: 2020 }, $or: [{ source: "a" }, { source: { $in: ["b"] } }] };
    assert.deepEqual(searchOf(filtered(JSON.stringify(later))).stores, [
      { storeId: "own:pinecone_0", topK: 4, filter: later },
    ]);
    for (const more of ['{"year":{"$near":2020}}', '{"$nor":[{"a":1}]}', '["a"]', "no JSON"]) {
      assert.deepEqual(searchOf(filtered(more)).stores, [{ storeId: "own:pinecone_0", topK: 4 }], more);
      assert.deepEqual(codes(filtered(more)), ["warning store-own", "warning store-settings-ignored"], more);
    }
  });

  it("of a vendor's retriever have to be made, and the finding says of what", () => {
    const document = withStore({ id: "awsBedrockKBRetriever_0", inputs: { knoledgeBaseID: "kb-1", topK: 5 } });
    assert.deepEqual(codes(document), ["error store-choose", "error node-config-invalid"]);
    assert.match(compileClassic(document).findings[0]?.message ?? "", /knoledgeBaseID kb-1/);
  });

  it("change with inputs that callers replace, and say which of them have no effect", () => {
    const text = JSON.stringify(
      withStore(
        { id: "faiss_0", inputs: { document: [ref("plainText_0")], basePath: "/a" } },
        { id: "plainText_0", inputs: { text: "one", textSplitter: ref("tokenTextSplitter_0") } },
        { id: "tokenTextSplitter_0", inputs: { chunkSize: 300 } },
      ),
    );
    const overridden = overrideOwnStores(text, {
      text: "two",
      chunkSize: 50,
      basePath: "/b",
      temperature: 1,
      other: 1,
    });
    assert.deepEqual([overridden?.unknown, overridden?.idle], [["temperature", "other"], ["basePath"]]);
    assert.equal(overridden?.stores[0]?.loaders[0]?.loader.config.text, "two");
    assert.equal(overridden?.stores[0]?.splitter?.config.chunkSize, 50);
    assert.equal(overrideOwnStores('{"weft":1,"nodes":[],"edges":[]}', { text: "two" }), undefined);
  });

  it("that load a document store are that document store", () => {
    const document = withStore(
      { id: "faiss_0", inputs: { document: [ref("documentStore_0")], embeddings: ref("openAIEmbeddings_0") } },
      { id: "documentStore_0", inputs: { selectedStore: "s-3" } },
      { id: "openAIEmbeddings_0", inputs: { modelName: "m" } },
    );
    assert.deepEqual(searchOf(document).stores, [{ storeId: "s-3", topK: 4 }]);
    assert.deepEqual(codes(document), []);
  });

  it("are missing where none is wired or chosen", () => {
    const alone = classicFlow([model, { id: "retrievalQAChain_0", inputs: { model: ref("chatOpenAI_0") } }]);
    const unchosen = withStore({ id: "documentStoreVS_0", inputs: { selectedStore: "" } });
    for (const document of [alone, unchosen]) {
      assert.deepEqual(codes(document), ["error store-missing", "error node-config-invalid"]);
    }
  });
});

describe("a chatflow that only fills its stores", () => {
  const text = { id: "plainText_0", inputs: { text: "Refunds take five days." } };

  it("keeps them, and answers with the passages found", async () => {
    const document = classicFlow([
      text,
      { id: "memoryVectorStore_0", inputs: { document: ref("plainText_0"), topK: 2 } },
    ]);
    const findings = ["warning flow-only-fills", "warning store-embeddings", "warning store-own"];
    const { text: answer, searches } = await runClassic(document, { findings, documents });
    assert.equal(answer, "one\n\ntwo");
    assert.deepEqual(searches, [{ storeId: "own:memoryVectorStore_0", query: "hello", topK: 2 }]);
    assert.equal(ownStoresOf(JSON.stringify(document)).length, 1);
  });

  it("keeps several, and none where another component uses it", () => {
    const filled = (id: string) => ({ id, inputs: { document: ref("plainText_0") } });
    const two = compileClassic(classicFlow([text, filled("faiss_0"), filled("qdrant_0")]));
    assert.deepEqual(
      two.flow.nodes.map(({ type }) => type).filter((type) => type === "retriever"),
      ["retriever", "retriever"],
    );
    assert.deepEqual(codes(classicFlow([text])), ["error ending-missing"]);
  });
});
