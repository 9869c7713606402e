import type { JsonObject } from "@weft/schema";
import type { ImportErrorCode } from "../../../../dialects/src/import-error.ts";
import { type ClassicTestNode, classicFlow, ref } from "../../../../dialects/src/testing/classic-file.ts";
import { type ForeignTestNode, foreignFlow, startNode } from "../../../../dialects/src/testing/foreign-file.ts";
import { chatModel, seqStart, sequentialFlow, step } from "../../../../dialects/src/testing/sequential-file.ts";

type File = { name: string; text: string };

/** An AgentFlow V2 with steps one behind the other. */
function v2(...nodes: ForeignTestNode[]): File[] {
  const edges = nodes.map(({ id }, index) => `${(nodes[index - 1] ?? startNode).id}>${id}`);
  return [{ name: "flow.json", text: JSON.stringify(foreignFlow([startNode, ...nodes], edges)) }];
}

const toolIn = (name: string, config: JsonObject = {}) =>
  v2({
    id: "agentAgentflow_0",
    inputs: { agentTools: [{ agentSelectedTool: name, agentSelectedToolConfig: config }] },
  });

const model: ClassicTestNode = { id: "chatOpenAI_0", inputs: { modelName: "m" } };

function classic(...nodes: ClassicTestNode[]): File[] {
  return [{ name: "chatflow.json", text: JSON.stringify(classicFlow([model, ...nodes])) }];
}

/** A chain with an input more, and the components that are wired to it. */
const chain = (inputs: JsonObject, ...nodes: ClassicTestNode[]) =>
  classic(
    { id: "promptTemplate_0", inputs: { template: "{a}" } },
    { id: "llmChain_0", inputs: { model: ref("chatOpenAI_0"), prompt: ref("promptTemplate_0"), ...inputs } },
    ...nodes,
  );

const prompted = (prompt: ClassicTestNode) => chain({ prompt: ref(prompt.id) }, prompt);

const agentWith = (tool: ClassicTestNode, ...nodes: ClassicTestNode[]) =>
  classic({ id: "toolAgent_0", inputs: { model: ref("chatOpenAI_0"), tools: [ref(tool.id)] } }, tool, ...nodes);

const codeWith = (inputs: JsonObject, ...nodes: ClassicTestNode[]) =>
  classic(...nodes, {
    id: "customFunction_0",
    output: "EndingNode",
    inputs: { javascriptFunction: "return 1;", ...inputs },
  });

const database = (inputs: JsonObject) =>
  classic({ id: "sqlDatabaseChain_0", inputs: { model: ref("chatOpenAI_0"), database: "postgres", ...inputs } });

function sequential(...nodes: Parameters<typeof sequentialFlow>[0]): File[] {
  return [{ name: "graph.json", text: JSON.stringify(sequentialFlow([chatModel, ...nodes])) }];
}

const asked = (id: string, after: string | string[], inputs: JsonObject = {}) =>
  step(id, after, { model: ref("chatOpenAI_0"), ...inputs });

const yaml = (text: string, ...more: File[]): File[] => [{ name: "a.workflow.yaml", text }, ...more];
const hello = "  - kind: SendActivity\n    id: hello\n    activity: Hello\n";

/** A workflow that greets, and then does one thing more. `fields` are lines of YAML. */
const action = (kind: string, ...fields: string[]) =>
  yaml(`kind: Workflow\nactions:\n${hello}  - kind: ${[kind, "id: it", ...fields].join("\n    ")}\n`);

const agentFile = (tool: string): File[] =>
  action("InvokeAzureAgent", "agent:", "  name: Clerk").concat({
    name: "Clerk.yaml",
    text: `kind: Prompt\nname: Clerk\ninstructions: Help.\nmodel:\n  id: gpt-4o\ntools:\n  - ${tool}\n`,
  });

const other = (name: string, document: object): File[] => [{ name, text: JSON.stringify(document) }];

const script = (text: string): File[] => [
  { name: "workflow.ts", text: `import { Agent, Runner, withTrace } from "@openai/agents";\n${text}` },
];

