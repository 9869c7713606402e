/** What a row takes and answers: the schema of its body and of its success, as the reference names them. */
export type RowShape = {
  operationId: string;
  /** In the reference's words. */
  takes: string;
  answers: string;
  /** Name of the answer's schema in the OpenAPI document; `empty` without a body, `text` for plain text. */
  schema: string;
};

type Row = readonly [operationId: string, takes: string, answers: string, schema: string];

const rows: readonly Row[] = [
  ["listAgents", "none", "array of Agent", "Agent"],
  ["getAgent", "path id", "Agent", "Agent"],
  ["getAgentByApiKey", "path apikey", "Agent", "Agent"],
  ["createAgent", "body Agent", "200", "Agent"],
  ["updateAgent", "path id; body same as create", "200", "Agent"],
  ["deleteAgent", "path id", "no content", "empty"],
  ["createVariable", "body Variable", "Variable", "Variable"],
  ["listVariables", "none", "array of Variable", "Variable"],
  ["updateVariable", "path id; body Variable fields", "Variable", "Variable"],
  ["deleteVariable", "path id", "no content", "empty"],
  ["listDocumentStores", "none", "array of document store", "DocumentStore"],
  ["createDocumentStore", "body document store", "200", "DocumentStore"],
  ["updateDocumentStore", "path id; body as on create", "200", "DocumentStore"],
  ["deleteDocumentStore", "path id", "no content", "empty"],
  ["upsertDocuments", "path id; upsert body", "Upsert result", "UpsertResult"],
  ["refreshDocuments", "path id; body items", "array of results", "UpsertResult"],
  ["queryDocumentStore", "body { storeId, query }", "Vector query result", "VectorQueryResult"],
  [
    "updateChunk",
    "path storeId, loaderId, chunkId; body { pageContent, metadata }",
    "updated list of chunks and file metadata",
    "ChunkPage",
  ],
  ["deleteChunk", "path storeId, loaderId, chunkId", "no content", "empty"],
  ["deleteLoader", "path storeId, loaderId", "no content", "empty"],
  ["deleteVectors", "path id", "no content", "empty"],
  ["createTool", "body Tool", "Tool", "Tool"],
  ["listTools", "none", "array of Tool", "Tool"],
  ["getTool", "path id", "Tool", "Tool"],
  ["updateTool", "path id; body Tool fields", "Tool", "Tool"],
  ["deleteTool", "path id", "no content", "empty"],
  ["listChatMessages", "path id; query", "array of Chat message", "ChatMessage"],
  ["deleteChatMessages", "path id; query", "no content", "empty"],
  ["createAssistant", "body Assistant", "200", "Assistant"],
  ["getAssistant", "path id", "Assistant", "Assistant"],
  ["updateAssistant", "path id; body Assistant", "200", "Assistant"],
  ["deleteAssistant", "path id", "no content", "empty"],
  ["listFeedback", "path id; query, or the body of a create", "array of Feedback", "Feedback"],
  ["createFeedbackByGet", "optional path id, query or JSON body", "Feedback", "Feedback"],
  ["updateFeedback", "path id; body Feedback fields", "Feedback", "Feedback"],
  ["createPrediction", "path id; body", "result", "PredictionResult"],
  ["listUpsertHistory", "path id; query order, startDate, endDate", "array of records", "UpsertHistoryRecord"],
  ["deleteUpsertHistoryOfAgent", "body { ids }", "soft-deletes the records", "empty"],
  ["upsertVectors", "path id; body { stopNodeId, overrideConfig }", "Upsert result", "UpsertResult"],
  ["listLeads", "path id", "array of Lead", "Lead"],
  ["createLead", "body Lead", "Lead", "Lead"],
  [
    "createAttachments",
    "path chatflowId, chatId; form with files and base64",
    "array of Attachment result",
    "AttachmentResult",
  ],
  ["ping", "none", "plain-text body pong", "text"],
];

export const rowShapes: readonly RowShape[] = rows.map(([operationId, takes, answers, schema]) => ({
  operationId,
  takes,
  answers,
  schema,
}));
