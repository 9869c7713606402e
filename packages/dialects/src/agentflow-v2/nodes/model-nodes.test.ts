import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@weft/schema";
import { readFlow } from "../../read-flow.ts";
import {
  codesOf,
  convertNode,
  type ForeignTestNode,
  foreignFlow,
  nodeOf,
  startNode,
} from "../../testing/foreign-file.ts";
import { convertAgentFlowV2 } from "../convert-agentflow-v2.ts";

const model = { llmModel: "chatOpenAI", llmModelConfig: { modelName: "m" } };
const llm = (id: string, inputs: JsonObject = {}): ForeignTestNode => ({ id, inputs: { ...model, ...inputs } });

/** The prompt of the last of some nodes, each behind the one before it. */
function promptOfLast(...nodes: ForeignTestNode[]) {
  const all = [startNode, ...nodes];
  const edges = nodes.map((node, index) => `${all[index]?.id}>${node.id}`);
  const { flow } = convertAgentFlowV2(foreignFlow(all, edges));
  return nodeOf(flow, all.at(-1)?.id ?? "").config.prompt;
}

describe("messages and memory of model nodes", () => {
  it("are Markdown with native references", () => {
    const { config, codes } = convertNode("llmAgentflow_0", {
      ...model,
      llmMessages: [
        { role: "developer", content: "<p>Answer <strong>briefly</strong>.</p>" },
        { role: "assistant", content: "Hello" },
        { role: "", content: "{{question}}" },
        { role: "user", content: "" },
      ],
    });
    assert.deepEqual(codes, []);
    assert.deepEqual(config.messages, [
      { role: "system", content: "Answer **briefly**." },
      { role: "assistant", content: "Hello" },
      { role: "user", content: "{{ question }}" },
    ]);
  });

  it("are remembered as the switch says, and not at all when it is missing", () => {
    const memories: [JsonObject, JsonObject][] = [
      [{}, { type: "off" }],
      [{ llmEnableMemory: "" }, { type: "off" }],
      [{ llmEnableMemory: "true" }, { type: "all" }],
      [
        { llmEnableMemory: true, llmMemoryType: "windowSize", llmMemoryWindowSize: "3" },
        { type: "window", size: 6 },
      ],
      [
        { llmEnableMemory: true, llmMemoryType: "windowSize", llmMemoryWindowSize: 9_999 },
        { type: "window", size: 1_000 },
      ],
      [
        { llmEnableMemory: true, llmMemoryType: "conversationSummary" },
        { type: "summary", maxTokens: 0 },
      ],
      [
        { llmEnableMemory: true, llmMemoryType: "conversationSummaryBuffer", llmMemoryMaxTokenLimit: "50" },
        { type: "summary", maxTokens: 50 },
      ],
    ];
    for (const [inputs, memory] of memories) {
      assert.deepEqual(
        convertNode("llmAgentflow_0", { ...model, ...inputs }).config.memory,
        memory,
        JSON.stringify(inputs),
      );
    }
  });
});

