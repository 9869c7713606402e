import { parseJson } from "@weft/schema";
import { z } from "zod";

const anyObject = z.record(z.string(), z.unknown());
const jsonText = z.string().refine((text) => text === "" || canParse(text), "is not JSON text");
const document = z.object({ pageContent: z.string(), metadata: anyObject });
const usedTool = z.object({ tool: z.string(), toolInput: anyObject, toolOutput: z.string() });
const agentReasoning = z.object({
  agentName: z.string(),
  messages: z.array(z.string()),
  nodeName: z.string(),
  nodeId: z.string(),
  usedTools: z.array(usedTool),
  sourceDocuments: z.array(document),
  state: anyObject,
});

/** The types that the reference names, as answers are checked for them. */
export const fieldTypes = {
  "string uuid": z.uuid(),
  "string date-time": z.iso.datetime(),
  string: z.string(),
  "string, JSON text": jsonText,
  "string, nullable": z.string().nullable(),
  number: z.number(),
  integer: z.int(),
  boolean: z.boolean(),
  object: anyObject,
  "array of string": z.array(z.string()),
  "EMPTY, SYNC, SYNCING, STALE, NEW, UPSERTING or UPSERTED": z.enum([
    "EMPTY",
    "SYNC",
    "SYNCING",
    "STALE",
    "NEW",
    "UPSERTING",
    "UPSERTED",
  ]),
  "apiMessage or userMessage": z.enum(["apiMessage", "userMessage"]),
  "INTERNAL or EXTERNAL": z.enum(["INTERNAL", "EXTERNAL"]),
  "THUMBS_UP or THUMBS_DOWN": z.enum(["THUMBS_UP", "THUMBS_DOWN"]),
  "array of Document": z.array(document),
  "array of UsedTool": z.array(usedTool),
  "array of AgentReasoning": z.array(agentReasoning),
  "array of { filePath, fileName }": z.array(z.object({ filePath: z.string(), fileName: z.string() })),
  "array of { data, type, name, mime }": z
    .array(z.object({ data: z.string(), type: z.string(), name: z.string(), mime: z.string() }))
    .min(1),
  "array of { id, mapping, elements }": z
    .array(
      z.object({
        id: z.uuid(),
        mapping: z.object({ approve: z.string(), reject: z.string(), toolCalls: z.array(z.unknown()) }),
        elements: z.array(z.unknown()),
      }),
    )
    .min(1),
} satisfies Record<string, z.ZodType>;

export type FieldType = keyof typeof fieldTypes;

