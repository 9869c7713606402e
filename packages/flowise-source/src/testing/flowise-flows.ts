type Inputs = Readonly<Record<string, unknown>>;
type ForeignFlow = { nodes: unknown[]; edges: unknown[]; viewport: { x: number; y: number; zoom: number } };

const viewport = { x: 0, y: 0, zoom: 1 };

/** An AgentFlow V2: a start, an agent with a tool and perhaps a document store, and a reply. */
export function agentFlow(names: { credential: string; tool: string; store: string | undefined }): ForeignFlow {
  const agentModelConfig = {
    credential: "",
    FLOWISE_CREDENTIAL_ID: names.credential,
    modelName: "gpt-4o-mini",
    temperature: 0.2,
    agentModel: "chatOpenAI",
  };
  const tool = { agentSelectedTool: "customTool", agentSelectedToolConfig: { selectedTool: names.tool } };
  const knowledge = { documentStore: names.store, docStoreDescription: "Returns", returnSourceDocuments: true };
  const agent = {
    agentModel: "chatOpenAI",
    agentModelConfig,
    agentMessages: [{ role: "system", content: "<p>You help the customers of {{$vars.companyName}}.</p>" }],
    agentTools: [tool],
    agentKnowledgeDocumentStores: names.store === undefined ? "" : [knowledge],
    agentEnableMemory: true,
    agentMemoryType: "allMessages",
    agentReturnResponseAs: "userMessage",
  };
  return {
    nodes: [
      agentNode("startAgentflow", "Start", { startInputType: "chatInput" }, 0),
      agentNode("agentAgentflow", "Agent", agent, 1),
      agentNode("directReplyAgentflow", "Reply", { directReplyMessage: "<p>{{ agentAgentflow_0 }}</p>" }, 2),
    ],
    edges: [agentEdge("startAgentflow", "agentAgentflow"), agentEdge("agentAgentflow", "directReplyAgentflow")],
    viewport,
  };
}

/** A classic chain that remembers. */
export function chatFlow(credential: string): ForeignFlow {
  return classicFlow("conversationChain", "Chains", credential, { systemMessagePrompt: "Answer shortly." });
}

/** Rows of a custom assistant. */
export function assistantFlow(credential: string): ForeignFlow {
  return classicFlow("toolAgent", "Agents", credential, { systemMessage: "Answer in one sentence.", tools: [] });
}

/** A V1 graph: a supervisor and a worker. */
export function multiAgentFlow(credential: string): ForeignFlow {
  const model = "{{chatOpenAI_0.data.instance}}";
  return {
    nodes: [
      classicNode("chatOpenAI", "Chat Models", { modelName: "gpt-4o-mini" }, credential),
      classicNode("supervisor", "Multi Agents", { supervisorName: "Supervisor", supervisorPrompt: "Lead.", model }),
      classicNode("worker", "Multi Agents", {
        workerName: "Writer",
        workerPrompt: "Write.",
        supervisor: "{{supervisor_0.data.instance}}",
      }),
    ],
    edges: [classicEdge("chatOpenAI", "supervisor", "model"), classicEdge("supervisor", "worker", "supervisor")],
    viewport,
  };
}

function classicFlow(ending: string, category: string, credential: string, inputs: Inputs): ForeignFlow {
  const wired = { model: "{{chatOpenAI_0.data.instance}}", memory: "{{bufferMemory_0.data.instance}}", ...inputs };
  return {
    nodes: [
      classicNode("chatOpenAI", "Chat Models", { modelName: "gpt-4o-mini", temperature: "0.2" }, credential),
      classicNode("bufferMemory", "Memory", { sessionId: "", memoryKey: "chat_history" }),
      classicNode(ending, category, wired),
    ],
    edges: [classicEdge("chatOpenAI", ending, "model"), classicEdge("bufferMemory", ending, "memory")],
    viewport,
  };
}

function agentNode(name: string, label: string, inputs: Inputs, place: number): unknown {
  const id = `${name}_0`;
  const data = { id, name, label, category: "Agent Flows", version: 1, inputParams: [], inputAnchors: [], inputs };
  return { id, type: "agentFlow", position: { x: place * 240, y: 40 }, data: { ...data, outputs: {} } };
}

function agentEdge(from: string, to: string): unknown {
  const [source, target] = [`${from}_0`, `${to}_0`];
  const sourceHandle = `${source}-output-${from}`;
  const id = `${source}-${sourceHandle}-${target}-${target}`;
  return { id, source, sourceHandle, target, targetHandle: target, type: "agentFlow", data: {} };
}

function classicNode(name: string, category: string, inputs: Inputs, credential?: string): unknown {
  const id = `${name}_0`;
  const data = { id, name, label: name, category, version: 1, inputParams: [], inputAnchors: [], inputs, outputs: {} };
  return { id, type: "customNode", position: { x: 0, y: 0 }, data: { ...data, credential } };
}

function classicEdge(from: string, to: string, input: string): unknown {
  const [source, target] = [`${from}_0`, `${to}_0`];
  const handles = {
    sourceHandle: `${source}-output-${from}-${from}`,
    targetHandle: `${target}-input-${input}-${from}`,
  };
  const id = `${source}-${handles.sourceHandle}-${target}-${handles.targetHandle}`;
  return { id, source, target, ...handles, type: "buttonedge" };
}
