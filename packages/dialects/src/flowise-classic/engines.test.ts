import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { JsonObject } from "@weft/schema";
import { type ClassicTestNode, classicFlow, ref } from "../testing/classic-file.ts";
import { codesOf, nodeOf } from "../testing/foreign-file.ts";
import { closeSandbox, compileClassic, runClassic } from "../testing/run-classic.ts";

const model: ClassicTestNode = { id: "chatOpenAI_LlamaIndex_0", inputs: { modelName: "m" } };
const memory: ClassicTestNode = { id: "bufferMemory_0" };
const store: ClassicTestNode = {
  id: "simpleStoreLlamaIndex_0",
  inputs: { model: ref("chatOpenAI_LlamaIndex_0"), embeddings: ref("openAIEmbedding_LlamaIndex_0"), topK: 2 },
};
const embeddings: ClassicTestNode = { id: "openAIEmbedding_LlamaIndex_0" };
const history = [
  { role: "userMessage", content: "I am Ada" },
  { role: "apiMessage", content: "Hi Ada" },
] as const;
const documents = [{ pageContent: "one", metadata: {} }];
const open = ["warning store-own"];

after(closeSandbox);

describe("engines", () => {
  it("chat with instructions as the system's words", async () => {
    const inputs = { model: ref(model.id), memory: ref("bufferMemory_0"), systemMessagePrompt: "Be kind." };
    const { said, text } = await runClassic(classicFlow([model, memory, { id: "simpleChatEngine_0", inputs }]), {
      script: [{ text: "ok" }],
      history: [...history],
    });
    assert.equal(text, "ok");
    assert.deepEqual(said, [["system: Be kind.", "user: I am Ada", "assistant: Hi Ada", "user: hello"]]);
  });

  it("chat from a store", async () => {
    const inputs = {
      model: ref(model.id),
      memory: ref("bufferMemory_0"),
      vectorStoreRetriever: ref(store.id),
      systemMessagePrompt: "Be kind.",
    };
    const document = classicFlow([model, memory, store, embeddings, { id: "contextChatEngine_0", inputs }]);
    const run = { findings: open, documents, history: [...history] };
    const { said } = await runClassic(document, run);
    assert.match(said[0]?.[0] ?? "", /^system: Be kind\.[\s\S]*one$/);
    assert.equal(said[0]?.length, 4);
  });

  it("answer from a store with its model, in the words of a synthesizer", async () => {
    const synthesisers: [ClassicTestNode, string, string[]][] = [
      [
        { id: "compactrefineLlamaIndex_0", inputs: { textQAPrompt: "{context}? {query}", refinePrompt: "{x}" } },
        "one? hello",
        ["warning refine-left-out", ...open],
      ],
      [{ id: "treeSummarizeLlamaIndex_0", inputs: { prompt: "{query}: {context}" } }, "hello: one", open],
    ];
    for (const [synthesiser, prompt, findings] of synthesisers) {
      const inputs = { vectorStoreRetriever: ref(store.id), responseSynthesizer: ref(synthesiser.id) };
      const document = classicFlow([model, store, embeddings, synthesiser, { id: "queryEngine_0", inputs }]);
      const { said } = await runClassic(document, { findings, documents });
      assert.deepEqual(said, [[`user: ${prompt}`]]);
      assert.deepEqual(nodeOf(compileClassic(document).flow, "queryEngine_0").config.model, {
        provider: "openai",
        model: "m",
      });
    }
  });

  it("look up the parts of a question with the tool that fits", async () => {
    const tool: ClassicTestNode = {
      id: "queryEngineToolLlamaIndex_0",
      inputs: { baseQueryEngine: ref("queryEngine_0"), toolName: "films", toolDesc: "Knows films" },
    };
    const inner: ClassicTestNode = { id: "queryEngine_0", inputs: { vectorStoreRetriever: ref(store.id) } };
    const inputs: JsonObject = { model: ref(model.id), queryEngineTools: [ref(tool.id)], returnSourceDocuments: true };
    const document = classicFlow([model, store, embeddings, inner, tool, { id: "subQuestionQueryEngine_0", inputs }]);
    const { text, searches } = await runClassic(document, {
      findings: open,
      script: [{ toolCalls: [{ name: "films", arguments: { query: "a part" } }] }, { text: "All of it." }],
      documents,
    });
    assert.equal(text, "All of it.");
    assert.deepEqual(
      searches.map(({ query }) => query),
      ["a part"],
    );
    assert.deepEqual(nodeOf(compileClassic(document).flow, "subQuestionQueryEngine_0").config.knowledge, [
      {
        storeId: "own:simpleStoreLlamaIndex_0",
        name: "films",
        description: "Knows films",
        topK: 2,
        returnSourceDocuments: true,
      },
    ]);
  });
});

