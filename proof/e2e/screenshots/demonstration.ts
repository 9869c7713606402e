import type { ChatCompletionRequest, ScriptStep } from "../../../packages/providers/src/testing/index.ts";
import type { PlatformProcess } from "../../../packages/server/src/testing/platform-process.ts";
import { demonstrationAgents } from "./demonstration-agents.ts";
import { type Moved, spreadRuns } from "./spread-runs.ts";

/** A page to take a picture of. */
export type Subject = {
  name: string;
  path: string;
  isOpenToVisitors?: boolean;
  press?: RegExp;
  shows?: string;
};

type Stored = { id: string };
type Answer = { executionId: string; chatMessageId: string };
type Call = PlatformProcess["call"];

const usage = { prompt_tokens: 812, completion_tokens: 65, total_tokens: 877 };

/** The model of the demonstration: calls a calculator where there is one, sorts questions, and answers the rest. */
export function answerAsModel({ messages, tools = [] }: ChatCompletionRequest): ScriptStep {
  const text = JSON.stringify(messages);
  const last = messages.at(-1);
  if (JSON.stringify(last).includes("unreachable"))
    return { status: 401, body: { error: { message: "Incorrect API key provided." } } };
  if (text.includes("scenario")) {
    return { text: JSON.stringify({ scenario: text.includes("parcel?") ? "else" : "refund" }), usage, delayMs: 240 };
  }
  const calculator = tools.find(({ function: { name } }) => name === "calculator");
  if (last?.role === "user" && calculator) {
    return { toolCalls: [{ name: "calculator", arguments: { expression: "3 * 24.90" } }], usage, delayMs: 180 };
  }
  return {
    text: "Your order of **three mugs** comes to **€ 74.70**. A refund reaches your account within five working days.",
    usage,
    delayMs: 220 + (text.length % 7) * 90,
  };
}

/** Fills a new installation with what a small team would have in it. Resolves with every page of the builder. */
export async function fillDemonstration({ call, send, dataDir }: PlatformProcess): Promise<Subject[]> {
  const agentIds = new Map<string, string>();
  for (const agent of demonstrationAgents) {
    agentIds.set(agent.name, (await call<Stored>("POST", "/chatflows", agent)).id);
  }
  const agentId = agentIds.get("Support triage") ?? "";
  const settings = await fillSettings(call);
  const store = await fillStore(call);
  const ask = asker(send, agentIds);
  const moved = await askOften(call, ask);
  const runs = await askAgents(call, ask);
  spreadRuns(dataDir, [...moved, ...runs.moved]);
  const agentPath = `/agents/${agentId}`;
  return [
    { name: "sign-in", path: "/sign-in", isOpenToVisitors: true },
    { name: "home", path: "/" },
    { name: "agents", path: "/agents" },
    { name: "agents-new", path: "/new" },
    { name: "agents-import", path: "/agents/import" },
    { name: "editor", path: agentPath },
    { name: "editor-inspector", path: agentPath, press: /Answer refunds/ },
    { name: "editor-chat", path: `${agentPath}?chat=true`, shows: "textarea" },
    { name: "agent-chat", path: `${agentPath}/chat` },
    { name: "agent-api", path: `${agentPath}/api` },
    { name: "agent-settings", path: `${agentPath}/settings` },
    { name: "agent-messages", path: `${agentPath}/messages?open=ada` },
    { name: "executions", path: "/executions" },
    { name: "execution", path: `/executions/${runs.triage}` },
    { name: "inbox", path: "/inbox" },
    { name: "conversations", path: "/conversations" },
    { name: "execution-waiting", path: `/executions/${runs.waiting}` },
    { name: "assistants", path: "/assistants" },
    { name: "assistant", path: `/assistants/${settings.assistantId}` },
    { name: "document-stores", path: "/document-stores" },
    { name: "document-store", path: `/document-stores/${store.id}` },
    { name: "document-store-loader", path: `/document-stores/${store.id}/loaders/${store.loaderId}` },
    { name: "document-store-chunks", path: `/document-stores/${store.id}/loaders/${store.loaderId}/chunks` },
    { name: "tools", path: "/tools" },
    { name: "tool", path: `/tools/${settings.toolId}` },
    ...["models", "prices", "credentials", "variables", "api-keys", "system", "settings"].map(toPage),
    { name: "settings-flowise", path: "/settings/flowise" },
    { name: "not-found", path: "/nowhere" },
  ];
}

const toPage = (name: string): Subject => ({ name, path: `/${name}` });

type Ask = (name: string, question: string, sessionId: string) => Promise<Answer>;

function asker(send: PlatformProcess["send"], agentIds: Map<string, string>): Ask {
  return async (name, question, sessionId) => {
    const response = await send("POST", `/prediction/${agentIds.get(name)}`, {
      question,
      overrideConfig: { sessionId },
    });
    return (await response.json()) as Answer;
  };
}

const hourMs = 3_600_000;

/** Questions that repeat. */
const routine = [
  ["Order desk", "What do three mugs cost?"],
  ["Support triage", "Where is my parcel?"],
  ["Order desk", "What do two teapots cost with express shipping?"],
  ["Weekly digest of everything that customers wrote to the support team", "Summarise the tickets of this week"],
  ["Order desk", "Is there a discount for ten mugs?"],
  ["Release notes", "Write the notes of the nightly build"],
] as const;

