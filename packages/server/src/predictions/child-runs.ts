import { RunFailure } from "@weft/engine";
import type { ChildRunRequest, ChildRunResult, ChildRuns } from "@weft/engine/ports/child-runs";
import { everything } from "@weft/http/identity";
import { type NewRun, uuidOf } from "@weft/run-host";
import { isTerminalEvent, type RunEvent, readWritePolicy, stricterPolicy, WeftError } from "@weft/schema";
import type { Context } from "../context.ts";
import type { Needs } from "../feature.ts";
import { openAgent } from "./caller.ts";
import { resolveInput } from "./resolve-input.ts";

/**
 * Runs of agents that other runs ask for.
 * - C1 A run's id follows from the idempotency key: a repeated call, in any process, finds the run that was started.
 * - C2 A child shares its parent's owner, chat and session, under its own agent, and its parent's place among the running ones.
 * - C3 A parent that is cancelled cancels the child. A child that loses its parent otherwise ends when it is taken over.
 */
export function createChildRuns(
  { ids, nodeTypes: registry, telemetry }: Context,
  { runHost: { runs, tail, journals, stopping }, runnables }: Needs<"runHost" | "runnables">,
): ChildRuns {
  async function prepare(runId: string, request: ChildRunRequest): Promise<NewRun> {
    const { agentId, question, overrideConfig, parent, depth } = request;
    // The author of the calling flow chose this agent: a key for its clients is not required.
    const { owner, chatOwner } = parent;
    const limits = parent.budget?.limits;
    const caller = { owner: chatOwner, adopts: [], reach: everything, apiKeys: async () => [], isAuthor: true };
    const { agent, versionId, flow: saved, flowData } = await openAgent(runnables, { agentId, caller });
    const overridable = { flow: saved, flowData, apiConfig: agent.apiConfig };
    // Its overrides may hold a visitor's text: it reaches the child as it would from a client, and no further.
    const trace = telemetry.traceOfChild(parent.runId, request.idempotencyKey);
    const asked = resolveInput({ question, overrideConfig }, overridable, { registry, caller: {} });
    return {
      runId,
      flow: asked.flow,
      warnings: asked.warnings,
      share: parent.share,
      begin: {
        type: "run-started",
        agentId: agent.id,
        flowVersionId: versionId,
        chatId: parent.chatId,
        sessionId: asked.sessionId ?? parent.sessionId,
        chatType: parent.chatType,
        ...(owner === undefined ? {} : { owner }),
        ...(owner === chatOwner ? {} : { chatOwner }),
        userMessageId: ids.uuid(),
        apiMessageId: ids.uuid(),
        input: { ...asked.input, ...inheritedPolicy(parent, agent) },
        depth,
        parentRunId: parent.runId,
        budget: { ...(limits && { limits }), rootRunId: parent.budget?.rootRunId ?? parent.runId },
        ...(trace && { trace }),
      },
    };
  }

  /** The parent's previous process may still start it. */
  async function begin(runId: string, request: ChildRunRequest): Promise<void> {
    const admitted = await runs.admit({ fixedId: runId, prepare: () => prepare(runId, request), live: false });
    await admitted.startedElsewhere;
  }

  /** The last event of a run, wherever it is. */
  async function endOf(runId: string, signal: AbortSignal): Promise<RunEvent> {
    const ended = Promise.withResolvers<RunEvent>();
    const letGo = () => ended.reject(new Error(`Run ${runId} is left to the process that takes its parent over.`));
    const cancel = () => {
      runs.cancel(runId).catch(() => undefined);
      ended.reject(signal.reason);
    };
    const events = (batch: readonly RunEvent[]) => {
      const end = batch.find(isTerminalEvent);
      if (end) ended.resolve(end);
    };
    stopping.addEventListener("abort", letGo);
    signal.addEventListener("abort", cancel);
    const unfollow = tail.follow(runId, 0, { events, left: letGo });
    if (stopping.aborted) letGo();
    if (signal.aborted) cancel();
    try {
      return await ended.promise;
    } finally {
      unfollow();
      stopping.removeEventListener("abort", letGo);
      signal.removeEventListener("abort", cancel);
    }
  }

  return {
    async run(request) {
      const runId = uuidOf(request.idempotencyKey);
      if ((await journals.find(runId)) === undefined) await begin(runId, request);
      return toResult(runId, await endOf(runId, request.signal));
    },
  };
}

/** A visitor's run stays one in the agents that it calls, and so does a replay. */
function inheritedPolicy({ input }: ChildRunRequest["parent"], { apiConfig }: { apiConfig: string }) {
  const { visitorWrites, isReplay } = input;
  return {
    ...(visitorWrites && { visitorWrites: stricterPolicy(visitorWrites, readWritePolicy(apiConfig)) }),
    ...(isReplay && { isReplay }),
  };
}

function toResult(runId: string, end: RunEvent): ChildRunResult {
  if (end.type === "run-completed") {
    return { text: end.text, ...(end.json === undefined ? {} : { json: end.json }), runId };
  }
  // The outcome is final: asking again under the same key would only read it again.
  if (end.type === "run-failed") throw new RunFailure({ ...end.error, retryable: false });
  throw new WeftError("flow-node-failed", { params: { reason: "The run of the called agent was cancelled." } });
}
