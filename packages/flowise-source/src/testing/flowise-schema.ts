/** `moment` has milliseconds, `date` whole seconds. */
export type ColumnType = "id" | "string" | "text" | "boolean" | "integer" | "date" | "moment";
export type Columns = Readonly<Record<string, ColumnType>>;
export type FlowiseVersion = "1.x" | "2.x" | "3.1.4";

type Additions = Partial<Record<FlowiseVersion, Columns>>;

const versions: readonly FlowiseVersion[] = ["1.x", "2.x", "3.1.4"];
const dates = { createdDate: "date", updatedDate: "date" } as const;
const workspace = { workspaceId: "id" } as const;

/** Columns that each version added to a table, id first. */
const history: Readonly<Record<string, Additions>> = {
  migrations: { "1.x": { id: "integer", timestamp: "string", name: "string" } },
  chat_flow: {
    "1.x": {
      id: "id",
      name: "string",
      flowData: "text",
      deployed: "boolean",
      isPublic: "boolean",
      apikeyid: "string",
      chatbotConfig: "text",
      ...dates,
    },
    "2.x": {
      apiConfig: "text",
      analytic: "text",
      speechToText: "text",
      category: "text",
      type: "text",
      followUpPrompts: "text",
    },
    "3.1.4": {
      textToSpeech: "text",
      mcpServerConfig: "text",
      webhookSecret: "text",
      webhookSecretConfigured: "boolean",
      ...workspace,
    },
  },
  chat_message: {
    "1.x": {
      id: "id",
      role: "string",
      chatflowid: "id",
      content: "text",
      sourceDocuments: "text",
      usedTools: "text",
      fileAnnotations: "text",
      chatType: "string",
      chatId: "string",
      memoryType: "string",
      sessionId: "string",
      createdDate: "moment",
    },
    "2.x": {
      agentReasoning: "text",
      fileUploads: "text",
      artifacts: "text",
      action: "text",
      leadEmail: "text",
      followUpPrompts: "text",
    },
    "3.1.4": { executionId: "id", reasonContent: "text" },
  },
  credential: {
    "1.x": { id: "id", name: "string", credentialName: "string", encryptedData: "text", ...dates },
    "3.1.4": workspace,
  },
  tool: {
    "1.x": {
      id: "id",
      name: "string",
      description: "text",
      color: "string",
      iconSrc: "text",
      schema: "text",
      func: "text",
      ...dates,
    },
    "3.1.4": workspace,
  },
  assistant: {
    "1.x": { id: "id", details: "text", credential: "id", iconSrc: "string", ...dates },
    "2.x": { type: "text" },
    "3.1.4": workspace,
  },
  variable: {
    "1.x": { id: "id", name: "string", value: "text", type: "string", ...dates },
    "3.1.4": workspace,
  },
  chat_message_feedback: {
    "1.x": {
      id: "id",
      chatflowid: "id",
      chatId: "string",
      messageId: "id",
      rating: "string",
      content: "text",
      createdDate: "date",
    },
  },
  apikey: {
    "2.x": { id: "id", apiKey: "string", apiSecret: "string", keyName: "string", ...dates },
    "3.1.4": { permissions: "text", ...workspace },
  },
  document_store: {
    "2.x": {
      id: "id",
      name: "string",
      description: "string",
      loaders: "text",
      whereUsed: "text",
      status: "string",
      vectorStoreConfig: "text",
      embeddingConfig: "text",
      recordManagerConfig: "text",
      ...dates,
    },
    "3.1.4": workspace,
  },
  document_store_file_chunk: {
    "2.x": { id: "id", docId: "id", storeId: "id", chunkNo: "integer", pageContent: "text", metadata: "text" },
  },
  lead: {
    "2.x": {
      id: "id",
      chatflowid: "string",
      chatId: "string",
      name: "text",
      email: "text",
      phone: "text",
      createdDate: "date",
    },
  },
  upsert_history: { "2.x": { id: "id", chatflowid: "string", result: "text", flowData: "text", date: "date" } },
  custom_template: { "2.x": { id: "id", name: "string", flowData: "text", ...dates }, "3.1.4": workspace },
  organization: { "3.1.4": { id: "id", name: "string", ...dates } },
  workspace: { "3.1.4": { id: "id", name: "string", organizationId: "id", ...dates } },
  user: { "3.1.4": { id: "id", name: "string", email: "string", credential: "text", ...dates } },
  execution: {
    "3.1.4": {
      id: "id",
      executionData: "text",
      state: "string",
      agentflowId: "id",
      sessionId: "string",
      action: "text",
      ...dates,
      stoppedDate: "date",
      ...workspace,
    },
  },
  schedule_record: {
    "3.1.4": {
      id: "id",
      targetId: "id",
      cronExpression: "text",
      timezone: "string",
      enabled: "boolean",
      endDate: "date",
      ...dates,
      ...workspace,
    },
  },
  custom_mcp_server: {
    "3.1.4": {
      id: "id",
      name: "string",
      serverUrl: "text",
      authType: "string",
      authConfig: "text",
      tools: "text",
      ...dates,
      ...workspace,
    },
  },
  dataset: { "3.1.4": { id: "id", name: "string", ...dates, ...workspace } },
  dataset_row: { "3.1.4": { id: "id", datasetId: "id", input: "text", output: "text" } },
  evaluation: { "3.1.4": { id: "id", name: "string", ...workspace } },
  evaluation_run: { "3.1.4": { id: "id", evaluationId: "id" } },
  evaluator: { "3.1.4": { id: "id", name: "string", ...workspace } },
  schedule_trigger_log: { "3.1.4": { id: "id", scheduleRecordId: "id", createdDate: "date" } },
  login_activity: { "3.1.4": { id: "id", username: "string" } },
  login_method: { "3.1.4": { id: "id", name: "string", config: "text" } },
  login_sessions: { "3.1.4": { id: "id" } },
  organization_user: { "3.1.4": { id: "id", organizationId: "id", userId: "id" } },
  role: { "3.1.4": { id: "id", name: "string", permissions: "text" } },
  workspace_shared: { "3.1.4": { id: "id", sharedItemId: "id", ...workspace } },
  workspace_user: { "3.1.4": { id: "id", userId: "id", ...workspace } },
};

/** The tables of a version with their columns. */
export function schemaOf(version: FlowiseVersion): ReadonlyMap<string, Columns> {
  const known = versions.slice(0, versions.indexOf(version) + 1);
  const tables = Object.entries(history).map(([table, added]): [string, Columns] => [
    table,
    Object.assign({}, ...known.map((one) => added[one] ?? {})),
  ]);
  return new Map(tables.filter(([, columns]) => Object.keys(columns).length > 0));
}
