import type { CompiledFlow, RunState } from "@weft/engine";
import type { RunEvent, RunInput } from "@weft/schema";
import type { ChatTurn } from "../chat-messages/chat-turn.ts";
import { memoryTypeOf, usedToolsOf } from "./run-facts.ts";

/** The chat messages that a run leaves behind: written in the transaction of its last event (E8). */
export function toChatTurn(
  run: { runId: string; state: RunState; flow: CompiledFlow; askedAt: number },
  end: RunEvent,
): ChatTurn | undefined {
  const { state, flow } = run;
  const { started } = state;
  const content = answerOf(end);
  if (content === undefined || started === null) return undefined;
  return {
    agentId: started.agentId,
    chatId: started.chatId,
    sessionId: started.sessionId,
    chatType: started.chatType,
    memoryType: memoryTypeOf(flow, state),
    executionId: run.runId,
    askedAt: run.askedAt,
    user: { id: started.userMessageId, content: questionText(started.input) },
    api: { id: started.apiMessageId, content, usedTools: usedToolsOf(state) },
  };
}

/** The user's message in words: the question, or the fields of the form. */
function questionText(input: RunInput): string {
  if (input.question !== undefined) return input.question;
  return Object.entries(input.form ?? {})
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");
}

function answerOf(event: RunEvent): string | undefined {
  switch (event.type) {
    case "run-completed":
      return event.text;
    case "run-failed":
      return event.error.message;
    case "run-cancelled":
      return "The run was cancelled.";
    default:
      return undefined;
  }
}
