import { createCipheriv, createHash, scryptSync } from "node:crypto";
import { agentFlow, assistantFlow, chatFlow, multiAgentFlow } from "./flowise-flows.ts";
import { type Columns, type FlowiseVersion, schemaOf } from "./flowise-schema.ts";

export type FlowiseSizes = {
  agents: number;
  /** Half questions, half answers, ten in a chat. */
  messages: number;
  chunks: number;
  executions: number;
};

export const smallSizes: FlowiseSizes = { agents: 12, messages: 240, chunks: 40, executions: 12 };

export type FlowiseValue = string | number | boolean | null;
/** Dates are ISO 8601 with milliseconds, flags are booleans. */
export type ContentRow = Readonly<Record<string, FlowiseValue>>;

/** What an installation holds, whatever keeps it: the same for the same sizes. Rows come oldest first. */
export type FlowiseContents = {
  version: FlowiseVersion;
  /** The text of `encryption.key`. */
  key: string;
  /** None before 3.x. */
  workspaces: readonly { id: string; name: string }[];
  tables: ReadonlyMap<string, Columns>;
  rows(table: string): Iterable<ContentRow>;
  /** Fields of the credentials that the key opens, by the credential's id. */
  secrets: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** The keys that clients send, by the id of the key. */
  apiKeys: ReadonlyMap<string, string>;
  /** Paths below the storage folder, and what the files hold. */
  files: ReadonlyMap<string, string>;
};

const key = "q2Vt0m1yXc7nR5bKfWd9sLhE4gJzAu8o";
const otherKey = "Another32CharactersOfBase64Text0";
const workspaces = [
  { id: idOf("workspace", 0), name: "Default Workspace" },
  { id: idOf("workspace", 1), name: "Second Workspace" },
] as const;
const organization = idOf("organization", 0);

/** Ids of rows that tests speak of: `flowiseId("chat_flow", 0)`. */
export function flowiseId(table: string, index: number): string {
  return idOf(table, index);
}

/** Every fifth agent, with all that belongs to it, is in the second workspace. */
export function describeFlowise(version: FlowiseVersion = "3.1.4", sizes: FlowiseSizes = smallSizes): FlowiseContents {
  const tables = schemaOf(version);
  const makers = rowMakers(sizes);
  const hasWorkspaces = version === "3.1.4";
  return {
    version,
    key,
    workspaces: hasWorkspaces ? workspaces : [],
    tables,
    *rows(table) {
      if (!tables.has(table)) return;
      const columns = Object.keys(tables.get(table) ?? {});
      for (const row of makers[table]?.() ?? []) {
        yield Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
      }
    },
    secrets: new Map(credentials.flatMap(({ fields }, index) => (fields ? [[idOf("credential", index), fields]] : []))),
    apiKeys: new Map(apiKeys.map((value, index) => [idOf("apikey", index), value])),
    files: new Map(storedFiles.map(([path, text]) => [hasWorkspaces ? `${organization}/${path}` : path, text])),
  };
}

type Credential = { name: string; fields?: Record<string, string>; sealed?: string };

const credentials: readonly Credential[] = [
  ...[
    ["openAIApi", "openAIApiKey"],
    ["anthropicApi", "anthropicApiKey"],
    ["googleGenerativeAI", "googleGenerativeAPIKey"],
    ["groqApi", "groqApiKey"],
    ["mistralAIApi", "mistralAIAPIKey"],
    ["togetherAIApi", "togetherAIApiKey"],
    ["xaiApi", "xaiApiKey"],
    ["perplexityApi", "perplexityApiKey"],
    ["sambanovaApi", "sambanovaApiKey"],
    ["litellmApi", "litellmApiKey"],
    ["fireworksApi", "fireworksApiKey"],
    ["cerebrasAIApi", "cerebrasApiKey"],
    ["nvidiaNIMApi", "nvidiaNIMApiKey"],
    ["deepseekApi", "deepseekApiKey"],
    ["openRouterApi", "openRouterApiKey"],
    ["localAIApi", "localAIApiKey"],
    ["tavilyApi", "tavilyApiKey"],
    ["pineconeApi", "pineconeApiKey"],
    ["httpBearerToken", "token"],
  ].map(([name = "", field = ""]) => ({ name, fields: { [field]: `sk-${name}-é✓` } })),
  { name: "httpBasicAuth", fields: { basicAuthUsername: "ana", basicAuthPassword: "s3cret" } },
  { name: "httpApiKey", fields: { key: "X-Api-Key", value: "k-1" } },
  {
    name: "azureOpenAIApi",
    fields: {
      azureOpenAIApiKey: "az-1",
      azureOpenAIApiInstanceName: "example",
      azureOpenAIApiDeploymentName: "gpt",
      azureOpenAIApiVersion: "2024-10-21",
    },
  },
  { name: "PostgresApi", fields: { user: "weft", password: "pg" } },
  { name: "gmailOAuth2", fields: { clientId: "c", clientSecret: "s", access_token: "at-1", refresh_token: "rt-1" } },
  { name: "openAIApi", sealed: "FlowiseCredential_0b6ff1c2-managed" },
  { name: "openAIApi", sealed: sealFlowise({ openAIApiKey: "sk-other-key" }, otherKey, "other") },
];

