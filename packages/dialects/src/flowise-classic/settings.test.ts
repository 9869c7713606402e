import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Json, JsonObject } from "@weft/schema";
import { type ClassicTestNode, classicFlow, ref } from "../testing/classic-file.ts";
import { classicInputs } from "../testing/classic-inputs.ts";
import { convertClassic } from "./convert-classic.ts";

/** A component of each type that inputs take, with what it needs itself. */
const parts: Readonly<Record<string, readonly ClassicTestNode[]>> = {
  BaseLanguageModel: [{ id: "chatOllama_9", inputs: { modelName: "wired" } }],
  BaseCache: [{ id: "inMemoryCache_9" }],
  BaseMemory: [{ id: "bufferWindowMemory_9", inputs: { k: 1 } }],
  BasePromptTemplate: [{ id: "promptTemplate_9", inputs: { template: "wired {a}" } }],
  PromptTemplate: [{ id: "promptTemplate_9", inputs: { template: "wired {word}" } }],
  ChatPromptTemplate: [
    { id: "chatPromptTemplate_9", inputs: { systemMessagePrompt: "wired", humanMessagePrompt: "{input}" } },
  ],
  BaseLLMOutputParser: [{ id: "csvOutputParser_9" }],
  Moderation: [{ id: "inputModerationSimple_9", inputs: { denyList: "wired" } }],
  Tool: [{ id: "calculator_9" }],
  BaseQueryEngine: [
    { id: "queryEngine_9", inputs: { vectorStoreRetriever: ref("documentStoreVS_9") } },
    { id: "documentStoreVS_9", inputs: { selectedStore: "wired" } },
  ],
  BaseChain: [{ id: "conversationChain_9" }],
  BaseRetriever: [{ id: "documentStoreVS_9", inputs: { selectedStore: "wired" } }],
  PromptRetriever: [{ id: "promptRetriever_9", inputs: { name: "wired", systemMessage: "s" } }],
  QueryEngineTool: [
    { id: "queryEngineToolLlamaIndex_9", inputs: { toolName: "wired", baseQueryEngine: ref("queryEngine_9") } },
    { id: "queryEngine_9", inputs: { vectorStoreRetriever: ref("documentStoreVS_9") } },
    { id: "documentStoreVS_9", inputs: { selectedStore: "wired" } },
  ],
  ResponseSynthesizer: [{ id: "treeSummarizeLlamaIndex_9", inputs: { prompt: "wired {query}" } }],
  Document: [{ id: "textFile_9", label: "wired" }],
  TextSplitter: [{ id: "tokenTextSplitter_9", label: "wired" }],
  Embeddings: [{ id: "openAIEmbeddings_9", label: "wired" }],
  RecordManager: [{ id: "postgresRecordManager_9", label: "wired" }],
};

const sameParts: Readonly<Record<string, string>> = {
  BaseChatModel: "BaseLanguageModel",
  BaseChatModel_LlamaIndex: "BaseLanguageModel",
  BaseChatMemory: "BaseMemory",
  Tool_LlamaIndex: "Tool",
  VectorStore: "BaseRetriever",
  VectorIndexRetriever: "BaseRetriever",
  VectorStoreRetriever: "BaseRetriever",
  BaseEmbedding_LlamaIndex: "Embeddings",
};

const partsOf = (type: string) => parts[sameParts[type] ?? type] ?? [];

/** Where a component of a category is wired, and the type of the input. */
const hosts: Readonly<Record<string, [host: string, input: string]>> = {
  "Chat Models": ["conversationChain", "model"],
  LLMs: ["conversationChain", "model"],
  Prompts: ["llmChain", "prompt"],
  Memory: ["conversationChain", "memory"],
  "Output Parsers": ["llmChain", "outputParser"],
  Moderation: ["llmChain", "inputModeration"],
  Tools: ["toolAgent", "tools"],
  "Tools (MCP)": ["toolAgent", "tools"],
  "Vector Stores": ["retrievalQAChain", "vectorStoreRetriever"],
  Retrievers: ["multiRetrievalQAChain", "vectorStoreRetriever"],
  "Document Loaders": ["memoryVectorStore", "document"],
  "Text Splitters": ["textFile", "textSplitter"],
  Embeddings: ["memoryVectorStore", "embeddings"],
  "Response Synthesizer": ["queryEngine", "responseSynthesizer"],
};

/** Values without which a component does nothing that an input could change. */
const needed: Readonly<Record<string, JsonObject>> = {
  promptTemplate: { template: "{k}" },
  chatPromptTemplate: { humanMessagePrompt: "{k}" },
  fewShotPromptTemplate: {
    examples: '[{"word":"a"},{"word":"b"}]',
    examplePrompt: ref("promptTemplate_9"),
    suffix: "{x}",
  },
  inputModerationSimple: { denyList: "a" },
  ifElseFunction: { ifFunction: "return true;" },
  openAPIToolkit: { inputType: "link", openApiLink: "https://a.example/o.yaml", openApiFile: "openapi: 3.1.0" },
  customMCP: { mcpServerConfig: '{"url":"https://a.example/mcp"}', mcpActions: ["a"] },
  customTool: { selectedTool: "t" },
  agentAsTool: { selectedAgentflow: "a" },
  ChatflowTool: { selectedChatflow: "a" },
  queryEngineToolLlamaIndex: { baseQueryEngine: ref("queryEngine_9") },
  openApiChain: { yamlLink: "https://a.example/o.yaml" },
  conversationalRetrievalToolAgent: { memory: ref("bufferWindowMemory_9") },
  subQuestionQueryEngine: { queryEngineTools: [ref("queryEngineToolLlamaIndex_9")] },
  retrieverTool: { retriever: ref("documentStoreVS_9") },
  ...Object.fromEntries(
    ["Get", "Post", "Put", "Delete"].map((verb) => [
      `requests${verb}`,
      { [`requests${verb}Url`]: "https://a.example" },
    ]),
  ),
};

