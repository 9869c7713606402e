import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@weft/schema";
import { type ClassicTestNode, ref } from "../testing/classic-file.ts";
import { codesOf } from "../testing/foreign-file.ts";
import { compileClassic } from "../testing/run-classic.ts";
import { searchOf, withStore } from "../testing/search-flow.ts";

const store: ClassicTestNode = { id: "documentStoreVS_0", output: "retriever", inputs: { selectedStore: "s-1" } };

const codes = (document: JsonObject) => codesOf(compileClassic(document).findings);

describe("stores of retrievers", () => {
  const behind = (id: string, inputs: JsonObject) =>
    withStore(
      {
        id,
        inputs: {
          [/^(Hyde|multi|similarity|extract)/.test(id) ? "vectorStore" : "baseRetriever"]: ref(store.id),
          ...inputs,
        },
      },
      store,
    );

  it("are searched by settings that stand for their retrievers", () => {
    const chatModel = { provider: "openai" };
    const asked = { model: ref("chatOpenAI_0") };
    const cases: [id: string, inputs: JsonObject, search: JsonObject, topK: number | undefined, codes: string[]][] = [
      [
        "cohereRerankRetriever_0",
        { model: "rerank-v3.5", credential: "c-1", topK: 3, maxChunksPerDoc: 10 },
        { rerank: { provider: "cohere", model: "rerank-v3.5", credential: "c-1", candidates: 30 } },
        3,
        [],
      ],
      [
        "JinaRerankRetriever_0",
        { model: "jina-colbert-v2", topN: 6 },
        { rerank: { provider: "jina", model: "jina-colbert-v2", candidates: 30 } },
        6,
        ["warning reranker-credential-missing"],
      ],
      [
        "voyageAIRerankRetriever_0",
        { credential: "c-1" },
        { rerank: { provider: "voyage", credential: "c-1", candidates: 30 } },
        undefined,
        [],
      ],
      ["multiQueryRetriever_0", asked, { variants: 3, chatModel }, undefined, []],
      ["RRFRetriever_0", { ...asked, queryCount: 9, topK: 2, c: 60 }, { variants: 5, chatModel }, 2, []],
      ["HydeRetriever_0", { ...asked, promptKey: "websearch" }, { hypothetical: true, chatModel }, undefined, []],
      [
        "HydeRetriever_0",
        { ...asked, customPrompt: "Write." },
        { hypothetical: true, chatModel },
        undefined,
        ["warning hyde-prompt"],
      ],
      [
        "similarityThresholdRetriever_0",
        { minSimilarityScore: 80, maxK: 20 },
        { scoreThreshold: 0.4 },
        20,
        ["warning threshold-other-scale"],
      ],
      [
        "llmFilterRetriever_0",
        asked,
        { rerank: { provider: "chat-model", candidates: 4 }, scoreThreshold: 0.4, chatModel },
        undefined,
        ["warning filter-by-relevance"],
      ],
    ];
    for (const [id, inputs, search, topK, expected] of cases) {
      const document = behind(id, inputs);
      const { stores, search: settings } = searchOf(document);
      assert.deepEqual(stores, [{ storeId: "s-1", ...(topK === undefined ? {} : { topK }) }], id);
      assert.deepEqual(settings, search, id);
      assert.deepEqual(codes(document), expected, id);
    }
  });

  it("are searched for variety where they were", () => {
    const inputs = { topK: 5, searchType: "mmr", lambda: 0.3, fetchK: 20 };
    const { stores, search } = searchOf(withStore({ id: "faiss_0", inputs }));
    assert.deepEqual(search, { mmrLambda: 0.3 });
    assert.equal((stores as JsonObject[])[0]?.topK, 5);
  });

  it("are searched plainly where a retriever made more of it than can be set", () => {
    const columns = [{ key: "topic", type: "String", description: "What it is about" }];
    const cases: [id: string, inputs: JsonObject, code: string, advice: RegExp][] = [
      [
        "AzureRerankRetriever_0",
        { model: "Cohere-rerank-v4.0-fast", credential: "c-1", maxChunksPerDoc: 10 },
        "reranker-on-azure",
        /Choose Cohere as the reranker.*base URL.*key of Azure/,
      ],
      [
        "extractMetadataRetriever_0",
        {
          model: ref("chatOpenAI_0"),
          dynamicMetadataFilterRetrieverPrompt: "Extract keywords from the query: {{query}}",
          dynamicMetadataFilterRetrieverStructuredOutput: columns,
        },
        "filter-from-question",
        /LLM step with structured output before the search.*\{\{ … \}\}/,
      ],
      ["promptRetriever_1", {}, "retriever-plain", /Check that its passages are good enough/],
    ];
    for (const [id, inputs, code, advice] of cases) {
      const document = behind(id, { topK: 3, ...inputs });
      const { stores, search } = searchOf(document);
      assert.deepEqual([stores, search], [[{ storeId: "s-1", topK: 3 }], undefined], id);
      const { findings } = compileClassic(document);
      assert.deepEqual(codesOf(findings), [`warning ${code}`], id);
      assert.match(findings[0]?.message ?? "", advice);
    }
  });
});