/** A program with one agent that runs. */
const program = (settings: string, before = "") =>
  script(`const writer = new Agent({ name: "Writer", instructions: "Write.", model: "gpt-5", ${settings} });
export const runWorkflow = async (workflow) => {
  const conversationHistory = [{ role: "user", content: [{ type: "input_text", text: workflow.input_as_text }] }];
  const runner = new Runner();
  ${before}
  const writerResultTemp = await runner.run(writer, [...conversationHistory]);
  return { output_text: writerResultTemp.finalOutput ?? "" };
};`);

const guarded = (config: string) =>
  program(
    "",
    `const checks = await runAndApplyGuardrails(workflow.input_as_text, ${config}, conversationHistory, workflow);`,
  );

/** For everything that an import can refuse, files of each importer that cause it. */
export const refusedFiles: Readonly<Record<ImportErrorCode, readonly File[][]>> = {
  "agent-builder-agents-missing": [script("export const x = 1;")],
  "agent-builder-code-unknown": [
    program("instructions: readFile('x.md')"),
    program("", "for (const one of load()) { await runner.run(writer, one); }"),
    program("tools: [somethingElse]"),
  ],
  "agent-builder-connector": [
    program('tools: [hostedMcpTool({ serverLabel: "mail", connectorId: "connector_gmail" })]'),
    program("mcpServers: [new MCPServerStdio({ name: 'files' })]"),
  ],
  "agent-builder-entry-missing": [
    script(`const a = new Agent({ name: "A", instructions: "a", model: "gpt-5" });
const b = new Agent({ name: "B", instructions: "b", model: "gpt-5" });`),
  ],
  "agent-builder-file-refused": [
    program("").concat({ name: "deep.ts", text: `import "@openai/agents";\n${"[".repeat(400)}` }),
  ],
  "agent-builder-tool-empty": [
    program(
      'tools: [tool({ name: "find", description: "Finds.", parameters: z.object({}), execute: async () => {} })]',
    ),
  ],
  "agent-builder-tool-unsupported": [program("tools: [imageGenerationTool()]"), program("tools: [computerTool()]")],
  "assistant-missing": [classic({ id: "openAIAssistant_0" })],
  "code-tools": [codeWith({ tools: [ref("calculator_0")] }, { id: "calculator_0" })],
  "ending-missing": [classic({ id: "plainText_0", inputs: { text: "a" } }), sequential(seqStart())],
  "flow-cyclic": [
    classic(
      { id: "conversationChain_0", inputs: { model: ref("chatOpenAI_0") } },
      { id: "chainTool_0", inputs: { baseChain: ref("llmChain_1") } },
      { id: "llmChain_1", inputs: { prompt: ref("chainTool_0") } },
    ),
    sequential(
      seqStart(),
      asked("seqLLMNode_0", ["seqStart_0", "seqLLMNode_1"]),
      asked("seqLLMNode_1", "seqLLMNode_0"),
    ),
  ],
  "flow-missing": [
    v2({ id: "executeFlowAgentflow_0" }),
    sequential(seqStart(), step("seqExecuteFlow_0", "seqStart_0")),
  ],
  "flow-overrides-invalid": [
    v2({
      id: "executeFlowAgentflow_0",
      inputs: { executeFlowSelectedFlow: "f", executeFlowOverrideConfig: "[1]" },
    }),
    sequential(seqStart(), step("seqExecuteFlow_0", "seqStart_0", { selectedFlow: "f", overrideConfig: "[1]" })),
  ],
  "flow-too-large": [
    v2(...Array.from({ length: 2_001 }, (_, index) => ({ id: `directReplyAgentflow_${index}` }))),
    yaml(
      `kind: Workflow\nactions:\n${Array.from({ length: 2_100 }, () => "  - kind: SendActivity\n    activity: a\n").join("")}`,
    ),
  ],
  "flow-workspace": [
    [{ name: "all.json", text: JSON.stringify({ ChatFlow: [{ name: "a", flowData: '{"nodes":[],"edges":[]}' }] }) }],
  ],
  "foundry-action-unsupported": [action("BeginDialog", "dialog: other")],
  "foundry-actions-missing": [yaml("kind: Workflow\ntrigger:\n  kind: OnConversationStart\n  actions: []\n")],
  "foundry-address-computed": [
    action("InvokeMcpTool", 'serverUrl: =Concatenate("https://", Local.Host, "/mcp")', "toolName: find"),
  ],
  "foundry-agent-missing": [action("InvokeAzureAgent", "agent:", "  name: Nobody")],
  "foundry-condition-missing": [
    action("ConditionGroup", "conditions:", "  - id: a", "    actions:", "      - kind: EndWorkflow", "        id: e"),
  ],
  "foundry-copilot-topic": [
    yaml("kind: AdaptiveDialog\nbeginDialog:\n  kind: OnRecognizedIntent\n  id: main\n  actions: []\n"),
  ],
  "foundry-expression-unsupported": [action("SetVariable", "variable: Local.A", "value: =Frobnicate(1)")],
  "foundry-field-invalid": [
    action("ConditionGroup", "conditions:", "  - id: a", "    condition: =true", "    actions: []", "else: []"),
  ],
  "foundry-file-unreadable": [yaml("kind: Workflow\nactions:\n\t- kind: SendActivity\n")],
  "foundry-goto-unresolved": [action("GotoAction", "actionId: nowhere"), action("GotoAction")],
  "foundry-items-missing": [action("Foreach", "actions:", "  - kind: EndWorkflow", "    id: e")],
  "foundry-method-unsupported": [action("HttpRequestAction", "method: TRACE", "url: https://api.example/x")],
  "foundry-table-change-unsupported": [
    action("EditTable", "itemsVariable: Local.T", "changeType: Shuffle", "value: =1"),
  ],
  "foundry-tool-computed": [action("InvokeMcpTool", "serverUrl: https://mcp.example/mcp", "toolName: =Local.Name")],
  "foundry-tool-missing": [
    action("InvokeFunctionTool", "functionName: find"),
    agentFile("kind: function\n    name: find"),
  ],
  "foundry-tool-unsupported": [agentFile("kind: sharepoint\n    name: files")],
  "foundry-value-type-unsupported": [action("ParseValue", "variable: Local.A", "valueType: Colour", "value: =Local.B")],
  "foundry-variable-invalid": [action("SetVariable", "value: =1"), action("SetVariable", "variable: A b", "value: =1")],
  "foundry-workflow-missing": [
    [{ name: "Clerk.yaml", text: "kind: Prompt\nname: Clerk\ninstructions: Help.\nmodel:\n  id: gpt-4o\n" }],
  ],
  "function-variables": [
    codeWith({ functionInputVariables: "[1]" }),
    sequential(
      seqStart(),
      step("seqCustomFunction_0", "seqStart_0", { javascriptFunction: "return 1;", functionInputVariables: "[1]" }),
    ),
  ],
  "headers-invalid": [
    classic({
      id: "getApiChain_0",
      inputs: { model: ref("chatOpenAI_0"), apiDocs: "GET https://api.example/x", headers: "[1]" },
    }),
  ],
  "http-body-invalid": [
    v2({
      id: "httpAgentflow_0",
      inputs: { method: "POST", url: "https://api.example/x", bodyType: "json", body: "{broken" },
    }),
  ],
  "import-empty": [yaml("kind: Workflow\nactions:\n  - kind: EndWorkflow\n    id: end\n")],
  "import-guardrail-missing": [
    guarded('{ guardrails: [{ name: "Crystal Ball", config: {} }] }'),
    guarded("loadConfig()"),
    program("inputGuardrails: [secretWords]"),
  ],
  "import-other-builder": [
    other("n8n.json", { nodes: [{ name: "Hook", type: "n8n-nodes-base.webhook" }], connections: {} }),
    other("langflow.json", {
      data: { nodes: [{ id: "a", type: "genericNode", data: { type: "Prompt", node: {} } }], edges: [] },
    }),
    other("sim.json", {
      version: "1.0",
      state: { blocks: { a: { id: "a", type: "starter", subBlocks: {} } }, edges: [] },
    }),
    other("langgraph.json", { dependencies: ["."], graphs: { agent: "./agent.py:graph" } }),
    [{ name: "agent.py", text: "from langgraph.graph import StateGraph\n\ngraph = StateGraph(dict)\n" }],
    [{ name: "agent.ts", text: 'import { StateGraph } from "@langchain/langgraph";\n' }],
    [
      {
        name: "app.yml",
        text: "app:\n  mode: workflow\n  name: A\nkind: app\nversion: 0.3.0\nworkflow:\n  graph: {}\n",
      },
    ],
    [{ name: "sim.yaml", text: "version: '1.0'\nblocks:\n  a:\n    type: starter\n    name: Start\n" }],
  ],
  "import-store-missing": [agentFile("kind: file_search\n    vectorStoreIds: [vs_1]")],
  "import-too-large": [[{ name: "a.yaml", text: `kind: Workflow\n# ${"x".repeat(1_000_001)}` }]],
  "import-unknown": [[{ name: "notes.txt", text: "Buy milk." }]],
  "knowledge-missing": [v2({ id: "retrieverAgentflow_0", inputs: { retrieverQuery: "a" } })],
  "loader-text": [
    classic(
      { id: "pdfFile_0", output: "text" },
      { id: "promptTemplate_0", inputs: { template: "Know {facts}", promptValues: { facts: ref("pdfFile_0") } } },
      { id: "llmChain_0", inputs: { model: ref("chatOpenAI_0"), prompt: ref("promptTemplate_0") } },
    ),
  ],
  "loop-target-missing": [
    sequential(
      seqStart(),
      asked("seqLLMNode_0", "seqStart_0"),
      step("seqLoop_0", "seqLLMNode_0", { loopToName: "nobody" }),
    ),
  ],
  "model-address-missing": [
    v2({ id: "llmAgentflow_0", inputs: { llmModel: "chatOpenAICustom" } }),
    v2({ id: "llmAgentflow_0", inputs: { llmModel: "chatLocalAI" } }),
  ],
  "model-unsupported": [
    v2({ id: "llmAgentflow_0", inputs: { llmModel: "chatOther" } }),
    classic({ id: "chatOther_0" }, { id: "conversationChain_0", inputs: { model: ref("chatOther_0") } }),
    sequential(
      { id: "chatOther_0" },
      seqStart({ model: ref("chatOther_0") }),
      step("seqLLMNode_0", "seqStart_0", { model: ref("chatOther_0") }),
    ),
  ],
  "moderation-credential-missing": [
    chain({ inputModeration: [ref("inputModerationOpenAI_0")] }, { id: "inputModerationOpenAI_0" }),
  ],
  "moderation-unsupported": [
    chain({ inputModeration: [ref("inputModerationOther_0")] }, { id: "inputModerationOther_0" }),
  ],
  "node-unsupported": [
    v2({ id: "otherAgentflow_0" }, { id: "directReplyAgentflow_0", inputs: { directReplyMessage: "Hi" } }),
    classic({ id: "csvAgent_0", inputs: { model: ref("chatOpenAI_0") } }),
    sequential(seqStart(), step("seqOther_0", "seqStart_0"), asked("seqLLMNode_0", "seqOther_0")),
  ],
  "parser-schema": [
    chain(
      { outputParser: ref("advancedStructuredOutputParser_0") },
      { id: "advancedStructuredOutputParser_0", inputs: { exampleJson: "z.any().x()" } },
    ),
  ],
  "parser-unsupported": [chain({ outputParser: ref("otherParser_0") }, { id: "otherParser_0" })],
  "prompt-code": [
    prompted({
      id: "chatPromptTemplate_0",
      inputs: { systemMessagePrompt: "a", humanMessagePrompt: "{b}", messageHistoryCode: "return load()" },
    }),
    sequential(seqStart(), asked("seqLLMNode_0", "seqStart_0", { messageHistory: "return load()" })),
  ],
  "prompt-examples": [prompted({ id: "fewShotPromptTemplate_0", inputs: { suffix: "{a}", examples: "{}" } })],
  "prompt-format": [
    prompted({ id: "fewShotPromptTemplate_0", inputs: { suffix: "{a}", examples: "[]", templateFormat: "jinja2" } }),
  ],
  "prompt-missing": [
    classic({ id: "llmChain_0", inputs: { model: ref("chatOpenAI_0") } }),
    prompted({ id: "promptTemplate_1", inputs: { template: "" } }),
  ],
  "prompt-unsupported": [prompted({ id: "otherPrompt_0", inputs: {} })],
  "prompt-values-invalid": [prompted({ id: "promptTemplate_1", inputs: { template: "{a}", promptValues: "[1]" } })],
  "prompt-values-missing": [prompted({ id: "promptTemplate_1", inputs: { template: "{a} {b}" } })],
  "sql-address": [database({ url: "somewhere" })],
  "sql-system": [database({ database: "mssql", url: "mssql://db.example/x" })],
  "start-missing": [sequential(asked("seqLLMNode_0", []))],
  "state-code": [
    sequential(
      { id: "seqState_0", inputs: { stateMemory: "stateMemoryCode", stateMemoryCode: "return load();" } },
      seqStart({ state: ref("seqState_0") }),
      asked("seqLLMNode_0", "seqStart_0"),
    ),
  ],
  "store-choose": [
    classic(
      {
        id: "retrievalQAChain_0",
        inputs: { model: ref("chatOpenAI_0"), vectorStoreRetriever: ref("awsKBRetriever_0") },
      },
      { id: "awsKBRetriever_0" },
    ),
  ],
  "store-filter": [
    agentWith(
      {
        id: "retrieverTool_0",
        inputs: { name: "a", retriever: ref("documentStoreVS_0"), retrieverToolMetadataFilter: '{"year":{"$near":1}}' },
      },
      { id: "documentStoreVS_0", inputs: { selectedStore: "store-1" } },
    ),
  ],
  "store-missing": [
    classic({ id: "retrievalQAChain_0", inputs: { model: ref("chatOpenAI_0") } }),
    classic(
      {
        id: "retrievalQAChain_0",
        inputs: { model: ref("chatOpenAI_0"), vectorStoreRetriever: ref("documentStoreVS_0") },
      },
      { id: "documentStoreVS_0" },
    ),
  ],
  "tool-address-missing": [
    toolIn("requestsGet"),
    toolIn("jiraTool", { jiraType: "issues", issueActions: '["getIssue"]', FLOWISE_CREDENTIAL_ID: "c" }),
    agentWith({ id: "requestsGet_0" }),
  ],
  "tool-chain": [
    agentWith(
      { id: "chainTool_0", inputs: { name: "Poet", description: "Rhymes", baseChain: ref("conversationChain_0") } },
      { id: "conversationChain_0", inputs: { model: ref("chatOpenAI_0") } },
    ),
  ],
  "tool-credential-missing": [
    toolIn("serpAPI"),
    toolIn("githubMCP", { mcpActions: '["get_me"]' }),
    agentWith({ id: "serpAPI_0" }),
  ],
  "tool-file-missing": [
    toolIn("openAPIToolkit"),
    toolIn("openAPIToolkit", { openApiFile: "FILE-STORAGE::a.yaml" }),
    agentWith({ id: "openAPIToolkit_0" }),
  ],
  "tool-json-invalid": [
    toolIn("requestsGet", { requestsGetUrl: "https://api.example/x", requestsGetHeaders: "[1]" }),
    agentWith({ id: "requestsGet_0", inputs: { requestsGetUrl: "https://api.example/x", requestsGetHeaders: "[1]" } }),
  ],
  "tool-missing": [toolIn(""), toolIn("customTool"), agentWith({ id: "queryEngineToolLlamaIndex_0" })],
  "tool-node-alone": [
    sequential(seqStart(), asked("seqLLMNode_0", "seqStart_0"), step("seqToolNode_0", "seqLLMNode_0")),
  ],
  "tool-server-missing": [
    toolIn("customMCP", { mcpActions: '["a"]' }),
    toolIn("customMCP", { mcpActions: '["a"]', mcpServerConfig: '{"command":"npx"}' }),
  ],
  "tool-unsupported": [
    toolIn("otherTool"),
    toolIn("pipedreamMCP"),
    agentWith({ id: "otherTool_0" }),
    v2({
      id: "agentAgentflow_0",
      inputs: { agentModel: "chatOpenAI", agentToolsBuiltInOpenAI: '["image_generation"]' },
    }),
  ],
  "worker-missing": [
    [
      {
        name: "team.json",
        text: JSON.stringify(
          sequentialFlow([chatModel, { id: "supervisor_0", inputs: { model: ref("chatOpenAI_0") } }]),
        ),
      },
    ],
  ],
};