const apiKeys = [0, 1, 2].map((index) => createHash("sha256").update(`api key ${index}`).digest("base64url"));

const storedFiles: readonly (readonly [path: string, text: string])[] = [
  [`docustore/${idOf("document_store", 0)}/handbook.txt`, "Invoices are paid within 30 days.\n".repeat(20)],
  [`docustore/${idOf("document_store", 0)}/prices.csv`, "article,price\nbell,12\nlock,30\n"],
  [`docustore/${idOf("document_store", 2)}/second.txt`, "Of the second workspace.\n"],
  [`${idOf("chat_flow", 0)}/loader.txt`, "A file of the flow's loader.\n"],
  [`${idOf("chat_flow", 0)}/${chatIdOf(0)}/picture.png`, "not really a picture"],
  [`${idOf("chat_flow", 0)}/${chatIdOf(0)}/notes.txt`, "Uploaded in a chat.\n"],
];

/** Seals as Flowise does: OpenSSL's salted format, AES-256-CBC, key and IV derived with MD5. `seed` decides the salt. */
export function sealFlowise(fields: Readonly<Record<string, unknown>>, passphrase: string, seed: string): string {
  const salt = createHash("sha256").update(seed).digest().subarray(0, 8);
  let derived = Buffer.alloc(0);
  for (let block = Buffer.alloc(0); derived.length < 48; derived = Buffer.concat([derived, block])) {
    block = createHash("md5").update(block).update(passphrase).update(salt).digest();
  }
  const cipher = createCipheriv("aes-256-cbc", derived.subarray(0, 32), derived.subarray(32, 48));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(fields), "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.from("Salted__"), salt, sealed]).toString("base64");
}

function rowMakers(sizes: FlowiseSizes): Readonly<Record<string, () => Iterable<ContentRow>>> {
  return {
    migrations: () =>
      list(3, (index) => ({ id: index + 1, timestamp: `169337542${index}000`, name: `Migration${index}` })),
    organization: () => list(1, () => ({ id: organization, name: "Default Organization", ...datesOf(0) })),
    workspace: () => list(2, (index) => ({ ...workspaces[index], organizationId: organization, ...datesOf(index) })),
    user: () =>
      list(2, (index) => ({
        id: idOf("user", index),
        name: `User ${index}`,
        email: `user${index}@example.org`,
        credential: "$2a$10$x",
        ...datesOf(index),
      })),
    credential: () => list(credentials.length, credentialRow),
    variable: () => list(4, variableRow),
    apikey: () => list(apiKeys.length, apiKeyRow),
    tool: () => list(5, toolRow),
    document_store: () => list(3, (index) => storeRow(index, sizes.chunks)),
    document_store_file_chunk: () => chunkRows(sizes.chunks),
    chat_flow: () => flowRows(sizes.agents),
    assistant: () => list(4, assistantRow),
    chat_message: () => messageRows(sizes),
    chat_message_feedback: () => feedbackRows(sizes),
    lead: () => leadRows(sizes),
    upsert_history: () => list(3, upsertRow),
    execution: () => list(sizes.executions, (index) => executionRow(index, sizes.agents)),
    schedule_record: () => list(2, scheduleRow),
    custom_mcp_server: () => list(2, mcpServerRow),
    custom_template: () =>
      list(1, (index) => ({
        id: idOf("custom_template", index),
        name: "Template",
        flowData: "{}",
        ...ownedBy(0),
        ...datesOf(0),
      })),
    dataset: () =>
      list(2, (index) => ({
        id: idOf("dataset", index),
        name: `Dataset ${index}`,
        ...ownedBy(index),
        ...datesOf(index),
      })),
    dataset_row: () =>
      list(3, (index) => ({
        id: idOf("dataset_row", index),
        datasetId: idOf("dataset", index % 2),
        input: "q",
        output: "a",
      })),
  };
}