describe("the prompt of a model node", () => {
  const memory = { llmEnableMemory: true };

  it("is the question where nobody has spoken before, and behind it the node's own message", () => {
    assert.equal(promptOfLast(llm("llmAgentflow_0")), "{{ question }}");
    assert.equal(
      promptOfLast(llm("llmAgentflow_0", { ...memory, llmUserMessage: "Be brief." })),
      "{{ question }}\n\nBe brief.",
    );
    assert.equal(
      promptOfLast(llm("llmAgentflow_0", { ...memory, llmUserMessage: "Q: {{question}}" })),
      "Q: {{ question }}",
    );
    assert.equal(promptOfLast(llm("llmAgentflow_0", { llmUserMessage: "Hidden without memory." })), "{{ question }}");
  });

  it("is nothing where the messages ask already and there is no memory", () => {
    const llmMessages = [{ role: "user", content: "Translate: {{ question }}" }];
    assert.equal(promptOfLast(llm("llmAgentflow_0", { llmMessages })), "");
    assert.equal(promptOfLast(llm("llmAgentflow_0", { llmMessages, ...memory })), "{{ question }}");
  });

  it("is the node's own message behind others, or what they said", () => {
    const first = llm("llmAgentflow_0", memory);
    assert.equal(promptOfLast(first, llm("llmAgentflow_1", { ...memory, llmUserMessage: "Shorter." })), "Shorter.");
    assert.equal(promptOfLast(first, llm("llmAgentflow_1", memory)), "");
    assert.equal(promptOfLast(first, llm("llmAgentflow_1")), "{{ llmAgentflow_0 }}");
    const between = { id: "directReplyAgentflow_0" };
    assert.equal(promptOfLast(first, between, llm("llmAgentflow_1")), "{{ llmAgentflow_0 }}");
    const asAssistant = llm("llmAgentflow_0", { ...memory, llmReturnResponseAs: "assistantMessage" });
    assert.equal(promptOfLast(asAssistant, llm("llmAgentflow_1", memory)), "{{ llmAgentflow_0 }}");
  });

  it("is the question where it may be the first to speak", () => {
    const nodes = [startNode, llm("llmAgentflow_0", memory), llm("llmAgentflow_1", memory)];
    const edges = [
      "startAgentflow_0>llmAgentflow_0",
      "startAgentflow_0>llmAgentflow_1",
      "llmAgentflow_0>llmAgentflow_1",
    ];
    const { flow } = convertAgentFlowV2(foreignFlow(nodes, edges));
    assert.equal(nodeOf(flow, "llmAgentflow_1").config.prompt, "{{ question }}");
  });

  it("is the form where a form starts the flow", () => {
    const formInputTypes = [
      { type: "string", label: "Subject", name: "subject" },
      { type: "number", name: "age" },
    ];
    const start = { ...startNode, inputs: { startInputType: "formInput", formInputTypes } };
    const { flow } = convertAgentFlowV2(
      foreignFlow([start, llm("llmAgentflow_0")], ["startAgentflow_0>llmAgentflow_0"]),
    );
    assert.equal(nodeOf(flow, "llmAgentflow_0").config.prompt, "subject: {{ $form.subject }}\nage: {{ $form.age }}");
  });

  it("survives edges that lead round", () => {
    const nodes = [llm("llmAgentflow_0"), { id: "directReplyAgentflow_0" }];
    const edges = ["llmAgentflow_0>directReplyAgentflow_0", "directReplyAgentflow_0>llmAgentflow_0"];
    assert.equal(convertAgentFlowV2(foreignFlow(nodes, edges)).flow.nodes.length, 2);
  });
});

describe("what a model node gives", () => {
  it("joins the conversation as the user's words unless the node says otherwise", () => {
    assert.equal(convertNode("llmAgentflow_0", model).config.responseRole, "user");
    const spoken = { ...model, llmReturnResponseAs: "assistantMessage" };
    assert.equal(convertNode("llmAgentflow_0", spoken).config.responseRole, "assistant");
  });

  it("is data of the fields that it declares", () => {
    const { config, codes } = convertNode("llmAgentflow_0", {
      ...model,
      llmStructuredOutput: [
        { key: "title", type: "string", description: "A title" },
        { key: "tags", type: "stringArray" },
        { key: "size", type: "number" },
        { key: "open", type: "boolean" },
        { key: "mood", type: "enum", enumValues: "good, bad,, good" },
        { key: "people", type: "jsonArray", jsonSchema: "{ name: { type: 'string', required: true }, note: 1 }" },
        { key: "things", type: "jsonArray", jsonSchema: "" },
        { key: "odd", type: "jsonArray", jsonSchema: "no JSON" },
        { key: "", type: "string" },
      ],
    });
    assert.deepEqual(config.structuredOutput, [
      { name: "title", type: "string", description: "A title" },
      { name: "tags", type: "array", items: "string" },
      { name: "size", type: "number" },
      { name: "open", type: "boolean" },
      { name: "mood", type: "enum", enumValues: ["good", "bad"] },
      {
        name: "people",
        type: "array",
        items: "object",
        schema: {
          type: "object",
          properties: { name: { type: "string" } },
          required: ["name"],
          additionalProperties: false,
        },
      },
      { name: "things", type: "array", items: "object" },
      { name: "odd", type: "array", items: "object" },
    ]);
    assert.deepEqual(codes, ["warning output-schema-unreadable"]);
  });

  it("goes into the state", () => {
    const { config, codes } = convertNode("llmAgentflow_0", {
      ...model,
      llmUpdateState: [
        { key: "topic", value: "<p>{{ output.topic }}</p>" },
        { key: "", value: "x" },
        { key: "__proto__", value: "x" },
      ],
    });
    assert.deepEqual(config.updateState, [{ key: "topic", value: "{{ output.topic }}" }]);
    assert.deepEqual(codes, []);
  });
});

