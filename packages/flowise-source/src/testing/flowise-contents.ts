import { createHash, scryptSync } from "node:crypto";
import { chatIdOf, executionRow, feedbackRows, leadRows, messageRows, upsertRow } from "./chat-rows.ts";
import { agentFlow, assistantFlow, chatFlow, multiAgentFlow } from "./flowise-flows.ts";
import { type Columns, type FlowiseVersion, schemaOf } from "./flowise-schema.ts";
import {
  type ContentRow,
  dateOf,
  datesOf,
  type FlowiseSizes,
  idOf,
  ownedBy,
  workspaceOfAgent,
  workspaces,
} from "./row-basics.ts";
import { sealFlowise } from "./seal-flowise.ts";

export const smallSizes: FlowiseSizes = { agents: 12, messages: 240, chunks: 40, executions: 12 };

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
const organization = idOf("organization", 0);

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
