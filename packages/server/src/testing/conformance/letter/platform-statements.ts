import { type Entry, everyField } from "./proof.ts";

/** What the reference says of the platform, besides fields, rows and statuses. */
export const platformStatements: Readonly<Record<string, readonly Entry[]>> = {
  Conventions: [
    [
      "Request and response bodies are JSON",
      "body",
      "JSON is taken under its own type, under types that end in +json and without a type",
    ],
    ["Ids are uuids", "fields", everyField],
    ["Timestamps are ISO 8601 date-times", "fields", everyField],
    ["Fields written nullable may be null", "agents", "unset fields may be null or empty, as other clients send them"],
  ],
  "What the service does": [
    [
      "1. Stores and serves agents, assistants, variables, tools, document stores, messages, feedback, upsert history, leads",
      "fields",
      everyField,
    ],
    [
      "2. The prediction endpoint sends a message to an agent and returns its answer",
      "predictions",
      "answers with the reference's fields and stores both messages",
    ],
    [
      "2. … and to an assistant",
      "assistants",
      "a prediction asks the assistant: instructions, parameters, memory, messages",
    ],
    ["3. Document stores hold loaders and chunks", "stores", "adds a loader, previews it, processes it, then inserts"],
    [
      "3. … upsert them as embeddings into a vector database",
      "stores",
      "loads, splits, embeds and writes; the same twice adds nothing",
    ],
    ["3. … and query that database", "fields", everyField],
    ["4. A scenario starts at a start node", "flow", "wants exactly one start node"],
    [
      "4. An agent node is given integrations",
      "predictions",
      "gives a tool's error back to the model, and shows the calls",
    ],
    [
      "4. Four request integrations exist: GET, POST, PUT, DELETE",
      "here",
      "four request integrations and the OpenAPI toolkit are in the catalogue",
    ],
    [
      "4. An OpenAPI toolkit turns a YAML file into one integration for each operation",
      "toolkit",
      "the event API's own description makes its five operations work",
    ],
    [
      "4. An HTTP node calls an API in sequence, before or after agent steps",
      "here",
      "an HTTP node calls an API before and after an agent",
    ],
    [
      "5. {{ current_date_time }} in a system prompt is the current date and time",
      "here",
      "{{ current_date_time }} in a system prompt is the time of the question",
    ],
    ["6. The reference event API manages events in memory", "events", "starts with five whole events"],
  ],
  Resources: [
    ["Agent.flowData, chatbotConfig, apiConfig, analytic and speechToText are JSON text", "fields", everyField],
    ["Agent.category joins categories with ;", "here", "categories, types and colours are kept as they were sent"],
    ["Agent.type takes the value CHATFLOW", "here", "categories, types and colours are kept as they were sent"],
    [
      "Variable.type is for example string or number",
      "here",
      "categories, types and colours are kept as they were sent",
    ],
    [
      "Variable.type may be anything else",
      "variables",
      "a value must fit its type",
      "Types are string, number, boolean, json, runtime and static, and a value fits its type: flows compute with it.",
    ],
    [
      "Tool.color is a hex colour",
      "tools",
      "a colour is a hex colour, or a gradient as existing clients send it; anything else is refused",
      "Gradients and rgb() are taken, too, as existing clients send them.",
    ],
    ["Tool.schema is JSON schema text", "tools", "a schema that is not JSON text is refused"],
    [
      "Tool.func is a description or code",
      "toolRuns",
      "failures are results: of the code, of the arguments, of a description",
      "A description is kept; a call of the tool is answered with a sentence.",
    ],
    [
      "UsedTool.toolInput is an object, of refused calls too",
      "toolCalls",
      "tells the model what is wrong with its arguments, and does not call",
    ],
    ["… in stored messages", "messageRows", "the input of a tool is an object, also where a row has a text"],
    [
      "Chat message.fileAnnotations are { filePath, fileName }",
      "messageRows",
      "what a message carries comes back as it was, control characters included",
    ],
    ["Chat message.memoryType is for example Buffer Memory", "fields", everyField],
    [
      "Chat message.role is apiMessage on the assistant's side, userMessage on the user's",
      "messages",
      "messages of an agent are listed in order, with lists as arrays",
    ],
    [
      "Assistant tools are function, code_interpreter and file_search: function",
      "assistants",
      "function: the assistant calls the custom tools that it names, and none where it names none",
    ],
    ["… code_interpreter", "assistants", "the code interpreter computes in the sandbox"],
    ["… file_search", "storeUse", "is searched by a retriever node and by an assistant's file_search"],
    ["Event.id is generated as a uuid when it is not supplied", "events", "generates uuids by default"],
    ["Event.name, date and location are required", "events", `refuses \${title} on create and on update`],
    ["EventInput has no id on PATCH", "events", "replaces the three fields and keeps the id"],
    ["The event store starts with five events of the Event shape", "events", "starts with five whole events"],
  ],
  "States and transitions": [
    ["A store's status is one of seven values", "fields", everyField],
    ["… and shows what is left to do", "loaderStatus", "a store shows the most that is left to do"],
    [
      "Deleting upsert history is a soft delete",
      "history",
      "deleted records are listed no more and stay in the database",
    ],
  ],
  Endpoints: [
    [
      "All platform endpoints except GET /ping require the bearer",
      "agents",
      "without credentials every operation is 401",
    ],
    ["Deletes answer without a body", "here", "every delete of the reference answers 200 without a body"],
    [
      "GET /chatflows/apikey/{apikey} takes the agent's API key",
      "agents",
      "an API key, or its id, leads to the agent that was bound to it and saved last",
    ],
    ["PUT /chatflows/{id} takes the body of a create", "agents", "an update changes what it names, and nothing else"],
    [
      "PUT answers 400 for a body that is missing or does not fit",
      "agents",
      "an update that does not fit is 400 and changes nothing",
    ],
    [
      "A body may be the whole resource",
      "agents",
      "every field of the reference is kept, unknown and server-owned ones are ignored",
      "id counts on a create alone; createdDate and updatedDate are the server's.",
    ],
    [
      "Operations on one agent need the bearer alone",
      "attachments",
      "need the permission, and none for a public agent",
      "Prediction, feedback, leads and attachments of an agent with isPublic are open where the operator sets ALLOW_PUBLIC_FLOWS; never otherwise.",
    ],
  ],
  "Document stores": [
    [
      "Upsert: docId reuses the configuration of that document",
      "here",
      "an upsert with docId reuses the document's configuration",
    ],
    [
      "Upsert: … with what the body says of loader and splitter laid over it",
      "here",
      "settings of loader and splitter without a name are laid over the document's",
    ],
    [
      "Upsert: metadata is the document's",
      "here",
      "an upsert takes metadata, loader, splitter, embedding, vectorStore and recordManager, or null for any of them",
    ],
    [
      "Upsert: replaceExisting replaces the loader's chunks and leaves its embeddings",
      "stores",
      "with replaceExisting replaces the chunks; the vectors go only with deleteEmbeddings",
    ],
    [
      "Upsert: createNewDocStore creates a store",
      "stores",
      "may create its store; what does not fit is refused with a sentence",
    ],
    [
      "Upsert: docStore is the new store's configuration",
      "stores",
      "may create its store; what does not fit is refused with a sentence",
    ],
    [
      "Upsert: loader, splitter, embedding, vectorStore, recordManager configure the parts",
      "here",
      "an upsert takes metadata, loader, splitter, embedding, vectorStore and recordManager, or null for any of them",
    ],
    [
      "Upsert: every field is optional and nullable",
      "here",
      "an upsert takes metadata, loader, splitter, embedding, vectorStore and recordManager, or null for any of them",
    ],
    ["Refresh re-processes and upserts each item", "stores", "refreshes all of its loaders, or those that are named"],
    [
      "Refresh: each item may carry docId, metadata, loader, splitter, embedding, vectorStore, recordManager",
      "stores",
      "refreshes all of its loaders, or those that are named",
    ],
    ["Query takes storeId and query", "fields", everyField],
    [
      "PUT chunk takes pageContent and metadata, and answers the chunks with their file",
      "stores",
      "is stale after a chunk was changed, and current after an insert",
    ],
    [
      "Deleting a loader leaves data in the vector database",
      "stores",
      "loses vectors by deleteVectors alone; a deleted loader leaves them",
    ],
    [
      "Deleting from the vector database removes only what was added through the record manager",
      "here",
      "DELETE /vectorstore removes what the record manager knows, and nothing else",
    ],
  ],
  "Chat messages": [
    [
      "GET: chatType, order, chatId, memoryType, sessionId, startDate, endDate",
      "messages",
      "filters restrict, alone and together; dates are inclusive",
    ],
    [
      "GET: feedback and feedbackType",
      "messages",
      "with feedback only rated messages are listed, of the rating that is asked for, and carry it",
    ],
    [
      "DELETE removes the agent's messages that match",
      "messages",
      "deleting removes what matches, of this agent alone, and is 404 when nothing does",
    ],
    [
      "DELETE: chatId, memoryType, sessionId, chatType, startDate, endDate",
      "messages",
      "deleting removes what matches, of this agent alone, and is 404 when nothing does",
    ],
    ["order is ASC unless it is given", "check", "orders and flags have the reference's defaults and values"],
    [
      "feedbackType counts where feedback is true",
      "messages",
      "with feedback only rated messages are listed, of the rating that is asked for, and carry it",
    ],
    ["DELETE: feedbackType", "messages", "deleting by the rating removes those messages and their feedback, no other"],
    [
      "DELETE: hardDelete also deletes at third-party services",
      "here",
      "hardDelete is accepted, and says what it could not delete elsewhere",
      "No provider that Weft calls stores conversations, so there is nothing to delete at a third party; the answer's header says so.",
    ],
  ],
  Feedback: [
    [
      "GET /feedback/{id}: chatId, sortOrder (default asc), startDate, endDate",
      "feedback",
      "the list is in order, filtered, paged, and its dates are inclusive to the millisecond",
    ],
    [
      "GET /feedback/ creates, with the fields in the query",
      "feedback",
      "GET leaves feedback when its query has the fields, with the path's id, and is never cached",
    ],
    [
      "… with the feedback's id in the path or without",
      "feedback",
      "GET without an id in the path, or with the agent's, gives the feedback a new one",
    ],
    [
      "… or with the fields in a JSON body",
      "feedback",
      "GET takes the fields from a JSON body, too: over a socket, with and without a query beside it",
    ],
    [
      "… each of them optional",
      "feedback",
      "GET says what is missing, and leaves nothing behind when something is",
      "A create needs chatflowid, chatId, messageId and rating: without them nothing says what was rated.",
    ],
    [
      "… createdDate too",
      "feedback",
      "GET leaves feedback when its query has the fields, with the path's id, and is never cached",
      "createdDate is accepted and ignored: the server dates what it stores.",
    ],
    [
      "Every create makes feedback",
      "feedback",
      "a message has one feedback: whatever leaves another changes it",
      "A second create for a message changes its feedback, so that a rating is never counted twice.",
    ],
    ["sortOrder is asc unless it is given", "check", "orders and flags have the reference's defaults and values"],
    [
      "PUT changes rating and content",
      "feedback",
      "PUT changes rating and content, nothing else, and honours If-Match",
      "Only rating and content change; the other fields say whose feedback it is and stay.",
    ],
  ],
  Prediction: [
    ["question is the message", "predictions", "answers with the reference's fields and stores both messages"],
    ["form is an alternative to question", "starts", "is a form, with its defaults"],
    [
      "streaming streams the answer; default false",
      "predictions",
      "streams the frames in the order that clients expect",
    ],
    ["overrideConfig.sessionId", "predictions", "remembers a session, and only that session"],
    [
      "overrideConfig.temperature, maxTokens and vars",
      "predictions",
      "applies bounded parameters and vars, and warns of what it ignores",
      "Callers who may not edit the agent override only what its apiConfig enables; what is not enabled is ignored with a warning.",
    ],
    ["streaming is false unless it is given", "check", "orders and flags have the reference's defaults and values"],
    ["history gives earlier messages", "predictions", "takes history from the body instead of the stored memory"],
    ["uploads: images", "uploads", "show pictures to the model and keep their bytes out of the journal"],
    ["uploads: audio", "uploads", "may be speech, which becomes the question"],
    ["uploads: documents", "uploads", "put the texts of documents before the question"],
    [
      "humanInput resumes a run that waited for a person",
      "people",
      "answers at once with the question, and goes on with the answer",
    ],
    [
      "A flow's own API key may be required; a wrong one is 401",
      "predictions",
      "needs the agent's own key where one is bound",
    ],
  ],
  "Upsert history": [
    [
      "GET: order (default ASC), startDate and endDate, inclusive",
      "history",
      "the history is in order, filtered by dates to the millisecond, and paged",
    ],
    ["PATCH {ids} deletes softly", "history", "deleted records are listed no more and stay in the database"],
  ],
  "Vector upsert": [
    [
      "Writes through the agent's vector store node",
      "storeUse",
      "writes into the store of the agent's vector store node: a text, files, or all loaders again",
    ],
    [
      "stopNodeId names the node where there are several",
      "storeUse",
      "refuses an agent without such a node, and asks which is meant where there are several",
    ],
    [
      "overrideConfig overrides the upsert's settings",
      "storeUse",
      "writes into the store of the agent's vector store node: a text, files, or all loaders again",
    ],
  ],
  "Leads and attachments": [
    ["GET /leads/{id}: no leads are 404", "leads", "no leads and an unknown agent are 404, a malformed id is 400"],
    [
      "POST /leads leaves a lead",
      "leads",
      "a lead has every field, those that were not left are empty, and a chat of its own",
    ],
    [
      "POST /attachments answers the files' contents as text",
      "attachments",
      "answer with the texts of files, in their order",
    ],
    ["… as base64 when base64 is true", "attachments", "answer with base64 where that is asked for, in any spelling"],
    ["… of any file", "attachments", "answer with base64 of any file, which need not be a document"],
    ["base64 is false unless it is given", "check", "orders and flags have the reference's defaults and values"],
    ["files is required", "attachments", "refuse what is missing, too much or no document"],
    ["Agent and chat are named in the path", "attachments", "need an agent and a chat"],
  ],
  Ping: [["GET /ping is open and answers the text pong", "health", "ping is plain text and open, version is not"]],
};
