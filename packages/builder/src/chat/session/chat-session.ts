import type { Client, Json, MessageAction, PredictionRequest, Upload } from "@weft/client";
import { emptyAnswer } from "@weft/conversation";
import { type AnswerReader, type AnswerReaderDeps, createAnswerReader } from "./answer-reader.ts";
import { type ChatStore, type ChatStoreDeps, type ChatView, createChatStore, type RunningNote } from "./chat-store.ts";
import {
  type Conversation,
  openTurn,
  type Question,
  type Rating,
  toChatFailure,
  toTurns,
  withoutAction,
} from "./conversation.ts";

/** A message from the user: text with files, or a form. */
export type Message = { question: Question; uploads?: readonly Upload[]; form?: Record<string, Json> };

export type HumanReply = { type: "proceed" | "reject"; label: string; feedback: string };

type ChatSessionDeps = Omit<AnswerReaderDeps, "client" | "store"> &
  ChatStoreDeps & {
    client: Client;
    /** Additional fields for each request. */
    beforeSend(): Promise<Partial<PredictionRequest>>;
  };

/**
 * One user's conversation with one agent.
 * - S1 At most one answer is streaming; messages sent meanwhile are rejected.
 * - S2 The view derives from stored data and the frames of one stream, so a reload shows the same text.
 * - S3 A run belongs to the chat that started it: leaving the chat stops reading, not the run.
 */
export type ChatSession = {
  view(): ChatView;
  subscribe(listener: () => void): () => void;
  /** Restores this tab's chat and resumes an answer that was still streaming. */
  resume(): Promise<void>;
  send(message: Message): Promise<void>;
  /** Answers a run's question. */
  answer(action: MessageAction, answer: HumanReply): Promise<void>;
  /** Resends a rejected message, resumes a lost stream, or retries a run from the failed step. */
  retry(turnKey: string): Promise<void>;
  /** Ends the run that is answering. Rejects if the server cannot be reached. */
  stop(): Promise<void>;
  /** Saves feedback on an answer. Rejects if it cannot be stored. */
  rate(turnKey: string, rating: Rating): Promise<void>;
  openChat(chatId: string): Promise<void>;
  newChat(): void;
  /** Stops reading. */
  close(): void;
};

export function createChatSession(deps: ChatSessionDeps): ChatSession {
  const store = createChatStore(deps);
  const reader = createAnswerReader({ ...deps, store });
  const chat: Chat = { ...deps, store, reader };

  return {
    view: store.view,
    subscribe: store.subscribe,
    async resume() {
      const kept = deps.memory.read();
      if (kept !== undefined) await openChat(chat, kept.chatId, kept.running);
    },
    send: (message) => send(chat, message),
    answer: (action, answer) => answerAction(chat, action, answer),
    retry: (key) => retry(chat, key),
    stop: () => stop(chat),
    rate: (key, rating) => rate(chat, key, rating),
    openChat: (chatId) => openChat(chat, chatId),
    newChat() {
      store.enter(deps.newId());
      deps.memory.write({ chatId: store.view().conversation.chatId });
    },
    close: store.stopReading,
  };
}

type Chat = ChatSessionDeps & { store: ChatStore; reader: AnswerReader };

async function send({ store, reader, beforeSend }: Chat, { question, uploads = [], form }: Message): Promise<void> {
  const { conversation } = store.view();
  if (openTurn(conversation) !== undefined) return;
  const asked = form === undefined ? { question: question.text } : { form };
  const files = uploads.length > 0 && { uploads: [...uploads] };
  const key = store.addTurn(question);
  await reader.ask(key, { ...(await beforeSend()), ...asked, chatId: conversation.chatId, ...files });
}

async function answerAction({ store, reader }: Chat, action: MessageAction, given: HumanReply): Promise<void> {
  const { conversation } = store.view();
  const asking = conversation.turns.find(
    ({ answer: { state } }) => state.type === "waiting" && state.action.id === action.id,
  );
  if (asking === undefined || openTurn(conversation) !== undefined) return;
  const { executionId, lastFrameId } = asking.answer;
  store.show({ conversation: withoutAction(conversation, action.id) });
  const { type, feedback } = given;
  const text = wordsOf(given);
  const key = store.addTurn({ text, attachments: [] });
  const request = {
    chatId: conversation.chatId,
    question: text,
    humanInput: { type, ...(feedback !== "" && { feedback }) },
    action: { id: action.id },
    ...(executionId !== undefined && { executionId }),
  };
  await reader.ask(key, request, lastFrameId);
}

/** Stored as the message: the words alone would not show that they accompany a rejection. */
function wordsOf({ type, label, feedback }: HumanReply): string {
  return type === "reject" && feedback !== "" ? `${label}: ${feedback}` : feedback || label;
}

