/** Where a statement is checked. `test`: the name of a test, or of the template that names several, in that file. */
export type Proof = { file: string; test: string };

const server = "packages/server/src";
/** Files of tests, by the names that the tables of statements use. */
export const testFiles = {
  here: `${server}/testing/conformance/letter/to-the-letter.test.ts`,
  check: `${server}/testing/conformance/letter/reference-check.test.ts`,
  fields: `${server}/testing/conformance/letter/resource-fields.test.ts`,
  conformance: `${server}/testing/conformance/conformance.test.ts`,
  predictions: `${server}/predictions/prediction.test.ts`,
  uploads: `${server}/predictions/uploads.test.ts`,
  people: `${server}/predictions/human-input.test.ts`,
  starts: `${server}/predictions/start-inputs.test.ts`,
  agents: "packages/agents/src/agents/agent.test.ts",
  assistants: "packages/agents/src/assistants/assistant.test.ts",
  messages: "packages/chats/src/chat-messages/chat-message.test.ts",
  feedback: "packages/chats/src/feedback/feedback.test.ts",
  leads: "packages/chats/src/leads/lead.test.ts",
  attachments: `${server}/attachments/attachment.test.ts`,
  history: "packages/document-stores/src/upserts/upsert-history.test.ts",
  stores: "packages/document-stores/src/stores/document-stores.test.ts",
  storeUse: "packages/document-stores/src/stores/document-store-use.test.ts",
  loaderStatus: "packages/document-stores/src/state/loader-status.test.ts",
  demo: `${server}/demo/demo-agents.test.ts`,
  accounts: "packages/identity/src/accounts/account.test.ts",
  variables: `${server}/variables/variable.test.ts`,
  tools: `${server}/tools/tool.test.ts`,
  toolRuns: `${server}/tools/tool-runs.test.ts`,
  messageRows: "packages/chats/src/chat-messages/chat-message.service.test.ts",
  toolCalls: "packages/engine/src/agent/run-agent-tools.test.ts",
  health: "packages/http/src/health.test.ts",
  http: "packages/http/src/create-http-app.test.ts",
  body: "packages/http/src/body/read-json-body.test.ts",
  get: "packages/integrations/src/request-get.test.ts",
  write: "packages/integrations/src/request-write.test.ts",
  toolkit: "packages/integrations/src/openapi-toolkit.test.ts",
  forms: `${server}/catalogue/integration.test.ts`,
  httpNode: "packages/nodes/src/http.test.ts",
  flow: "packages/engine/src/flow/compile-flow.test.ts",
  prompt: `${server}/testing/conformance/letter/to-the-letter.test.ts`,
  events: "apps/event-api/src/event-api.test.ts",
  eventsProcess: "apps/event-api/src/main.test.ts",
} as const;

/** `difference`: what is deliberately otherwise, and why. */
export type Entry = readonly [text: string, file: keyof typeof testFiles, test: string, difference?: string];

export const everyField = "every resource has every field of the reference, with its type";
