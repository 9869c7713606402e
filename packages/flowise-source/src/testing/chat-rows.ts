import { type ContentRow, dateOf, datesOf, type FlowiseSizes, idOf, ownedBy, workspaceOfAgent } from "./row-basics.ts";

const messagesOfChat = 10;

/** Free text, as clients send it. */
export function chatIdOf(chat: number): string {
  const forms = [idOf("chat", chat), `+49 151 ${1_000_000 + chat}`, `ana+${chat}@example.org`, `Gespräch ${chat}`];
  return forms[chat % forms.length] ?? "";
}

/** Each question is followed by its answer: in every fourth pair at the same moment. */
export function* messageRows(sizes: FlowiseSizes): Iterable<ContentRow> {
  for (let index = 0; index < sizes.messages; index += 1) yield messageRow(index, sizes);
}

function placeOfMessage(index: number, { agents }: FlowiseSizes): { chat: number; agent: number } {
  const chat = Math.floor(index / messagesOfChat);
  return { chat, agent: chat % agents };
}

function messageRow(index: number, sizes: FlowiseSizes): ContentRow {
  const { chat, agent } = placeOfMessage(index, sizes);
  const isQuestion = index % 2 === 0;
  const pair = Math.floor(index / 2);
  const document = { pageContent: "Paid within 30 days.", metadata: { source: "handbook.txt" } };
  const upload = { type: "stored-file", name: "picture.png", mime: "image/png" };
  return {
    id: idOf("chat_message", index),
    role: isQuestion ? "userMessage" : "apiMessage",
    chatflowid: idOf("chat_flow", agent),
    executionId: null,
    content: isQuestion ? `Question ${pair} – how do I return it? 🚲` : `Answer ${pair}: send it back within 30 days.`,
    sourceDocuments: isQuestion ? null : JSON.stringify([document]),
    usedTools: index % 20 === 1 ? JSON.stringify([{ tool: "order_status", toolInput: {}, toolOutput: "sent" }]) : null,
    fileAnnotations: null,
    agentReasoning: null,
    reasonContent: index % 20 === 3 ? "Because of the handbook." : null,
    fileUploads: index === 0 ? JSON.stringify([upload]) : null,
    artifacts: null,
    action: null,
    chatType: chat % 2 === 0 ? "EXTERNAL" : "INTERNAL",
    chatId: chatIdOf(chat),
    memoryType: "Buffer Memory",
    sessionId: chat % 6 === 5 ? null : chatIdOf(chat),
    createdDate: dateOf(pair, isQuestion || pair % 4 === 0 ? 7 : 1_250),
    leadEmail: chat === 1 ? "ana@example.org" : null,
    followUpPrompts: null,
  };
}

export function* feedbackRows(sizes: FlowiseSizes): Iterable<ContentRow> {
  for (let index = 1; index < sizes.messages; index += 40) {
    const { chat, agent } = placeOfMessage(index, sizes);
    yield {
      id: idOf("chat_message_feedback", index),
      chatflowid: idOf("chat_flow", agent),
      chatId: chatIdOf(chat),
      messageId: idOf("chat_message", index),
      rating: index % 80 === 1 ? "THUMBS_UP" : "THUMBS_DOWN",
      content: index % 80 === 1 ? null : "Too short",
      createdDate: dateOf(index),
    };
  }
}

export function* leadRows({ agents }: FlowiseSizes): Iterable<ContentRow> {
  for (let index = 0; index < Math.min(agents, 3); index += 1) {
    yield {
      id: idOf("lead", index),
      chatflowid: idOf("chat_flow", index),
      chatId: chatIdOf(index),
      name: `Lead ${index}`,
      email: `lead${index}@example.org`,
      phone: null,
      createdDate: dateOf(index),
    };
  }
}

/** Of a flow, a store and the second workspace's store. */
export function upsertRow(index: number): ContentRow {
  const owners = [idOf("chat_flow", 0), idOf("document_store", 0), idOf("document_store", 2)];
  return {
    id: idOf("upsert_history", index),
    chatflowid: owners[index] ?? "",
    result: JSON.stringify({ numAdded: 3, numDeleted: 0, numUpdated: 0, numSkipped: 0, addedDocs: [] }),
    flowData: "[]",
    date: dateOf(index),
  };
}

export function executionRow(index: number, agents: number): ContentRow {
  const agent = (index * 4 + 1) % agents;
  const states = ["FINISHED", "ERROR", "TERMINATED", "TIMEOUT", "STOPPED", "INPROGRESS"];
  const state = states[index % states.length] ?? "";
  const data = { id: "agentAgentflow_0", output: { content: `Result ${index}` }, state: { topic: "returns" } };
  const steps = [
    { nodeId: "startAgentflow_0", nodeLabel: "Start", data: {}, previousNodeIds: [], status: "FINISHED" },
    { nodeId: "agentAgentflow_0", nodeLabel: "Agent", data, previousNodeIds: ["startAgentflow_0"], status: state },
  ];
  return {
    id: idOf("execution", index),
    agentflowId: idOf("chat_flow", agent),
    sessionId: chatIdOf(index),
    state,
    action: state === "STOPPED" ? JSON.stringify({ id: "a", mapping: { approve: "Proceed", reject: "Reject" } }) : null,
    executionData: JSON.stringify(steps),
    stoppedDate: state === "INPROGRESS" ? null : dateOf(index + 5),
    ...ownedBy(workspaceOfAgent(agent)),
    ...datesOf(index),
  };
}