/** Inputs that are not to change anything, with the reason. */
const withoutEffect: Readonly<Record<string, string>> = {
  streaming: "who calls decides how an answer travels",
  enableDetailedStreaming: "steps are always streamed",
  allowImageUploads: "whether a model takes pictures is known of the model",
  autofixParser: "an answer that does not fit is always asked for again",
  "variableName of setVariable": "nothing of this flow reads the variable",
  "openApiFile of openAPIToolkit": "the link is what was chosen",
  "budgetTokens of chatAnthropic": "says nothing without extended thinking",
};

const values: Readonly<Record<string, Json>> = {
  number: "7",
  flag: true,
  json: '{"k":"changed"}',
  rows: [{ property: "changed", type: "string" }],
  array: '[{"k":"changed"}]',
  text: "changed",
  string: "changed",
};

/** Values that mean something to an input, where any text does not. */
const fitting: Readonly<Record<string, Json>> = {
  examples: '[{"word":"changed"}]',
  exampleJson: "z.object({ changed: z.string() })",
  temperature: "0.5",
  topP: "0.5",
  k: "3",
  inputType: "file",
  selectedEndpoints: '["changed"]',
};

function build(name: string, category: string, inputs: JsonObject): JsonObject {
  const node: ClassicTestNode = { id: `${name}_0`, inputs: { ...needed[name], ...inputs } };
  const all = Object.values(parts).flat();
  const own = [node, ...all.filter(({ id }) => id !== node.id)];
  return withHosts(own, node.id, category);
}

/** Wires a component through to something that answers. */
function withHosts(nodes: ClassicTestNode[], id: string, category: string): JsonObject {
  if (category === "Utilities") return withHosts([...nodes, ...promptOf(id)], "promptTemplate_1", "Prompts");
  const host = hosts[category];
  if (host === undefined) return onlyUsed(nodes, id);
  const [name, input] = host;
  const extra = name === "llmChain" && input !== "prompt" ? { prompt: ref("promptTemplate_9") } : {};
  const node: ClassicTestNode = { id: `${name}_1`, inputs: { [input]: ref(id), ...extra } };
  const next: Readonly<Record<string, string>> = { memoryVectorStore: "Vector Stores", textFile: "Document Loaders" };
  return withHosts([...nodes, node], node.id, next[name] ?? "answers");
}

function promptOf(id: string): ClassicTestNode[] {
  return [{ id: "promptTemplate_1", inputs: { template: "{v}", promptValues: { v: ref(id) } } }];
}

/** The components that lead to one. */
function onlyUsed(nodes: readonly ClassicTestNode[], id: string): JsonObject {
  const used = new Set<ClassicTestNode>();
  const open = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const node = nodes.find((one) => one.id === at);
    if (node === undefined || used.has(node)) continue;
    used.add(node);
    const text = JSON.stringify(node.inputs ?? {});
    open.push(...nodes.filter((one) => text.includes(ref(one.id).slice(0, -2))).map((one) => one.id));
  }
  return classicFlow([...used]);
}

const outcome = (document: JsonObject) => {
  const { flow, findings } = convertClassic(document);
  return JSON.stringify([flow, findings.map(({ code, message }) => [code, message])]);
};

/** Inputs of a component that neither change the flow nor are said to change nothing. */
function silentInputs(category: string, name: string, list: string): string[] {
  const before = outcome(build(name, category, {}));
  assert.doesNotMatch(before, /node-unsupported|tool-unsupported|model-unsupported|prompt-unsupported/, name);
  const entries = list.split(" ").filter((text) => text !== "");
  return entries.flatMap((entry) => {
    const [input = "", type = ""] = entry.split(":");
    const [part] = partsOf(type);
    const value = part === undefined ? (fitting[input] ?? values[type]) : ref(part.id);
    assert.ok(value !== undefined, `${name}.${input} takes ${type}`);
    if (JSON.stringify(needed[name]?.[input] ?? "").includes(String(value))) return [];
    return outcome(build(name, category, { [input]: value })) === before ? [`${input} of ${name}`] : [];
  });
}

function isExplained(silent: string): boolean {
  const [input = ""] = silent.split(" ");
  return Object.hasOwn(withoutEffect, input) || Object.hasOwn(withoutEffect, silent);
}

describe("every input of a supported component", () => {
  for (const [category, components] of Object.entries(classicInputs)) {
    it(`has an effect, or a finding says that it has none: ${category}`, () => {
      const silent = Object.entries(components).flatMap(([name, list]) => silentInputs(category, name, list));
      assert.deepEqual(
        silent.filter((text) => !isExplained(text)),
        [],
      );
    });
  }
});