/** Every field of every resource. Source: reference, "Resources and their fields" and "Prediction". */
export const resourceFields = {
  Agent: {
    id: "string uuid",
    name: "string",
    flowData: "string, JSON text",
    deployed: "boolean",
    isPublic: "boolean",
    apikeyid: "string",
    chatbotConfig: "string, JSON text",
    apiConfig: "string, JSON text",
    analytic: "string, JSON text",
    speechToText: "string, JSON text",
    category: "string",
    type: "string",
    createdDate: "string date-time",
    updatedDate: "string date-time",
  },
  Variable: {
    id: "string uuid",
    name: "string",
    value: "string, nullable",
    type: "string",
    createdDate: "string date-time",
    updatedDate: "string date-time",
  },
  "Document store": {
    id: "string uuid",
    name: "string",
    description: "string",
    loaders: "string, JSON text",
    whereUsed: "string, JSON text",
    status: "EMPTY, SYNC, SYNCING, STALE, NEW, UPSERTING or UPSERTED",
    vectorStoreConfig: "string, JSON text",
    embeddingConfig: "string, JSON text",
    recordManagerConfig: "string, JSON text",
    createdDate: "string date-time",
    updatedDate: "string date-time",
  },
  Document: { pageContent: "string", metadata: "object" },
  "Upsert result": {
    numAdded: "integer",
    numDeleted: "integer",
    numUpdated: "integer",
    numSkipped: "integer",
    addedDocs: "array of Document",
  },
  "Vector query result": { timeTaken: "number", docs: "array of Document" },
  "Queried document": { pageContent: "string", metadata: "object" },
  Tool: {
    id: "string uuid",
    name: "string",
    description: "string",
    color: "string",
    iconSrc: "string, nullable",
    schema: "string, nullable",
    func: "string, nullable",
    createdDate: "string date-time",
    updatedDate: "string date-time",
  },
  "Chat message": {
    id: "string uuid",
    role: "apiMessage or userMessage",
    chatflowid: "string uuid",
    content: "string",
    sourceDocuments: "array of Document",
    usedTools: "array of UsedTool",
    fileAnnotations: "array of { filePath, fileName }",
    agentReasoning: "array of AgentReasoning",
    fileUploads: "array of { data, type, name, mime }",
    action: "array of { id, mapping, elements }",
    chatType: "INTERNAL or EXTERNAL",
    chatId: "string",
    memoryType: "string",
    sessionId: "string",
    createdDate: "string date-time",
    leadEmail: "string",
  },
  UsedTool: { tool: "string", toolInput: "object", toolOutput: "string" },
  AgentReasoning: {
    agentName: "string",
    messages: "array of string",
    nodeName: "string",
    nodeId: "string",
    usedTools: "array of UsedTool",
    sourceDocuments: "array of Document",
    state: "object",
  },
  Assistant: {
    id: "string uuid",
    details: "object",
    credential: "string uuid",
    iconSrc: "string",
    createdDate: "string date-time",
    updatedDate: "string date-time",
  },
  "Assistant details": {
    id: "string",
    name: "string",
    description: "string",
    model: "string",
    instructions: "string",
    temperature: "number",
    top_p: "number",
    tools: "array of string",
    tool_resources: "object",
  },
  Feedback: {
    id: "string uuid",
    chatflowid: "string uuid",
    chatId: "string",
    messageId: "string uuid",
    rating: "THUMBS_UP or THUMBS_DOWN",
    content: "string",
    createdDate: "string date-time",
  },
  "Upsert history record": {
    id: "string uuid",
    chatflowid: "string uuid",
    result: "string, JSON text",
    flowData: "string, JSON text",
    date: "string date-time",
  },
  Lead: {
    id: "string uuid",
    name: "string",
    email: "string",
    phone: "string",
    chatflowid: "string",
    chatId: "string",
    createdDate: "string date-time",
  },
  "Attachment result": { name: "string", mimeType: "string", size: "string", content: "string" },
  "Prediction result": {
    text: "string",
    json: "object",
    question: "string",
    chatId: "string",
    chatMessageId: "string",
    sessionId: "string",
    memoryType: "string",
    sourceDocuments: "array of Document",
    usedTools: "array of UsedTool",
  },
} as const satisfies Record<string, Record<string, FieldType>>;

export type ResourceName = keyof typeof resourceFields;

/** Fields that are deliberately otherwise in some answers, and why. */
export const fieldDifferences: Readonly<Record<string, string>> = {
  "Chat message.fileUploads":
    "data is empty where the file is stored: its bytes are behind url, as existing clients read them, so that a list of messages does not carry every file.",
  "Chat message.agentReasoning": "Empty where one agent answers alone.",
  "Upsert result.addedDocs": "At most the first 1,000 of an upsert, so that an answer stays within memory.",
  "Assistant.credential": "Empty where the assistant uses the server's own account.",
  "Prediction result.json": "Only where the answering node has structured output: existing clients show what is there.",
  "Prediction result.question": "Empty for a form.",
};

/** What answers have besides the reference's fields, and why. A resource without an entry has nothing else. */
export const addedFields: Readonly<Partial<Record<ResourceName, readonly [fields: readonly string[], why: string]>>> = {
  "Document store": [
    ["totalChunks", "totalChars", "retrievalConfig"],
    "Existing clients show the numbers; how a store is searched is a setting of its own.",
  ],
  "Upsert result": [
    ["docId", "storeId", "failed"],
    "Which loader and store it was, for the next request, and which sources could not be loaded.",
  ],
  "Vector query result": [["warnings"], "What a step of the search could not do."],
  "Queried document": [
    ["id", "chunkNo", "score", "relevance", "relevanceWord"],
    "Existing clients show the first three; relevance is comparable among searches.",
  ],
  "Chat message": [["executionId"], "Leads to the steps of the run."],
  "Prediction result": [
    ["fileAnnotations", "agentReasoning", "executionId", "agentFlowExecutedData", "usage", "metadata"],
    "Existing clients read them; executionId leads to the steps of the run, metadata has the warnings.",
  ],
};

function canParse(text: string): boolean {
  return parseJson(text) !== undefined;
}
