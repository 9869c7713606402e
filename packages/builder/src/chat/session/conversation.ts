import { type ChatMessage, type ExecutionSummary, WeftApiError } from "@weft/client";
import {
  type AnswerState,
  type Answer as ChatAnswer,
  type ChatFailure,
  emptyAnswer,
  isUnderWay,
  toFinishedCall,
} from "@weft/conversation";
import { errorSentence } from "../../api/client.ts";

/** A question's attachment. `preview`: the URL of a picture available in the browser; absent if there is none. */
export type Attachment = { name: string; mime: string; preview?: string };

export type Question = { text: string; attachments: readonly Attachment[] };

export type Rating = { rating: "THUMBS_UP" | "THUMBS_DOWN"; content: string };

export type Answer = ChatAnswer & { rating?: Rating };

export type Turn = { key: string; question: Question; answer: Answer };

export type Conversation = { chatId: string; turns: readonly Turn[] };

export function openTurn({ turns }: Conversation): Turn | undefined {
  return turns.findLast(({ answer }) => isUnderWay(answer));
}

/** Changes the answer of one turn and removes other turns of the same stored message. */
export function withAnswer(conversation: Conversation, key: string, change: (answer: Answer) => Answer): Conversation {
  const changed = conversation.turns.map((turn) =>
    turn.key === key ? { ...turn, answer: change(turn.answer) } : turn,
  );
  const messageId = changed.find((turn) => turn.key === key)?.answer.messageId;
  const isRepeated = (turn: Turn) => turn.key !== key && messageId !== undefined && turn.answer.messageId === messageId;
  return { ...conversation, turns: changed.filter((turn) => !isRepeated(turn)) };
}

/** Removes a question to the person once it is answered. */
export function withoutAction(conversation: Conversation, actionId: string): Conversation {
  const turns = conversation.turns.map((turn): Turn => {
    const { state } = turn.answer;
    if (state.type !== "waiting" || state.action.id !== actionId) return turn;
    return { ...turn, answer: { ...turn.answer, state: { type: "finished" } } };
  });
  return { ...conversation, turns };
}

/** `nowMs`: milliseconds since the epoch. */
export function toChatFailure(error: unknown, nowMs: number): ChatFailure {
  const message = errorSentence(error);
  if (!(error instanceof WeftApiError)) return { message };
  if (error.status !== 429 && error.status !== 503) return { message };
  return { message, retryAtMs: nowMs + (error.retryAfterSeconds ?? defaultWaitSeconds) * 1_000 };
}

const defaultWaitSeconds = 5;

/** Data about a chat besides its messages. */
type ChatFacts = {
  /** Newest first. */
  executions: readonly Pick<ExecutionSummary, "id" | "state" | "error">[];
  /** Messages that have feedback. */
  rated: readonly ChatMessage[];
};

/** The turns of a stored chat. `messages`: oldest first. */
export function toTurns(messages: readonly ChatMessage[], facts: ChatFacts): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.role === "userMessage") turns.push(toTurn(message));
    else if (last !== undefined && isUnanswered(last.answer)) last.answer = toAnswer(message, facts);
    else turns.push({ ...toTurn({ ...message, content: "", fileUploads: [] }), answer: toAnswer(message, facts) });
  }
  return turns;
}

/** A retry of a failed run answers the same question again. */
function isUnanswered({ messageId, state }: Answer): boolean {
  return messageId === undefined || state.type === "failed";
}

function toTurn({ id, content, fileUploads }: Pick<ChatMessage, "id" | "content" | "fileUploads">): Turn {
  const attachments = fileUploads.map(({ name, mime }) => ({ name, mime }));
  return { key: id, question: { text: content, attachments }, answer: { ...emptyAnswer, state: { type: "stopped" } } };
}

function toAnswer(message: ChatMessage, { executions, rated }: ChatFacts): Answer {
  const feedback = rated.find(({ id }) => id === message.id)?.feedback;
  const state = toState(message, executions);
  return {
    ...emptyAnswer,
    // The stored text of a failed run is its error, so it is shown as one.
    text: state.type === "failed" ? "" : message.content,
    toolCalls: message.usedTools.map(toFinishedCall),
    sources: message.sourceDocuments,
    state,
    messageId: message.id,
    ...(message.executionId === "" ? {} : { executionId: message.executionId }),
    ...(feedback && { rating: { rating: feedback.rating, content: feedback.content } }),
  };
}

function toState({ action, executionId, content }: ChatMessage, executions: ChatFacts["executions"]): AnswerState {
  const [asked] = action;
  if (asked !== undefined) return { type: "waiting", action: asked };
  const run = executions.find(({ id }) => id === executionId);
  if (run === undefined) return { type: "finished" };
  if (run.state === "TERMINATED") return { type: "stopped" };
  if (run.state !== "ERROR" && run.state !== "TIMEOUT") return { type: "finished" };
  const reason = run.error?.message ?? content;
  return { type: "failed", failure: { message: reason } };
}

/** A chat in the agent's history. `title`: its first known message. */
type ChatSummary = { chatId: string; title: string; updatedDate: string; messageCount: number };

/** The chats of these messages, the one with the newest message first. `messages`: newest first. */
export function toChatList(
  messages: readonly Pick<ChatMessage, "chatId" | "role" | "content" | "createdDate">[],
): ChatSummary[] {
  return Array.from(
    Map.groupBy(messages, ({ chatId }) => chatId),
    ([chatId, own]) => ({
      chatId,
      title: own.findLast(({ role, content }) => role === "userMessage" && content.trim() !== "")?.content ?? "",
      updatedDate: own[0]?.createdDate ?? "",
      messageCount: own.length,
    }),
  );
}