describe("chains that call an API", () => {
  const asked: [string, string, unknown, unknown][] = [];
  const http = {
    async request({
      method,
      url,
      body,
      headers,
    }: {
      method: string;
      url: string;
      body?: unknown;
      headers?: Record<string, string>;
    }) {
      asked.push([method, url, body, headers?.["x-key"]]);
      return {
        status: 200,
        statusText: "OK",
        headers: {},
        truncated: false,
        url,
        body: new TextEncoder().encode('{"t":21}'),
      };
    },
  };

  it("have a model write the call and word the response", async () => {
    const inputs = { model: ref(model.id), apiDocs: "GET /t?city={city}", headers: '{"x-key":"{{$vars.k}}"}' };
    const document = classicFlow([model, { id: "getApiChain_0", inputs }]);
    const script = [{ text: "https://api.example/t?city=Ulm" }, { text: "21 degrees" }];
    const { text, said } = await runClassic(document, { script, services: { http }, vars: { k: "v" } });
    assert.equal(text, "21 degrees");
    assert.deepEqual(asked.splice(0), [["GET", "https://api.example/t?city=Ulm", undefined, "v"]]);
    assert.match(said[0]?.[0] ?? "", /GET \/t\?city=\{city\}[\s\S]*hello/);
    assert.match(said[1]?.[0] ?? "", /https:\/\/api\.example\/t\?city=Ulm[\s\S]*\{"t":21\}/);
  });

  it("send what the model wrote", async () => {
    const inputs = {
      model: ref(model.id),
      apiDocs: "POST /t",
      urlPrompt: "{api_docs} {question}",
      ansPrompt: "{api_response}?",
    };
    const document = classicFlow([model, { id: "postApiChain_0", inputs }]);
    const script = [{ text: '{"url":"https://api.example/t","data":{"a":"{{ question }}"}}' }, { text: "sent" }];
    const { text, said } = await runClassic(document, { script, services: { http } });
    assert.equal(text, "sent");
    assert.deepEqual(asked.splice(0), [["POST", "https://api.example/t", '{"a":"{{ question }}"}', undefined]]);
    assert.deepEqual(said, [["user: POST /t hello"], ['user: {"t":21}?']]);
  });

  it("call the operation of a description that fits, whose response is the answer", async () => {
    const inputs = { model: ref(model.id), yamlLink: "https://api.example/openapi.yaml", headers: '{"a":"b"}' };
    const document = classicFlow([model, { id: "openApiChain_0", inputs }]);
    const { text } = await runClassic(document, {
      script: [{ toolCalls: [{ name: "list", arguments: {} }] }],
      tools: () => [
        {
          name: "list",
          description: "",
          parameters: { type: "object" },
          kind: "read",
          effect: "read",
          call: async () => ({ content: "raw", returnDirect: true }),
        },
      ],
    });
    assert.equal(text, "raw");
    const missing = classicFlow([model, { id: "openApiChain_0", inputs: { model: ref(model.id) } }]);
    assert.deepEqual(codesOf(compileClassic(missing).findings), ["error tool-file-missing"]);
  });
});

describe("components that cannot answer here", () => {
  it("are refused with advice, each", () => {
    for (const id of ["csvAgent_0", "airtableAgent_0", "graphCypherQAChain_0", "autoGPT_0"]) {
      const { flow, findings } = compileClassic(classicFlow([model, { id, data: { category: "Chains" } }]));
      assert.deepEqual(codesOf(findings), ["error node-unsupported"], id);
      assert.match(findings[0]?.message ?? "", /(?:Use|Replace)/);
      assert.deepEqual(flow.nodes, []);
    }
  });
});
