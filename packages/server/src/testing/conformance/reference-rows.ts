/** One row of the reference's endpoint tables. */
export type ReferenceRow = {
  section: string;
  method: string;
  /** Below `/api/v1`. */
  path: string;
  statuses: readonly number[];
  /** The operation that serves it. */
  operationId: string;
};

type Row = readonly [method: string, path: string, statuses: string, operationId: string];

const sections: Readonly<Record<string, readonly Row[]>> = {
  Agents: [
    ["GET", "/chatflows", "200 500", "listAgents"],
    ["GET", "/chatflows/{id}", "200 400 404 500", "getAgent"],
    ["GET", "/chatflows/apikey/{apikey}", "200 400 404 500", "getAgentByApiKey"],
    ["POST", "/chatflows", "200 400 422", "createAgent"],
    ["PUT", "/chatflows/{id}", "200 400 404 500", "updateAgent"],
    ["DELETE", "/chatflows/{id}", "200 400 404 500", "deleteAgent"],
  ],
  Variables: [
    ["POST", "/variables", "200 400 422 500", "createVariable"],
    ["GET", "/variables", "200 500", "listVariables"],
    ["PUT", "/variables/{id}", "200 400 404 500", "updateVariable"],
    ["DELETE", "/variables/{id}", "200 400 404 500", "deleteVariable"],
  ],
  "Document stores": [
    ["GET", "/document-store/store", "200 500", "listDocumentStores"],
    ["POST", "/document-store/store", "200 400 500", "createDocumentStore"],
    ["PUT", "/document-store/store/{id}", "200 404 500", "updateDocumentStore"],
    ["DELETE", "/document-store/store/{id}", "200 404 500", "deleteDocumentStore"],
    ["POST", "/document-store/upsert/{id}", "200 400 500", "upsertDocuments"],
    ["POST", "/document-store/refresh/{id}", "200 400 500", "refreshDocuments"],
    ["POST", "/document-store/vectorstore/query", "200 400 500", "queryDocumentStore"],
    ["PUT", "/document-store/chunks/{storeId}/{loaderId}/{chunkId}", "200 404 500", "updateChunk"],
    ["DELETE", "/document-store/chunks/{storeId}/{loaderId}/{chunkId}", "200 400 404 500", "deleteChunk"],
    ["DELETE", "/document-store/loader/{storeId}/{loaderId}", "200 400 404 500", "deleteLoader"],
    ["DELETE", "/document-store/vectorstore/{id}", "200 400 404 500", "deleteVectors"],
  ],
  Tools: [
    ["POST", "/tools", "200 400 422 500", "createTool"],
    ["GET", "/tools", "200 500", "listTools"],
    ["GET", "/tools/{id}", "200 400 404 500", "getTool"],
    ["PUT", "/tools/{id}", "200 400 404 500", "updateTool"],
    ["DELETE", "/tools/{id}", "200 400 404 500", "deleteTool"],
  ],
  "Chat messages": [
    ["GET", "/chatmessage/{id}", "200 500", "listChatMessages"],
    ["DELETE", "/chatmessage/{id}", "200 400 404 500", "deleteChatMessages"],
  ],
  Assistants: [
    ["POST", "/assistants", "200 400 422", "createAssistant"],
    ["GET", "/assistants/{id}", "200 400 404 422 500", "getAssistant"],
    ["PUT", "/assistants/{id}", "200 400 404 500", "updateAssistant"],
    ["DELETE", "/assistants/{id}", "200 400 404 500", "deleteAssistant"],
  ],
  Feedback: [
    ["GET", "/feedback/{id}", "200 500", "listFeedback"],
    // With a path id, too: then it is the same path as the list, told apart by what comes with it.
    ["GET", "/feedback", "200 400 500", "createFeedbackByGet"],
    ["PUT", "/feedback/{id}", "200 400 404 500", "updateFeedback"],
  ],
  Prediction: [["POST", "/prediction/{id}", "200 400 401 404 413 422 500", "createPrediction"]],
  "Upsert history": [
    ["GET", "/upsert-history/{id}", "200 500", "listUpsertHistory"],
    // Statuses not shown by the reference; these are the contract's.
    ["PATCH", "/upsert-history/{id}", "200 400 404 500", "deleteUpsertHistoryOfAgent"],
  ],
  "Vector upsert": [["POST", "/vector/upsert/{id}", "200 400 404 422 500", "upsertVectors"]],
  Leads: [
    ["GET", "/leads/{id}", "200 400 404 500", "listLeads"],
    ["POST", "/leads", "200 400 422 500", "createLead"],
  ],
  Attachments: [["POST", "/attachments/{chatflowId}/{chatId}", "200 400 404 422 500", "createAttachments"]],
  Ping: [["GET", "/ping", "200 500", "ping"]],
};

/** Every row, in the reference's order. */
export const referenceRows: readonly ReferenceRow[] = Object.entries(sections).flatMap(([section, rows]) =>
  rows.map(([method, path, statuses, operationId]) => ({
    section,
    method,
    path,
    statuses: statuses.split(" ").map(Number),
    operationId,
  })),
);
