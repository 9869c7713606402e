import type { Tables } from "@weft/database";
import { type CompiledFlow, openQuestions, openWaits, type RunState, turnText } from "@weft/engine";
import { type ActiveRun, createRunTailStore, type ProjectRun, type RunTurn, toAction } from "@weft/run-host";
import { chatOwnerOf, isTerminalEvent, type MessageAction, type RunEvent } from "@weft/schema";
import type { Kysely } from "kysely";
import type { ChatMessageService } from "./chat-message.service.ts";
import type { ChatTurn } from "./chat-turn.ts";
import { agentReasoningOf, hasSeveralAgents, runFactsOf } from "./run-facts.ts";

export type RunProjectionDeps = {
  /** Runs of this process by id. */
  active: ReadonlyMap<string, ActiveRun>;
  messages: Pick<ChatMessageService, "closeActions" | "turnStatement">;
  read: Kysely<Tables>;
};

/**
 * The chat messages of a run, written in the commit of the event that causes them (E8): a turn when the run ends or
 * waits, and the end of a question when it is answered or its answer is no longer needed.
 */
export function createRunProjection({ active, messages, read }: RunProjectionDeps): ProjectRun {
  return async ({ id, chatId }, events) => {
    const run = active.get(id);
    const last = events.at(-1);
    const isClosing = events.some(({ type }) => type === "node-resumed") || (!run && last && isTerminalEvent(last));
    const closing = isClosing ? [messages.closeActions({ chatId, executionId: id })] : [];
    const turn = run && last && toChatTurn({ ...run, runId: id, state: run.handle.state }, last);
    if (!turn || !run) return closing;
    // The state has only the last pass of a step in a loop.
    const journal = hasSeveralAgents(run.flow)
      ? [...(await createRunTailStore(read).eventsAfter(id, 0)), ...events]
      : [];
    const api = { ...turn.api, agentReasoning: agentReasoningOf(run.flow, journal) };
    return [...closing, messages.turnStatement({ ...turn, api })];
  };
}

type ProjectedRun = { runId: string; state: RunState; flow: CompiledFlow; turn: RunTurn };

/** The turn that a run's end or wait completes; undefined for any other event. */
function toChatTurn(run: ProjectedRun, end: RunEvent): ChatTurn | undefined {
  const { runId, state, flow, turn } = run;
  const { started } = state;
  const said = whatIsSaid(run, end);
  if (said === undefined || started === null) return undefined;
  const { userMessageId, content, fileUploads } = turn;
  const outputs = [...state.outputs.values()].map(({ output }) => output);
  const answer = { text: said.content, nodeKey: state.answer?.nodeKey };
  const { memoryType, usedTools, sourceDocuments, fileAnnotations } = runFactsOf(flow, outputs, answer);
  return {
    agentId: started.agentId,
    owner: chatOwnerOf(started),
    chatId: started.chatId,
    sessionId: started.sessionId,
    chatType: started.chatType,
    memoryType,
    leadEmail: started.input.leadEmail ?? "",
    executionId: runId,
    askedAt: turn.askedAt,
    isFirst: turn.isFirst,
    ...(userMessageId === undefined ? {} : { user: { id: userMessageId, content, fileUploads } }),
    api: {
      id: turn.apiMessageId,
      ...said,
      usedTools,
      sourceDocuments,
      fileAnnotations,
    },
  };
}

type Said = { content: string; action?: MessageAction[] };

function whatIsSaid({ state, flow }: ProjectedRun, event: RunEvent): Said | undefined {
  switch (event.type) {
    case "run-completed":
      return { content: event.text };
    case "run-failed":
      return { content: event.error.message };
    case "run-cancelled":
      return { content: "The run was cancelled." };
    case "run-suspended": {
      if (event.holds) return undefined;
      const asked = openQuestions(state).map(({ wait }) => wait);
      const last = asked.at(-1) ?? openWaits(state).at(-1)?.wait;
      return {
        content: turnText(state, last?.text ?? ""),
        action: asked.reverse().map((wait) => toAction(flow, wait)),
      };
    }
    default:
      return undefined;
  }
}
