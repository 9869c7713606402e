import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { type ClassicTestNode, classicFlow, ref } from "../testing/classic-file.ts";
import { codesOf } from "../testing/foreign-file.ts";
import { closeSandbox, compileClassic, runClassic } from "../testing/run-classic.ts";

const model: ClassicTestNode = { id: "chatOpenAI_0" };

const documents = ["one", "two"].map((pageContent) => ({ pageContent, metadata: {} }));

after(closeSandbox);

describe("loaders", () => {
  const withText = (loader: ClassicTestNode) =>
    classicFlow([
      model,
      { ...loader, output: "text" },
      { id: "promptTemplate_0", inputs: { template: "Know {facts}", promptValues: { facts: ref(loader.id) } } },
      { id: "llmChain_0", inputs: { model: ref("chatOpenAI_0"), prompt: ref("promptTemplate_0") } },
    ]);

  it("give their text to prompts", async () => {
    const file = (text: string) => `data:text/plain;base64,${Buffer.from(text).toString("base64")},filename:a.txt`;
    const cases: [ClassicTestNode, string][] = [
      [{ id: "plainText_0", inputs: { text: "a {b} {{$vars.place}}", metadata: '{"k":1}' } }, "a {b} Ulm"],
      [{ id: "textFile_0", inputs: { txtFile: file("größer {{ x }}") } }, "größer {{ x }}"],
      [{ id: "textFile_0", inputs: { txtFile: JSON.stringify([file("one"), file("two")]) } }, "one\ntwo"],
    ];
    for (const [loader, text] of cases) {
      assert.deepEqual((await runClassic(withText(loader), { vars: { place: "Ulm" } })).said, [[`user: Know ${text}`]]);
    }
  });

  it("whose text is elsewhere stop the flow, and say what to do", () => {
    for (const loader of [{ id: "pdfFile_0" }, { id: "textFile_0", inputs: { txtFile: "FILE-STORAGE::a.txt" } }]) {
      const { findings } = compileClassic(withText(loader));
      assert.deepEqual(codesOf(findings), ["error loader-text"]);
      assert.match(findings[0]?.message ?? "", /Put it into the prompt/);
    }
  });

  it("give passages of a store to prompts", async () => {
    const document = classicFlow([
      model,
      { id: "memoryVectorStore_0", inputs: { topK: 3 }, output: "vectorStore" },
      {
        id: "vectorStoreToDocument_0",
        output: "text",
        inputs: { vectorStore: ref("memoryVectorStore_0"), query: "", minScore: "" },
      },
      {
        id: "promptTemplate_0",
        inputs: { template: "{passages}!", promptValues: { passages: ref("vectorStoreToDocument_0") } },
      },
      { id: "llmChain_0", inputs: { model: ref("chatOpenAI_0"), prompt: ref("promptTemplate_0") } },
    ]);
    const findings = ["warning store-embeddings", "warning store-own"];
    const { said, searches } = await runClassic(document, { documents, findings });
    assert.deepEqual(said, [["user: one\n\ntwo!"]]);
    assert.deepEqual(searches, [{ storeId: "own:memoryVectorStore_0", query: "hello", topK: 3 }]);
  });

  it("give the passages of a retriever to prompts", async () => {
    const document = classicFlow([
      model,
      { id: "documentStoreVS_0", output: "retriever", inputs: { selectedStore: "s-1" } },
      {
        id: "HydeRetriever_0",
        output: "text",
        inputs: { vectorStore: ref("documentStoreVS_0"), query: "films like {{question}}" },
      },
      {
        id: "promptTemplate_0",
        inputs: { template: "{passages}!", promptValues: { passages: ref("HydeRetriever_0") } },
      },
      { id: "llmChain_0", inputs: { model: ref("chatOpenAI_0"), prompt: ref("promptTemplate_0") } },
    ]);
    const { said, searches } = await runClassic(document, { documents });
    assert.deepEqual(said, [["user: one\n\ntwo!"]]);
    assert.deepEqual(
      searches.map(({ query, settings }) => [query, settings]),
      [["films like hello", { hypothetical: true }]],
    );
  });
});
