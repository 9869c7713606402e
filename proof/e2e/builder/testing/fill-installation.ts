import type { PlatformProcess } from "../../../../packages/server/src/testing/platform-process.ts";

/** A page of the builder. */
export type Visit = {
  name: string;
  path: string;
  /** Buttons and tabs to press there one after the other, each with more to see. */
  parts?: readonly { role: "button" | "tab"; name: RegExp | string }[];
  /** Shows nothing that anybody wrote. */
  isPlain?: boolean;
};

type Stored = { id: string };

const at = (x: number, y: number) => ({ position: { x, y } });

/**
 * Makes one of everything that people name or describe, with `text` in each of its text fields. Resolves with every page
 * of the builder for who is signed in; where a page shows something of these, it is `text`.
 */
export async function fillInstallation({ call }: PlatformProcess, text: string): Promise<Visit[]> {
  const agent = await fillAgent(call, text);
  const tool = await call<Stored>("POST", "/tools", {
    name: text,
    description: text,
    schema: JSON.stringify([{ id: 1, property: "city", description: text, type: "string", required: true }]),
    func: `return ${JSON.stringify(text)};`,
  });
  await call("POST", "/variables", { name: "city", type: "string", value: text });
  await call("POST", "/credentials", {
    name: text,
    credentialName: "httpBasicAuth",
    plainDataObj: { basicAuthUsername: text, basicAuthPassword: text },
  });
  await call("POST", "/apikey", { keyName: text });
  await call("POST", "/notice-channels", { name: text, kind: "slack", address: "https://hooks.example.com/a" });
  const assistant = await call<Stored>("POST", "/assistants", { details: { name: text, instructions: text } });
  const store = await call<Stored>("POST", "/document-store/store", { name: text, description: text });
  const { docId } = await call<{ docId: string }>("POST", `/document-store/upsert/${store.id}`, {
    loader: { name: "plain-text", config: { text } },
    metadata: { topic: text },
  });
  const storePath = `/document-stores/${store.id}`;
  return [
    { name: "agents", path: "/agents", parts: [{ role: "button", name: /^Actions of/ }] },
    { name: "agent-new", path: "/new", isPlain: true },
    { name: "agent-import", path: "/agents/import", isPlain: true },
    { name: "assistants", path: "/assistants", parts: [{ role: "button", name: /^Actions of/ }] },
    { name: "assistant-new", path: "/assistants/new", isPlain: true },
    { name: "assistant", path: `/assistants/${assistant.id}` },
    { name: "executions", path: "/executions" },
    await fillInbox(call, text),
    ...agent,
    { name: "document-stores", path: "/document-stores", parts: [{ role: "button", name: /^Actions of/ }] },
    { name: "document-store", path: storePath, parts: [/^Query/, /^History/, /^Settings/].map(toTab) },
    { name: "loader-new", path: `${storePath}/loaders/new?type=plain-text`, isPlain: true },
    { name: "loader", path: `${storePath}/loaders/${docId}` },
    { name: "chunks", path: `${storePath}/loaders/${docId}/chunks` },
    { name: "tools", path: "/tools", parts: [{ role: "button", name: /^Actions of/ }] },
    { name: "tool-new", path: "/tools/new", isPlain: true },
    { name: "tool", path: `/tools/${tool.id}` },
    ...["credentials", "variables", "api-keys"].map((name) => ({ name, path: `/${name}` })),
    ...["models", "prices", "system", "settings"].map((name) => ({ name, path: `/${name}`, isPlain: true })),
    { name: "notice-channels", path: "/settings/notices" },
    { name: "flowise-move", path: "/settings/flowise", isPlain: true },
    { name: "sign-in-providers", path: "/settings/sign-in", isPlain: true },
    { name: "audit", path: "/settings/audit", isPlain: true },
    { name: "playground", path: "/playground", isPlain: true },
    { name: "people", path: "/people", isPlain: true },
    { name: "conversations", path: "/conversations" },
  ];
}

const toTab = (name: RegExp) => ({ role: "tab" as const, name });

type Call = PlatformProcess["call"];

/** An agent with a step of each kind of look, two conversations, and what people thought of them. */
async function fillAgent(call: Call, text: string): Promise<Visit[]> {
  const { id } = await call<Stored>("POST", "/chatflows", {
    name: text,
    category: text,
    flowData: flowOf(text),
    chatbotConfig: JSON.stringify({ starterPrompts: { 0: { prompt: text } }, chatFeedback: { status: true } }),
  });
  const answer = await call<{ chatMessageId: string; executionId: string }>("POST", `/prediction/${id}`, {
    question: text,
    overrideConfig: { sessionId: text },
  });
  await call("POST", "/feedback", { messageId: answer.chatMessageId, rating: "THUMBS_DOWN", content: text });
  await call("POST", "/leads", { chatflowid: id, name: text, email: "ada@example.com", phone: text });
  return [
    { name: "execution", path: `/executions/${answer.executionId}` },
    { name: "agent", path: `/agents/${id}`, parts: [{ role: "button", name: "More actions" }] },
    { name: "agent-chat-panel", path: `/agents/${id}?chat=true` },
    { name: "agent-chat", path: `/agents/${id}/chat` },
    { name: "agent-api", path: `/agents/${id}/api` },
    { name: "agent-settings", path: `/agents/${id}/settings` },
    { name: "messages", path: `/agents/${id}/messages`, parts: [toTab(/^Leads/)] },
  ];
}

/** A run that waits for a person. */
async function fillInbox(call: Call, text: string): Promise<Visit> {
  const nodes = [
    { id: "start_0", type: "start", label: text, ...at(0, 0) },
    { id: "ask_0", type: "human-input", label: text, ...at(344, 0), config: { question: text } },
  ];
  const flowData = JSON.stringify({ weft: 1, nodes, edges: [{ id: "e", source: "start_0", target: "ask_0" }] });
  const { id } = await call<Stored>("POST", "/chatflows", { name: text, flowData });
  await call("POST", `/prediction/${id}`, { question: text });
  return { name: "inbox", path: "/inbox" };
}

function flowOf(text: string): string {
  const branches = [{ id: "a", title: text, conditions: [{ type: "string", left: text, right: "x" }] }];
  const nodes = [
    { id: "start_0", type: "start", label: text, ...at(0, 0) },
    { id: "which_0", type: "condition", label: text, ...at(344, 0), config: { branches } },
    { id: "reply_0", type: "direct-reply", label: text, ...at(688, 80), config: { message: text } },
    { id: "each_0", type: "iteration", label: text, ...at(688, 240), config: { items: "[]" } },
    { id: "note_0", type: "sticky-note", label: text, ...at(0, 200), config: { text } },
  ];
  const edges = [
    { id: "e0", source: "start_0", target: "which_0" },
    { id: "e1", source: "which_0", sourcePort: "else", target: "reply_0" },
    { id: "e2", source: "which_0", sourcePort: "a", target: "each_0" },
  ];
  return JSON.stringify({ weft: 1, nodes, edges });
}