function* list(count: number, make: (index: number) => ContentRow): Iterable<ContentRow> {
  for (let index = 0; index < count; index += 1) yield make(index);
}

function idOf(kind: string, index: number): string {
  const hex = createHash("sha256").update(`${kind} ${index}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function ownedBy(workspace: number): { workspaceId: string } {
  return { workspaceId: workspaces[workspace === 1 ? 1 : 0].id };
}

const firstDay = Date.UTC(2025, 0, 1);
const minuteMs = 60_000;

function dateOf(index: number, more = 0): string {
  return new Date(firstDay + index * minuteMs + more).toISOString();
}

function datesOf(index: number): { createdDate: string; updatedDate: string } {
  return { createdDate: dateOf(index), updatedDate: dateOf(index + 1_000) };
}

function credentialRow(index: number): ContentRow {
  const { name = "", fields = {}, sealed } = credentials[index] ?? {};
  return {
    id: idOf("credential", index),
    name: `Credential ${index}`,
    credentialName: name,
    encryptedData: sealed ?? sealFlowise(fields, key, `credential ${index}`),
    ...ownedBy(index === 3 ? 1 : 0),
    ...datesOf(index),
  };
}

/** The last is of the second workspace and has a name that the first has. */
function variableRow(index: number): ContentRow {
  const [name = "", type = "", value = ""] =
    [
      ["companyName", "static", "Lindenhof Bicycles"],
      ["apiBase", "static", "https://api.example.org/v1"],
      ["SHOP_TOKEN", "runtime", ""],
      ["companyName", "static", "Second Company"],
    ][index] ?? [];
  return { id: idOf("variable", index), name, type, value, ...ownedBy(index === 3 ? 1 : 0), ...datesOf(index) };
}

function apiKeyRow(index: number): ContentRow {
  const apiKey = apiKeys[index] ?? "";
  const salt = createHash("sha256").update(`salt ${index}`).digest("hex").slice(0, 16);
  return {
    id: idOf("apikey", index),
    apiKey,
    apiSecret: `${scryptSync(apiKey, salt, 64).toString("hex")}.${salt}`,
    keyName: ["DefaultKey", "Website", "Second"][index] ?? "",
    permissions: JSON.stringify(index === 1 ? ["chatflows:view"] : ["chatflows:view", "documentStores:upsert-config"]),
    ...ownedBy(index === 2 ? 1 : 0),
    ...datesOf(index),
  };
}

function toolRow(index: number): ContentRow {
  const names = ["order_status", "add_numbers", "fetch_page", "company", "order_status"];
  const bodies = [
    'const fetch = require("node-fetch");\nconst answer = await fetch($vars.apiBase + "/orders/" + $id);\nreturn answer.text();',
    "return String($a + $b);",
    'const axios = require("axios");\nreturn (await axios.get($url)).data;',
    "return $vars.companyName + $flow.chatId;",
    "return 'second workspace';",
  ];
  const property = { id: 1, property: "id", description: "The order", type: "string", required: true };
  return {
    id: idOf("tool", index),
    name: names[index] ?? "",
    description: `Tool ${index}`,
    color: "linear-gradient(rgb(12,34,56), rgb(7,8,9))",
    iconSrc: null,
    schema: JSON.stringify([property]),
    func: bodies[index] ?? "",
    ...ownedBy(index === 4 ? 1 : 0),
    ...datesOf(index),
  };
}

function storeRow(index: number, chunks: number): ContentRow {
  const totalChunks = Math.ceil((chunks - index) / 3);
  const loader = {
    id: idOf("loader", index),
    loaderId: "textFile",
    loaderName: "Text File",
    loaderConfig: { txtFile: 'FILE-STORAGE::["handbook.txt"]', metadata: "", omitMetadataKeys: "" },
    splitterId: "recursiveCharacterTextSplitter",
    splitterName: "Recursive Character Text Splitter",
    splitterConfig: { chunkSize: 1000, chunkOverlap: "200", separators: "" },
    totalChunks,
    totalChars: totalChunks * 60,
    status: "SYNC",
    files: [
      {
        id: idOf("file", index),
        name: "handbook.txt",
        mimePrefix: "text/plain",
        size: 680,
        status: "NEW",
        uploaded: dateOf(index),
      },
    ],
  };
  const embedding = { credential: idOf("credential", 0), modelName: "text-embedding-3-small" };
  return {
    id: idOf("document_store", index),
    name: ["Handbook", "Empty settings", "Handbook"][index] ?? "",
    description: index === 1 ? null : "What customers ask about",
    loaders: JSON.stringify([loader]),
    whereUsed: "[]",
    status: index === 0 ? "UPSERTED" : "SYNC",
    vectorStoreConfig: index === 1 ? null : JSON.stringify({ name: "memoryVectorStore", config: { topK: "" } }),
    embeddingConfig: index === 1 ? null : JSON.stringify({ name: "openAIEmbeddings", config: embedding }),
    recordManagerConfig: null,
    ...ownedBy(index === 2 ? 1 : 0),
    ...datesOf(index),
  };
}

/** By store, loader and number. */
function* chunkRows(count: number): Iterable<ContentRow> {
  const stores = [0, 1, 2].toSorted((a, b) => (idOf("document_store", a) < idOf("document_store", b) ? -1 : 1));
  for (const store of stores) {
    for (let index = store, chunkNo = 1; index < count; index += 3, chunkNo += 1) {
      yield {
        id: idOf("chunk", index),
        docId: idOf("loader", store),
        storeId: idOf("document_store", store),
        chunkNo,
        pageContent: `Passage ${chunkNo}: customers may return article ${index} within 30 days.`,
        metadata: JSON.stringify({ source: "handbook.txt", line: chunkNo }),
      };
    }
  }
}

/** Two agents of the assistants come last. */
function* flowRows(agents: number): Iterable<ContentRow> {
  for (let index = 0; index < agents; index += 1) yield flowRow(index);
  for (let index = 0; index < 2; index += 1) {
    yield {
      id: idOf("assistant flow", index),
      name: `Assistant ${index}`,
      flowData: JSON.stringify(assistantFlow(idOf("credential", 0))),
      deployed: false,
      isPublic: false,
      type: "ASSISTANT",
      ...ownedBy(index),
      ...datesOf(agents + index),
    };
  }
}

function workspaceOfAgent(index: number): number {
  return index % 5 === 4 ? 1 : 0;
}

function flowRow(index: number): ContentRow {
  const workspace = workspaceOfAgent(index);
  return {
    id: idOf("chat_flow", index),
    name: `Agent ${index}`,
    flowData: flowDataOf(index),
    deployed: index % 2 === 0,
    isPublic: [true, false, null][index % 3] ?? null,
    apikeyid: [null, idOf("apikey", workspace === 1 ? 2 : 0), ""][index % 3] ?? null,
    chatbotConfig:
      index % 4 === 0 ? JSON.stringify({ welcomeMessage: "Hello", allowedOrigins: ["example.org"] }) : null,
    apiConfig: index % 4 === 1 ? JSON.stringify({ overrideConfig: { status: true } }) : "",
    analytic: null,
    speechToText:
      index === 2 ? JSON.stringify({ openAIWhisper: { status: true, credentialId: idOf("credential", 0) } }) : null,
    textToSpeech: index === 2 ? JSON.stringify({ openai: { status: true, voice: "alloy" } }) : null,
    followUpPrompts: index === 3 ? JSON.stringify({ status: true, selectedProvider: "chatOpenAI" }) : null,
    mcpServerConfig: index === 5 ? JSON.stringify({ enabled: true, token: "mcp-token" }) : null,
    webhookSecret: index === 5 ? sealFlowise({ secret: "whsec" }, key, "webhook") : null,
    webhookSecretConfigured: index === 5 ? true : null,
    category: index % 2 === 0 ? "sales;support" : null,
    type: [null, "AGENTFLOW", "CHATFLOW", "MULTIAGENT"][index % 4] ?? null,
    ...ownedBy(workspace),
    ...datesOf(index),
  };
}

function flowDataOf(index: number): string {
  const credential = idOf("credential", 0);
  if (index === 6) return "{}";
  const store = `${idOf("document_store", 0)}:Handbook`;
  const flows = [
    () => chatFlow(credential),
    () => agentFlow({ credential, tool: idOf("tool", 1), store: index === 1 ? store : undefined }),
    () => chatFlow(credential),
    () => multiAgentFlow(credential),
  ];
  return JSON.stringify(flows[index % 4]?.());
}

function assistantRow(index: number): ContentRow {
  const type = ["CUSTOM", "CUSTOM", "OPENAI", "AZURE"][index] ?? "";
  const inputs = { modelName: "gpt-4o-mini", FLOWISE_CREDENTIAL_ID: idOf("credential", 0) };
  const custom = {
    name: `Assistant ${index}`,
    instruction: "Answer in one sentence.",
    chatModel: { name: "chatOpenAI", label: "ChatOpenAI", inputs },
    documentStores: [
      { id: idOf("document_store", 0), name: "Handbook", description: "Returns", returnSourceDocuments: true },
    ],
    tools: [],
    flowId: idOf("assistant flow", index),
  };
  const vendors = { id: `asst_${index}`, name: `Vendor ${index}`, model: "gpt-4o", instructions: "Help.", tools: [] };
  return {
    id: idOf("assistant", index),
    details: JSON.stringify(type === "CUSTOM" ? custom : vendors),
    credential: idOf("credential", 0),
    iconSrc: null,
    type,
    ...ownedBy(index),
    ...datesOf(index),
  };
}

const messagesOfChat = 10;

/** Free text, as clients send it. */
function chatIdOf(chat: number): string {
  const forms = [idOf("chat", chat), `+49 151 ${1_000_000 + chat}`, `ana+${chat}@example.org`, `Gespräch ${chat}`];
  return forms[chat % forms.length] ?? "";
}

/** Each question is followed by its answer: in every fourth pair at the same moment. */
function* messageRows(sizes: FlowiseSizes): Iterable<ContentRow> {
  for (let index = 0; index < sizes.messages; index += 1) yield messageRow(index, sizes);
}

function placeOfMessage(index: number, { agents }: FlowiseSizes): { chat: number; agent: number } {
  const chat = Math.floor(index / messagesOfChat);
  return { chat, agent: chat % agents };
}

function messageRow(index: number, sizes: FlowiseSizes): ContentRow {
  const { chat, agent } = placeOfMessage(index, sizes);
  const isQuestion = index % 2 === 0;
  const pair = Math.floor(index / 2);
  const document = { pageContent: "Paid within 30 days.", metadata: { source: "handbook.txt" } };
  const upload = { type: "stored-file", name: "picture.png", mime: "image/png" };
  return {
    id: idOf("chat_message", index),
    role: isQuestion ? "userMessage" : "apiMessage",
    chatflowid: idOf("chat_flow", agent),
    executionId: null,
    content: isQuestion ? `Question ${pair} – how do I return it? 🚲` : `Answer ${pair}: send it back within 30 days.`,
    sourceDocuments: isQuestion ? null : JSON.stringify([document]),
    usedTools: index % 20 === 1 ? JSON.stringify([{ tool: "order_status", toolInput: {}, toolOutput: "sent" }]) : null,
    fileAnnotations: null,
    agentReasoning: null,
    reasonContent: index % 20 === 3 ? "Because of the handbook." : null,
    fileUploads: index === 0 ? JSON.stringify([upload]) : null,
    artifacts: null,
    action: null,
    chatType: chat % 2 === 0 ? "EXTERNAL" : "INTERNAL",
    chatId: chatIdOf(chat),
    memoryType: "Buffer Memory",
    sessionId: chat % 6 === 5 ? null : chatIdOf(chat),
    createdDate: dateOf(pair, isQuestion || pair % 4 === 0 ? 7 : 1_250),
    leadEmail: chat === 1 ? "ana@example.org" : null,
    followUpPrompts: null,
  };
}

function* feedbackRows(sizes: FlowiseSizes): Iterable<ContentRow> {
  for (let index = 1; index < sizes.messages; index += 40) {
    const { chat, agent } = placeOfMessage(index, sizes);
    yield {
      id: idOf("chat_message_feedback", index),
      chatflowid: idOf("chat_flow", agent),
      chatId: chatIdOf(chat),
      messageId: idOf("chat_message", index),
      rating: index % 80 === 1 ? "THUMBS_UP" : "THUMBS_DOWN",
      content: index % 80 === 1 ? null : "Too short",
      createdDate: dateOf(index),
    };
  }
}

function* leadRows({ agents }: FlowiseSizes): Iterable<ContentRow> {
  for (let index = 0; index < Math.min(agents, 3); index += 1) {
    yield {
      id: idOf("lead", index),
      chatflowid: idOf("chat_flow", index),
      chatId: chatIdOf(index),
      name: `Lead ${index}`,
      email: `lead${index}@example.org`,
      phone: null,
      createdDate: dateOf(index),
    };
  }
}

/** Of a flow, a store and the second workspace's store. */
function upsertRow(index: number): ContentRow {
  const owners = [idOf("chat_flow", 0), idOf("document_store", 0), idOf("document_store", 2)];
  return {
    id: idOf("upsert_history", index),
    chatflowid: owners[index] ?? "",
    result: JSON.stringify({ numAdded: 3, numDeleted: 0, numUpdated: 0, numSkipped: 0, addedDocs: [] }),
    flowData: "[]",
    date: dateOf(index),
  };
}

function executionRow(index: number, agents: number): ContentRow {
  const agent = (index * 4 + 1) % agents;
  const states = ["FINISHED", "ERROR", "TERMINATED", "TIMEOUT", "STOPPED", "INPROGRESS"];
  const state = states[index % states.length] ?? "";
  const data = { id: "agentAgentflow_0", output: { content: `Result ${index}` }, state: { topic: "returns" } };
  const steps = [
    { nodeId: "startAgentflow_0", nodeLabel: "Start", data: {}, previousNodeIds: [], status: "FINISHED" },
    { nodeId: "agentAgentflow_0", nodeLabel: "Agent", data, previousNodeIds: ["startAgentflow_0"], status: state },
  ];
  return {
    id: idOf("execution", index),
    agentflowId: idOf("chat_flow", agent),
    sessionId: chatIdOf(index),
    state,
    action: state === "STOPPED" ? JSON.stringify({ id: "a", mapping: { approve: "Proceed", reject: "Reject" } }) : null,
    executionData: JSON.stringify(steps),
    stoppedDate: state === "INPROGRESS" ? null : dateOf(index + 5),
    ...ownedBy(workspaceOfAgent(agent)),
    ...datesOf(index),
  };
}

function scheduleRow(index: number): ContentRow {
  return {
    id: idOf("schedule_record", index),
    targetId: idOf("chat_flow", 1),
    cronExpression: index === 0 ? "0 9 * * 1" : "*/30 0 9 * * 1",
    timezone: "Europe/Berlin",
    enabled: index === 0,
    endDate: index === 0 ? null : dateOf(100_000),
    ...ownedBy(0),
    ...datesOf(index),
  };
}

function mcpServerRow(index: number): ContentRow {
  const headers = { Authorization: "Bearer mcp-secret" };
  return {
    id: idOf("custom_mcp_server", index),
    name: `MCP ${index}`,
    serverUrl: "https://mcp.example.org/mcp",
    authType: index === 0 ? "CUSTOM_HEADERS" : "NONE",
    authConfig: index === 0 ? sealFlowise({ headers }, key, "mcp") : null,
    tools: JSON.stringify([{ name: "search", description: "Searches", inputSchema: { type: "object" } }]),
    ...ownedBy(index),
    ...datesOf(index),
  };
}
