import { type Document, type Json, type MessageAction, WeftApiError } from "@weft/client";
import { errorSentence } from "../api/error-sentence.ts";
import { chatStrings } from "../strings/chat.ts";

/** A file that goes with a question. `preview`: the address of a picture that the browser has; absent where it has none. */
export type Attachment = { name: string; mime: string; preview?: string };

/** A user message. */
export type Question = { text: string; attachments: readonly Attachment[] };

/** One call of a tool. `output` is text, mostly JSON. */
export type ToolCall = { tool: string; input: Json } & (
  | { status: "running" }
  | { status: "finished"; output: string }
  | { status: "failed"; output: string }
);

export type Rating = { rating: "THUMBS_UP" | "THUMBS_DOWN"; content: string };

/** The state of an answer. Only `sending` and `writing` progress by themselves. */
export type AnswerState =
  | { type: "sending" }
  /** `steps`: labels of the nodes that are at work, by node id. */
  | { type: "writing"; steps: Readonly<Record<string, string>> }
  | { type: "finished" }
  | { type: "waiting"; action: MessageAction }
  | { type: "stopped" }
  /** The run failed, or never began: then there is no `executionId`. */
  | { type: "failed"; failure: ChatFailure }
  /** The run may still be active, but this page has lost the connection to it. */
  | { type: "lost"; failure: ChatFailure };

export type Answer = {
  text: string;
  toolCalls: readonly ToolCall[];
  documents: readonly Document[];
  warnings: readonly string[];
  state: AnswerState;
  /** The run that answers; absent until it began. */
  executionId?: string;
  /** Id of the last frame that was read: the stream resumes after it. */
  lastFrameId?: string;
  /** Id of the stored message; absent until it is stored. */
  messageId?: string;
  rating?: Rating;
};

export type Turn = { key: string; question: Question; answer: Answer };

export type Conversation = { chatId: string; turns: readonly Turn[] };

export const emptyAnswer: Answer = { text: "", toolCalls: [], documents: [], warnings: [], state: { type: "sending" } };

export function isGoingOn({ state }: Answer): boolean {
  return state.type === "sending" || state.type === "writing";
}

/** The turn that is being answered. */
export function openTurn({ turns }: Conversation): Turn | undefined {
  return turns.findLast(({ answer }) => isGoingOn(answer));
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

/** Closes a question that was asked of the person and is answered now. */
export function withoutAction(conversation: Conversation, actionId: string): Conversation {
  const turns = conversation.turns.map((turn): Turn => {
    const { state } = turn.answer;
    if (state.type !== "waiting" || state.action.id !== actionId) return turn;
    return { ...turn, answer: { ...turn.answer, state: { type: "finished" } } };
  });
  return { ...conversation, turns };
}

/** Why there is no answer, in a sentence for the user. */
export type ChatFailure = {
  message: string;
  /** When the same message may succeed, in milliseconds since the epoch. Absent: immediately or unknown. */
  retryAtMs?: number;
};

/** `nowMs`: milliseconds since the epoch. */
export function toChatFailure(error: unknown, nowMs: number): ChatFailure {
  const message = errorSentence(error);
  if (!(error instanceof WeftApiError)) return { message };
  if (error.status !== 429 && error.status !== 503) return { message };
  return { message, retryAtMs: nowMs + (error.retryAfterSeconds ?? defaultWaitSeconds) * 1_000 };
}

const defaultWaitSeconds = 5;

export const unknownFailure: ChatFailure = { message: chatStrings.failedWithoutReason };