async function retry({ client, store, reader, now }: Chat, key: string): Promise<void> {
  const answer = store.turnOf(key)?.answer;
  if (answer === undefined || openTurn(store.view().conversation) !== undefined) return;
  if (answer.executionId === undefined) return reader.askAgain(key);
  if (answer.state.type === "lost") return reader.reconnect(key);
  store.changeAnswer(key, () => emptyAnswer);
  try {
    const { id } = await client.retryExecution({ id: answer.executionId });
    await reader.follow(key, id);
  } catch (error) {
    const failure = toChatFailure(error, now());
    store.changeAnswer(key, () => ({ ...answer, state: { type: "failed", failure } }));
  }
}

async function stop({ client, agentId, store, memory }: Chat): Promise<void> {
  const { conversation } = store.view();
  const turn = openTurn(conversation);
  if (turn === undefined) return;
  const signal = store.signal();
  await client.abortChatMessage({ agentId, chatId: conversation.chatId });
  if (signal.aborted || store.turnOf(turn.key)?.answer.state.type !== "sending") return;
  // The run had not started, so no stream will report its end.
  store.changeAnswer(turn.key, (answer) => ({ ...answer, state: { type: "stopped" } }));
  store.stopReading();
  memory.write({ chatId: conversation.chatId });
}

async function rate({ client, store }: Chat, key: string, rating: Rating): Promise<void> {
  const { messageId, rating: before } = store.turnOf(key)?.answer ?? {};
  if (messageId === undefined) return;
  store.changeAnswer(key, (answer) => ({ ...answer, rating }));
  try {
    await client.createFeedback({ messageId, ...rating });
  } catch (error) {
    store.changeAnswer(key, ({ rating: _, ...answer }) =>
      before === undefined ? answer : { ...answer, rating: before },
    );
    throw error;
  }
}

async function openChat(chat: Chat, chatId: string, kept?: RunningNote): Promise<void> {
  const { client, agentId, store, memory } = chat;
  store.enter(chatId);
  store.show({ loading: { type: "loading" } });
  const signal = store.signal();
  try {
    const executionId = await findRunning(client, { agentId, chatId, signal });
    const conversation = await loadChat(client, { agentId, chatId, signal });
    if (signal.aborted) return;
    store.show({ conversation, loading: { type: "ready" } });
    memory.write({ chatId });
    if (executionId !== undefined) await followRunning(chat, executionId, kept);
  } catch (error) {
    if (!signal.aborted) store.show({ loading: { type: "failed", error } });
  }
}

/** State kept for another run does not apply to this one. */
async function followRunning(chat: Chat, executionId: string, kept?: RunningNote): Promise<void> {
  const { client, agentId, store, reader } = chat;
  const signal = store.signal();
  const isKept = kept !== undefined && (kept.executionId ?? executionId) === executionId;
  let question = isKept ? kept.question : await questionOf(chat, executionId);
  let after = isKept ? kept.after : undefined;
  for (;;) {
    const key = store.addTurn(question);
    await reader.follow(key, executionId, after);
    const answer = store.turnOf(key)?.answer;
    if (signal.aborted || answer?.state.type !== "waiting") return;
    // Its stream ends at each question; someone may have answered this one elsewhere.
    const { chatId } = store.view().conversation;
    if ((await findRunning(client, { agentId, chatId, signal })) !== executionId) return;
    store.show({ conversation: withoutAction(store.view().conversation, answer.state.action.id) });
    question = { text: "", attachments: [] };
    after = answer.lastFrameId;
  }
}

async function questionOf({ client, store }: Chat, id: string): Promise<Question> {
  const { question } = await client.getExecution({ id }, { signal: store.signal() });
  return { text: question, attachments: [] };
}

type Reader = Pick<Client, "listInternalChatMessages" | "listExecutions">;
type ChatAddress = { agentId: string; chatId: string; signal: AbortSignal };

/** A stored chat. Empty if it has no messages yet. */
async function loadChat(client: Reader, { agentId: id, chatId, signal }: ChatAddress): Promise<Conversation> {
  const [messages, rated, executions] = await Promise.all([
    client.listInternalChatMessages({ id, chatId }, { signal }),
    client.listInternalChatMessages({ id, chatId, feedback: "true" }, { signal }),
    client.listExecutions({ agentflowId: id, chatId, limit: 100 }, { signal }),
  ]);
  const facts = { executions: executions.data, rated };
  return { chatId, turns: toTurns(messages, facts) };
}

/** Id of a chat's active run; undefined if there is none. */
async function findRunning(client: Reader, { agentId, chatId, signal }: ChatAddress): Promise<string | undefined> {
  const query = { agentflowId: agentId, chatId, state: "INPROGRESS", limit: 1 } as const;
  const { data } = await client.listExecutions(query, { signal });
  return data[0]?.id;
}
