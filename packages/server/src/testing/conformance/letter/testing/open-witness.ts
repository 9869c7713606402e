import { randomUUID } from "node:crypto";
import { createScriptedOpenAiServer, type Script } from "@weft/providers/testing";
import type { TestDatabases } from "../../../../../../database/src/testing/test-databases.ts";
import { sendForm } from "../../../send-form.ts";
import { agentWith, flowOf, openTestPlatform } from "../../../test-platform.ts";
import type { ResourceName } from "../resource-fields.ts";

type Test = Parameters<typeof openTestPlatform>[0];
type Fields = Record<string, unknown>;

/** Searches the handbook once, then answers as JSON. */
const script: Script = ({ messages, tools, response_format: format }) => {
  if (tools?.length && !messages.some(({ role }) => role === "tool")) {
    return { toolCalls: [{ name: tools[0]?.function.name ?? "none", arguments: { query: "refunds" } }] };
  }
  return { text: format === undefined ? "Five days." : '{"days": 5}' };
};

/** A platform on which one of each resource was made as the reference's fields say, and each as an answer shows it. */
export async function openWitness(t: Test, databases: TestDatabases): Promise<Record<ResourceName, Fields>> {
  const model = await createScriptedOpenAiServer({ script });
  t.after(() => model.close());
  const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: model.url, DEFAULT_MODEL: "scripted" };
  const platform = await openTestPlatform(t, databases, env);
  const make = (path: string, body: object) => platform.json<Fields & { id: string }>("POST", path, body);

  const store = await make("/document-store/store", { name: "Handbook", description: "What people ask" });
  const loader = { name: "plainText", config: { text: "Refunds take five days." } };
  const upsert = await make(`/document-store/upsert/${store.id}`, { loader, metadata: { source: "handbook" } });
  const query = await make("/document-store/vectorstore/query", { storeId: store.id, query: "refunds" });

  const knowledge = [{ storeId: store.id, name: "handbook", description: "What people ask" }];
  const agentId = await agentWith(platform, twoAgents({ knowledge }), { type: "MULTIAGENT" });
  const uploads = [{ type: "file", name: "note.txt", mime: "text/plain", data: toDataUrl("A note.") }];
  const chatId = randomUUID();
  await make("/leads", { chatflowid: agentId, chatId, name: "Ada", email: "ada@example.com", phone: "1" });
  const answer = await make(`/prediction/${agentId}`, { question: "Refunds?", chatId, uploads });
  const structuredOutput = [{ name: "days", type: "number", description: "Days" }];
  const structured = await agentWith(platform, flowOf("llm", "LLM", { structuredOutput }));
  const { json } = await make(`/prediction/${structured}`, { question: "How many days?" });
  const messages = await platform.json<Fields[]>("GET", `/chatmessage/${agentId}?chatId=${chatId}`);
  const spoken = messages.find(({ role }) => role === "apiMessage") ?? {};
  const asked = messages.find(({ role }) => role === "userMessage") ?? {};
  const asking = await agentWith(platform, askingFlow);
  await make(`/prediction/${asking}`, { question: "Ship it?" });
  const waiting = (await platform.json<Fields[]>("GET", `/chatmessage/${asking}?order=DESC`))[0] ?? {};

  const inFlow = await agentWith(platform, flowOf("vector-store", "Store", { storeId: store.id }));
  await make(`/vector/upsert/${inFlow}`, {});
  const [record = {}] = await platform.json<Fields[]>("GET", `/upsert-history/${inFlow}`);
  const form = [["files", { name: "note.txt", type: "text/plain", bytes: "A note." }]] as const;
  const attached = await sendForm(platform, `/attachments/${agentId}/${chatId}`, form);
  const [attachment = {}] = (await attached.json()) as Fields[];
  const feedback = {
    chatflowid: agentId,
    chatId,
    messageId: answer.chatMessageId,
    rating: "THUMBS_UP",
    content: "Yes",
  };
  const details = { name: "Helper", instructions: "Be brief.", model: "scripted", tools: [], tool_resources: {} };
  const plainDataObj = { openAIApiKey: "k" };
  const account = await make("/credentials", { name: "Account", credentialName: "openAIApi", plainDataObj });
  const assistant = await make("/assistants", { details, credential: account.id });
  return {
    Agent: await platform.json("GET", `/chatflows/${agentId}`),
    Variable: await make("/variables", { name: "city", value: "Ulm", type: "string" }),
    "Document store": await platform.json("GET", `/document-store/store/${store.id}`),
    Document: firstOf(upsert.addedDocs),
    "Upsert result": upsert,
    "Vector query result": query,
    "Queried document": firstOf(query.docs),
    Tool: await make("/tools", { name: "add", description: "Adds", color: "#aa0000", func: "return 1" }),
    "Chat message": { ...spoken, fileUploads: asked.fileUploads, action: waiting.action },
    UsedTool: firstOf(spoken.usedTools),
    AgentReasoning: firstOf(spoken.agentReasoning),
    Assistant: assistant,
    "Assistant details": assistant.details as Fields,
    Feedback: await make("/feedback", feedback),
    "Upsert history record": record,
    Lead: firstOf(await platform.json("GET", `/leads/${agentId}`)),
    "Attachment result": attachment,
    "Prediction result": { ...answer, json },
  };
}

/** Two steps with models: the second searches the handbook and answers. */
function twoAgents(config: object): string {
  const nodes = [
    { id: "start", type: "start" },
    { id: "first", type: "llm", label: "Greeter" },
    { id: "second", type: "agent", label: "Librarian", config },
  ];
  const edges = [
    { id: "a", source: "start", target: "first" },
    { id: "b", source: "first", target: "second" },
  ];
  return JSON.stringify({ weft: 1, nodes, edges });
}

const askingFlow = JSON.stringify({
  weft: 1,
  nodes: [
    { id: "start", type: "start" },
    { id: "ask", type: "human-input" },
    { id: "yes", type: "direct-reply", config: { message: "Shipped." } },
  ],
  edges: [
    { id: "a", source: "start", target: "ask" },
    { id: "b", source: "ask", sourcePort: "proceed", target: "yes" },
  ],
});

function firstOf(list: unknown): Fields {
  return ((list as Fields[] | undefined)?.[0] ?? {}) as Fields;
}

function toDataUrl(text: string): string {
  return `data:text/plain;base64,${Buffer.from(text).toString("base64")}`;
}
