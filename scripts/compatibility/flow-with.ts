import type { JsonObject } from "@weft/schema";
import { buildWith } from "../../packages/dialects/src/testing/classic-host.ts";
import { foreignFlow, startNode } from "../../packages/dialects/src/testing/foreign-file.ts";
import { chatModel, seqStart, sequentialFlow, step } from "../../packages/dialects/src/testing/sequential-file.ts";

export type FlowiseNode = { name: string; label: string; category: string };

const model = (key: string) => ({ [key]: "chatOpenAI", [`${key}Config`]: { modelName: "m" } });

/** What a node is set to, so that nothing is missing but what a person has to choose. */
const settings: Readonly<Record<string, JsonObject>> = {
  agentAgentflow: model("agentModel"),
  llmAgentflow: model("llmModel"),
  toolAgentflow: {
    toolAgentflowSelectedTool: "calculator",
    toolInputArgs: [{ inputArgName: "input", inputArgValue: "1" }],
  },
  httpAgentflow: { method: "GET", url: "https://service.example" },
  conditionAgentflow: { conditions: [{ type: "string", value1: "a", operation: "equal", value2: "a" }] },
  conditionAgentAgentflow: {
    ...model("conditionAgentModel"),
    conditionAgentInstructions: "Decide.",
    conditionAgentInput: "{{ question }}",
    conditionAgentScenarios: [{ scenario: "one" }, { scenario: "two" }],
  },
  humanInputAgentflow: { humanInputDescriptionType: "fixed", humanInputDescription: "Go on?" },
  loopAgentflow: { loopBackToNode: "llmAgentflow_9-LLM", maxLoopCount: 2 },
  iterationAgentflow: { iterationInput: "[1]" },
  directReplyAgentflow: { directReplyMessage: "Done" },
  customFunctionAgentflow: { customFunctionJavascriptFunction: "return 1;" },
  retrieverAgentflow: {
    retrieverKnowledgeDocumentStores: [{ documentStore: "id:Store" }],
    retrieverQuery: "{{ question }}",
  },
  executeFlowAgentflow: { executeFlowSelectedFlow: "id", executeFlowInput: "{{ question }}" },
  seqAgent: { agentName: "A", systemMessagePrompt: "Help." },
  seqLLMNode: { llmNodeName: "L", systemMessagePrompt: "Help." },
  seqExecuteFlow: { seqExecuteFlowName: "E", selectedFlow: "id", seqExecuteFlowInput: "userQuestion" },
  seqCustomFunction: { functionName: "F", javascriptFunction: "return 1;" },
  seqLoop: { loopToName: "First" },
  seqCondition: {
    conditionName: "C",
    condition: [{ variable: "$flow.output.content", operation: "Is", value: "a", output: "End" }],
  },
  customFunction: { javascriptFunction: "return 1;" },
  advancedStructuredOutputParser: { exampleJson: "z.object({ a: z.string() })" },
  structuredOutputParser: { jsonStructure: [{ property: "a", type: "string", description: "" }] },
  llmChain: { prompt: "{{promptTemplate_9.data.instance}}" },
  documentStoreVS: { selectedStore: "id:Store" },
  documentStore: { selectedStore: "id:Store" },
  setVariable: { input: "a", variableName: "v" },
  getVariable: { variableName: "v" },
  chainTool: { baseChain: "{{conversationChain_9.data.instance}}" },
  multiPromptChain: { promptRetriever: "{{promptRetriever_9.data.instance}}" },
  subQuestionQueryEngine: { queryEngineTools: ["{{queryEngineToolLlamaIndex_9.data.instance}}"] },
};

/** Needed by chains, engines and retrievers that search. */
const store = "{{documentStoreVS_9.data.instance}}";
const searching: Readonly<Record<string, string>> = {
  conversationalRetrievalQAChain: "vectorStoreRetriever",
  retrievalQAChain: "vectorStoreRetriever",
  multiRetrievalQAChain: "vectorStoreRetriever",
  vectorDBQAChain: "vectorStore",
  vectaraQAChain: "vectaraStore",
  conversationalRetrievalToolAgent: "vectorStoreRetriever",
  contextChatEngine: "vectorStoreRetriever",
  queryEngine: "vectorStoreRetriever",
};

/** Where a retriever has what it searches. */
function ownSearch(name: string): string {
  return /^(?:vectorStore|similarityThreshold|Hyde|multiQuery|extractMetadata|custom)Retriever$/.test(name)
    ? "vectorStore"
    : "baseRetriever";
}

/** The smallest flow that uses a node, complete but for what a person has to choose. */
export function flowWith({ name, category }: FlowiseNode): JsonObject {
  if (category === "Agent Flows") return agentFlow(name);
  if (category === "Multi Agents") return team();
  if (category === "Sequential Agents" || name === "agentMemory") return sequential(name);
  if (/Embeddings?Cache$/.test(name)) return buildWith(name, "Embeddings", {});
  // What chooses among prompts stands in one chain alone.
  if (name === "promptRetriever") return flowWith({ name: "multiPromptChain", label: "", category: "Chains" });
  const search = category === "Retrievers" ? ownSearch(name) : searching[name];
  return buildWith(name, category, { ...settings[name], ...(search === undefined ? {} : { [search]: store }) });
}

function agentFlow(name: string): JsonObject {
  if (name === "startAgentflow") return foreignFlow([startNode]);
  const before = { id: "llmAgentflow_9", inputs: settings.llmAgentflow ?? {} };
  const node = { id: `${name}_0`, inputs: settings[name] ?? {} };
  const edges = [
    `${startNode.id}>${before.id}`,
    ...(name === "stickyNoteAgentflow" ? [] : [`${before.id}>${node.id}`]),
  ];
  return foreignFlow([startNode, before, node], edges);
}

function team(): JsonObject {
  const supervisor = { id: "supervisor_0", inputs: { model: "{{chatOpenAI_0.data.instance}}", supervisorName: "S" } };
  const inputs = { supervisor: "{{supervisor_0.data.instance}}", workerName: "W", workerPrompt: "Work." };
  return sequentialFlow([chatModel, supervisor, { id: "worker_0", inputs }]);
}

/** A start and a first step, and what is asked for behind them or wired to them. */
function sequential(name: string): JsonObject {
  const own = settings[name] ?? {};
  const first = step("seqLLMNode_9", "seqStart_0", { llmNodeName: "First", systemMessagePrompt: "Help." });
  const id = `${name}_0`;
  const wired = (input: string) => ({ [input]: `{{${id}.data.instance}}` });
  switch (name) {
    case "seqStart":
      return sequentialFlow([chatModel, seqStart(), first]);
    case "seqState":
      return sequentialFlow([chatModel, { id, inputs: own }, seqStart(wired("state")), first]);
    case "agentMemory":
      return sequentialFlow([chatModel, { id, inputs: own }, seqStart(wired("agentMemory")), first]);
    case "seqToolNode": {
      const tools = ["{{calculator_9.data.instance}}"];
      const asked = step(id, first.id, { toolNodeName: "T", llmNode: `{{${first.id}.data.instance}}`, tools });
      return sequentialFlow([chatModel, { id: "calculator_9" }, seqStart(), first, asked]);
    }
    case "seqCondition":
    case "seqConditionAgent":
      return sequentialFlow([chatModel, seqStart(), first, step(id, first.id, own), step("seqEnd_9", `${id}:End`)]);
    default:
      return sequentialFlow([chatModel, seqStart(), first, step(id, first.id, own)]);
  }
}
