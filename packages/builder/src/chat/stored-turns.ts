import type { ChatMessage, ExecutionSummary } from "@weft/client";
import { toFinishedCall } from "./apply-frame.ts";
import { type Answer, type AnswerState, emptyAnswer, type Turn, unknownFailure } from "./conversation.ts";

/** Data about a chat besides its messages. */
export type ChatFacts = {
  /** The newest first. */
  executions: readonly Pick<ExecutionSummary, "id" | "state" | "error">[];
  /** Messages that have feedback. */
  rated: readonly ChatMessage[];
};

/** The turns of a stored chat. `messages`: the oldest first. */
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
    documents: message.sourceDocuments,
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
  return { type: "failed", failure: reason === "" ? unknownFailure : { message: reason } };
}
