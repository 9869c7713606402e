/** How a column is read: `flag` is a boolean, `date` ISO 8601 in UTC. JSON columns are `text`. */
export type ColumnKind = "text" | "number" | "flag" | "date";

/** Columns are named as in Flowise 3.1. Every table has an `id` besides. */
const columns = {
  credential: {
    name: "text",
    credentialName: "text",
    encryptedData: "text",
    createdDate: "date",
    updatedDate: "date",
    workspaceId: "text",
  },
  variable: {
    name: "text",
    value: "text",
    type: "text",
    createdDate: "date",
    updatedDate: "date",
    workspaceId: "text",
  },
  apikey: {
    apiKey: "text",
    apiSecret: "text",
    keyName: "text",
    permissions: "text",
    createdDate: "date",
    updatedDate: "date",
    workspaceId: "text",
  },
  tool: {
    name: "text",
    description: "text",
    color: "text",
    iconSrc: "text",
    schema: "text",
    func: "text",
    createdDate: "date",
    updatedDate: "date",
    workspaceId: "text",
  },
  document_store: {
    name: "text",
    description: "text",
    loaders: "text",
    whereUsed: "text",
    status: "text",
    vectorStoreConfig: "text",
    embeddingConfig: "text",
    recordManagerConfig: "text",
    createdDate: "date",
    updatedDate: "date",
    workspaceId: "text",
  },
  document_store_file_chunk: {
    docId: "text",
    storeId: "text",
    chunkNo: "number",
    pageContent: "text",
    metadata: "text",
  },
  chat_flow: {
    name: "text",
    flowData: "text",
    deployed: "flag",
    isPublic: "flag",
    apikeyid: "text",
    chatbotConfig: "text",
    apiConfig: "text",
    analytic: "text",
    speechToText: "text",
    textToSpeech: "text",
    followUpPrompts: "text",
    mcpServerConfig: "text",
    webhookSecret: "text",
    webhookSecretConfigured: "flag",
    category: "text",
    type: "text",
    createdDate: "date",
    updatedDate: "date",
    workspaceId: "text",
  },
  assistant: {
    details: "text",
    credential: "text",
    iconSrc: "text",
    type: "text",
    createdDate: "date",
    updatedDate: "date",
    workspaceId: "text",
  },
  chat_message: {
    role: "text",
    chatflowid: "text",
    executionId: "text",
    content: "text",
    sourceDocuments: "text",
    usedTools: "text",
    fileAnnotations: "text",
    agentReasoning: "text",
    reasonContent: "text",
    fileUploads: "text",
    artifacts: "text",
    action: "text",
    chatType: "text",
    chatId: "text",
    memoryType: "text",
    sessionId: "text",
    createdDate: "date",
    leadEmail: "text",
    followUpPrompts: "text",
  },
  chat_message_feedback: {
    chatflowid: "text",
    chatId: "text",
    messageId: "text",
    rating: "text",
    content: "text",
    createdDate: "date",
  },
  lead: {
    chatflowid: "text",
    chatId: "text",
    name: "text",
    email: "text",
    phone: "text",
    createdDate: "date",
  },
  upsert_history: {
    chatflowid: "text",
    result: "text",
    flowData: "text",
    date: "date",
  },
  execution: {
    agentflowId: "text",
    sessionId: "text",
    state: "text",
    action: "text",
    executionData: "text",
    createdDate: "date",
    updatedDate: "date",
    stoppedDate: "date",
    workspaceId: "text",
  },
  schedule_record: {
    targetId: "text",
    cronExpression: "text",
    timezone: "text",
    enabled: "flag",
    endDate: "date",
    createdDate: "date",
    updatedDate: "date",
    workspaceId: "text",
  },
  custom_mcp_server: {
    name: "text",
    serverUrl: "text",
    authType: "text",
    authConfig: "text",
    tools: "text",
    createdDate: "date",
    updatedDate: "date",
    workspaceId: "text",
  },
} as const satisfies Record<string, Record<string, ColumnKind>>;

export type FlowiseTable = keyof typeof columns;

export const flowiseTables = Object.keys(columns) as readonly FlowiseTable[];

type ValueOf = { text: string; number: number; flag: boolean; date: string };

type Values<Columns> = { [Name in keyof Columns]: ValueOf[Columns[Name] & ColumnKind] | null };

/** `id` is empty where a damaged row has none. Any other column is null where it is empty or the version lacks it. */
export type FlowiseRow<T extends FlowiseTable> = { id: string } & Values<(typeof columns)[T]>;

/** The columns of a table besides `id`. */
export function columnsOf(table: FlowiseTable): Readonly<Record<string, ColumnKind>> {
  return columns[table];
}

/** Reads a row of a database or an export. Values that do not have the column's kind become null. */
export function toFlowiseRow<T extends FlowiseTable>(table: T, raw: Readonly<Record<string, unknown>>): FlowiseRow<T> {
  const values = Object.entries(columnsOf(table)).map(([name, kind]) => [name, readers[kind](raw[name])]);
  // The values have the kinds that `columns` declares, which the compiler cannot follow through `Object.fromEntries`.
  return { id: toText(raw.id) ?? "", ...Object.fromEntries(values) } as FlowiseRow<T>;
}

const readers = { text: toText, number: toNumber, flag: toFlag, date: toIsoDate } satisfies {
  [Kind in ColumnKind]: (value: unknown) => ValueOf[Kind] | null;
};

function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function toNumber(value: unknown): number | null {
  const number = typeof value === "string" || typeof value === "bigint" ? Number(value) : value;
  return typeof number === "number" && value !== "" && Number.isFinite(number) ? number : null;
}

function toFlag(value: unknown): boolean | null {
  const text = String(value);
  if (text === "true" || text === "t" || text === "1") return true;
  return text === "false" || text === "f" || text === "0" ? false : null;
}

const moment = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?)? ?(?:Z|([+-]\d\d):?(\d\d)?)?$/;

/** A moment in ISO 8601 with milliseconds; UTC if it names no zone. Null if it cannot be read. */
export function toIsoDate(value: unknown): string | null {
  const parts = typeof value === "string" ? moment.exec(value) : null;
  if (parts === null) return null;
  const [, day, time = "00:00", seconds = "00", fraction = "", hours = "+00", minutes = "00"] = parts;
  const date = new Date(`${day}T${time}:${seconds}.${fraction.slice(0, 3).padEnd(3, "0")}${hours}:${minutes}`);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** Rows that may each hold megabytes come in small pages, so that a page fits into memory. */
const heavy: Partial<Record<FlowiseTable, number>> = {
  chat_flow: 50,
  chat_message: 250,
  document_store: 20,
  execution: 20,
  upsert_history: 20,
};

export function rowsOfPage(table: FlowiseTable): number {
  return heavy[table] ?? 1_000;
}
