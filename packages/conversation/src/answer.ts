import type { Document, Json, MessageAction } from "@weft/client";

/** One call of a tool. `output` is text, mostly JSON. */
export type ToolCall = { tool: string; input: Json } & (
  | { status: "running" }
  | { status: "finished"; output: string }
  | { status: "failed"; output: string }
);

/** The reason for a missing answer. */
export type ChatFailure = {
  /** The server's words; empty where there are none. */
  message: string;
  /** When the same message may succeed, in milliseconds since the epoch. Absent: immediately or unknown. */
  retryAtMs?: number;
};

/** The state of an answer. Only `sending` and `writing` progress by themselves. */
export type AnswerState =
  | { type: "sending" }
  /** `steps`: labels of the running nodes, by node id. `isWhole`: the text is complete, and its message is not stored yet. */
  | { type: "writing"; steps: Readonly<Record<string, string>>; isWhole?: boolean }
  | { type: "finished" }
  | { type: "waiting"; action: MessageAction }
  | { type: "stopped" }
  /** The run failed, or never started. */
  | { type: "failed"; failure: ChatFailure }
  /** The run may still be active, but the page has lost the connection to it. */
  | { type: "lost"; failure: ChatFailure };

/** An answer as far as it is known. `Source`: what a chat keeps of a passage that the answer is based on. */
export type Answer<Source = Document> = {
  text: string;
  toolCalls: readonly ToolCall[];
  sources: readonly Source[];
  warnings: readonly string[];
  state: AnswerState;
  /** The answering run; absent until it has started. */
  executionId?: string;
  /** Id of the last frame that was read: the stream resumes after it. */
  lastFrameId?: string;
  /** Id of the stored message; absent until it is stored. */
  messageId?: string;
  /** The message as the server understood it, such as the words of a recording. */
  heard?: string;
  /** Messages that the person may send next. */
  followUps?: readonly string[];
  /** The person who will answer in place of the agent, and the name they gave; empty: none. */
  takenOver?: { name: string };
};

export const emptyAnswer: Answer<never> = {
  text: "",
  toolCalls: [],
  sources: [],
  warnings: [],
  state: { type: "sending" },
};

export function isUnderWay({ state }: Pick<Answer, "state">): boolean {
  return state.type === "sending" || state.type === "writing";
}