/** Every so often the model is not there. */
const failing = ["Order desk", "Is the model unreachable?"] as const;

/** Hours ago: most of a day, and fewer on each of the days before; the oldest first. */
const routineHours = [
  ...Array.from({ length: 26 }, (_, day) =>
    Array.from({ length: 4 + ((day * 5) % 7) }, (_, nth) => 30 + day * 24 + nth * 2),
  ).flat(),
  ...Array.from({ length: 30 }, (_, nth) => 1 + 22 * ((nth * 0.618) % 1) ** 1.2),
].toSorted((a, b) => b - a);

/** A month of runs; resolves with how long ago each is to have been. */
async function askOften(call: Call, ask: Ask): Promise<Moved[]> {
  const moved: Moved[] = [];
  const queue = routineHours.entries();
  const worker = async () => {
    for (const [index, hours] of queue) {
      const usual = routine[(index * 5 + (index % 4)) % routine.length] ?? routine[0];
      const [name, question] = index % 13 === 6 ? failing : usual;
      const { executionId } = await ask(name, question, `visitor-${index % 23}`);
      moved.push({ runId: executionId, agoMs: hours * hourMs });
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  const { executionId } = await ask("Invoice approval", "Pay invoice 2026-117 of Contoso, € 310.00", "accounting");
  await call("POST", `/executions/${executionId}/answer`, { type: "proceed" });
  return [...moved, { runId: executionId, agoMs: 5 * hourMs }];
}

async function askAgents(call: Call, ask: Ask) {
  const triage = await ask("Support triage", "I would like my money back for order 4711.", "ada");
  await call("POST", "/feedback", { messageId: triage.chatMessageId, rating: "THUMBS_UP", content: "Quick and right" });
  const second = await ask("Support triage", "The teapot arrived broken. Please refund order 4698.", "grace");
  await ask("Order desk", "What do three mugs cost?", "grace");
  await ask("Order desk", "Is the model unreachable?", "linus");
  const waiting = await ask("Invoice approval", "Pay invoice 2026-118 of Northwind, € 4,120.00", "accounting");
  await ask("Release notes", "Write the notes of version 2.4", "ci");
  const moved = [
    { runId: triage.executionId, agoMs: 0.4 * hourMs },
    { runId: second.executionId, agoMs: 3 * hourMs },
    { runId: waiting.executionId, agoMs: 2 * hourMs },
  ];
  return { triage: triage.executionId, waiting: waiting.executionId, moved };
}

async function fillSettings(call: Call): Promise<{ assistantId: string; toolId: string }> {
  const property = { id: 1, property: "orderId", description: "Number of the order", type: "string", required: true };
  const tool = await call<Stored>("POST", "/tools", {
    name: "find_order",
    description: "Looks up an order by its number and returns its state, items and total.",
    schema: JSON.stringify([property]),
    func: 'const order = { id: $orderId, state: "shipped", total: 74.7 };\nreturn JSON.stringify(order);\n',
  });
  await call("POST", "/tools", {
    name: "shipping_cost",
    description: "Calculates what a parcel costs by weight and country.",
    schema: "[]",
    func: "return 4.9;",
  });
  await call("POST", "/variables", { name: "shop_url", type: "string", value: "https://shop.example.com" });
  await call("POST", "/variables", { name: "support_email", type: "string", value: "support@example.com" });
  await call("POST", "/credentials", {
    name: "Shop API",
    credentialName: "httpBearerToken",
    plainDataObj: { token: "demonstration-token" },
  });
  await call("POST", "/credentials", {
    name: "Claude of the team",
    credentialName: "anthropic",
    plainDataObj: { apiKey: "demonstration-key" },
  });
  await call("POST", "/credentials", {
    name: "Web search",
    credentialName: "tavilyApi",
    plainDataObj: { tavilyApiKey: "demonstration-key" },
  });
  await call("POST", "/apikey", { keyName: "Website chat" });
  await call("POST", "/apikey", { keyName: "Nightly import" });
  const instructions = "You answer questions of colleagues about travel and expenses, in two sentences at most.";
  const assistant = await call<Stored>("POST", "/assistants", { details: { name: "Travel desk", instructions } });
  await call("POST", "/assistants", { details: { name: "Style guide", instructions: "You correct texts." } });
  return { assistantId: assistant.id, toolId: tool.id };
}

const refunds = `Refunds. A customer may return an item within 30 days of delivery. The money reaches the account within
five working days after the parcel has arrived in the warehouse.`;
const shipping = `Shipping. Parcels leave the warehouse on the day of the order when it comes before 14:00. Parcels within
the country take two days, others up to a week. Express orders arrive on the next working day.`;

async function fillStore(call: Call): Promise<{ id: string; loaderId: string }> {
  const description = "Refunds, shipping and warranty, as the support team tells customers.";
  const { id } = await call<Stored>("POST", "/document-store/store", { name: "Support handbook", description });
  await call("POST", "/document-store/store", { name: "Product sheets", description: "One sheet for each product." });
  const upsert = (text: string, topic: string) =>
    call<{ docId: string }>("POST", `/document-store/upsert/${id}`, {
      loader: { name: "plain-text", config: { text } },
      splitter: { name: "recursive-character", config: { chunkSize: 150, chunkOverlap: 0 } },
      metadata: { topic },
    });
  const { docId } = await upsert(refunds, "refunds");
  await upsert(shipping, "shipping");
  return { id, loaderId: docId };
}
