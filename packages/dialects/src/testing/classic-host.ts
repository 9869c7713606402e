import type { JsonObject } from "@weft/schema";
import { type ClassicTestNode, classicFlow, ref } from "./classic-file.ts";

/** A component of each type that inputs accept, with its own requirements. */
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
  Document: [{ id: "plainText_9", label: "wired", inputs: { text: "wired" } }],
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

export const partsOf = (type: string) => parts[sameParts[type] ?? type] ?? [];

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
  "Record Manager": ["memoryVectorStore", "recordManager"],
  Cache: ["chatOpenAI", "cache"],
  Graph: ["graphCypherQAChain", "graph"],
};

/** A file as flows hold it. */
const aFile = "data:text/plain;base64,YQ==,filename:a.txt";

/** Values without which a component does nothing that an input could change. */
export const needed: Readonly<Record<string, JsonObject>> = {
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
  browserlessMCP: { mcpActions: ["a"] },
  githubMCP: { mcpActions: ["a"] },
  teradataMCP: { mcpUrl: "https://a.example/mcp", mcpActions: ["a"] },
  customTool: { selectedTool: "t" },
  agentAsTool: { selectedAgentflow: "a" },
  ChatflowTool: { selectedChatflow: "a" },
  queryEngineToolLlamaIndex: { baseQueryEngine: ref("queryEngine_9") },
  sqlDatabaseChain: { database: "postgres", url: "postgres://reader@db.example/shop" },
  openApiChain: { yamlLink: "https://a.example/o.yaml" },
  conversationalRetrievalToolAgent: { memory: ref("bufferWindowMemory_9") },
  subQuestionQueryEngine: { queryEngineTools: [ref("queryEngineToolLlamaIndex_9")] },
  retrieverTool: { retriever: ref("documentStoreVS_9") },
  plainText: { text: "a" },
  textFile: { txtFile: aFile },
  pdfFile: { pdfFile: aFile },
  docxFile: { docxFile: aFile },
  csvFile: { csvFile: aFile },
  jsonFile: { jsonFile: aFile },
  fileLoader: { file: aFile },
  cheerioWebScraper: { url: "https://a.example" },
  ...Object.fromEntries(
    ["Get", "Post", "Put", "Delete"].map((verb) => [
      `requests${verb}`,
      { [`requests${verb}Url`]: "https://a.example" },
    ]),
  ),
};

/** A flow that answers with the help of one component, which has these inputs and what it needs. */
export function buildWith(name: string, category: string, inputs: JsonObject): JsonObject {
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
  const extra: JsonObject = {
    ...(name === "llmChain" && input !== "prompt" ? { prompt: ref("promptTemplate_9") } : {}),
    ...(name === "queryEngine" ? { vectorStoreRetriever: ref("documentStoreVS_9") } : {}),
  };
  const node: ClassicTestNode = { id: `${name}_1`, inputs: { [input]: ref(id), ...extra } };
  const next: Readonly<Record<string, string>> = {
    memoryVectorStore: "Vector Stores",
    textFile: "Document Loaders",
    chatOpenAI: "Chat Models",
  };
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