describe("an agent", () => {
  const agent = { agentModel: "chatOpenAI", agentModelConfig: {} };

  it("asks a person before it calls a tool that needs it", () => {
    const calculator = { agentSelectedTool: "calculator", agentSelectedToolConfig: {} };
    const agentTools = [
      { ...calculator, agentSelectedToolRequiresHumanInput: true },
      { ...calculator, agentSelectedToolRequiresHumanInput: "" },
    ];
    assert.deepEqual(convertNode("agentAgentflow_0", { ...agent, agentTools }).config.tools, [
      { type: "calculator", config: {}, requiresApproval: true },
      { type: "calculator", config: {} },
    ]);
  });

  it("has no tools where the list is unset", () => {
    for (const agentTools of ["", null, {}, "none"]) {
      assert.deepEqual(convertNode("agentAgentflow_0", { ...agent, agentTools }).config.tools, []);
    }
  });

  it("searches its document stores", () => {
    const { config, codes } = convertNode("agentAgentflow_0", {
      ...agent,
      agentKnowledgeDocumentStores: [
        { documentStore: "9b1c:Our Wiki (new)", docStoreDescription: "How we work", returnSourceDocuments: true },
        { documentStore: "77aa", docStoreDescription: "" },
        { documentStore: "" },
      ],
    });
    assert.deepEqual(codes, []);
    assert.deepEqual(config.knowledge, [
      { storeId: "9b1c", name: "our_wiki_new", description: "How we work", returnSourceDocuments: true },
      { storeId: "77aa", name: "77aa", description: "", returnSourceDocuments: false },
    ]);
  });

  it("cannot have what only the vendor or a database of its own could give", () => {
    const vendor = {
      ...agent,
      agentToolsBuiltInOpenAI: '["web_search_preview"]',
      agentToolsBuiltInGemini: '["googleSearch"]',
    };
    const { codes, findings } = convertNode("agentAgentflow_0", vendor);
    assert.deepEqual(codes, ["error tool-unsupported"]);
    assert.match(findings[0]?.message ?? "", /: web_search_preview\./);
  });

  it("keeps what its vector stores and embedding models are in document stores of its own", () => {
    const row = {
      vectorStore: "pinecone",
      vectorStoreConfig: { vectorStore: "pinecone", pineconeIndex: "films", topK: "3" },
      embeddingModel: "openAIEmbeddings",
      embeddingModelConfig: { modelName: "text-embedding-3-large", FLOWISE_CREDENTIAL_ID: "c-1" },
      knowledgeName: "Our films",
      knowledgeDescription: "All about films",
      returnSourceDocuments: true,
    };
    const given = {
      ...agent,
      agentKnowledgeVSEmbeddings: [row, { ...row, vectorStore: "" }, { vectorStore: "faiss" }],
    };
    const text = JSON.stringify(foreignFlow([startNode, { id: "agentAgentflow_0", inputs: given }]));
    const { flow, stores = [], findings } = readFlow(text);
    const known = { name: "our_films", description: "All about films", topK: 3, returnSourceDocuments: true };
    assert.deepEqual(nodeOf({ nodes: [...flow.nodes] }, "agentAgentflow_0").config.knowledge, [
      { storeId: "own:agentAgentflow_0", ...known },
      { storeId: "own:agentAgentflow_0_3", name: "faiss", description: "", returnSourceDocuments: false },
    ]);
    assert.deepEqual(
      flow.nodes.filter(({ type }) => type === "vector-store").map(({ id, config }) => [id, config.storeId]),
      [
        ["agentAgentflow_0_store", "own:agentAgentflow_0"],
        ["agentAgentflow_0_3_store", "own:agentAgentflow_0_3"],
      ],
    );
    assert.deepEqual(stores[0]?.embedding, {
      name: "openai",
      config: { model: "text-embedding-3-large", credential: "c-1" },
    });
    assert.deepEqual(codesOf(findings), [
      "warning store-own",
      "warning store-settings-ignored",
      "warning store-own",
      "warning store-embeddings",
    ]);
  });
});
