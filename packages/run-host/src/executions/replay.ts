import { type CompiledFlow, replayFrom } from "@weft/engine";
import type { Clock, IdSource } from "@weft/engine/ports/clock";
import { everything } from "@weft/http/identity";
import {
  type ExecutionReplay,
  type HistoryMessage,
  longestPins,
  type Pins,
  type RunEvent,
  type RunEventOf,
  type RunInput,
  WeftError,
} from "@weft/schema";
import type { RunService } from "../host/index.ts";
import { isBuiltIn } from "../share-of.ts";
import type { ExecutionService } from "./execution.service.ts";

export type Replayer = { owner: string };

export type ReplaySources = {
  /** The agent's draft version and pins, or what is published. Rejects with `not-found`. */
  draftOf(agentId: string): Promise<{ versionId: string; pins?: Pins | undefined }>;
  /** The messages in a run's session when it started, oldest first. */
  messagesBefore(runId: string, started: RunEventOf<"run-started">): Promise<readonly HistoryMessage[]>;
};

export type ReplayDeps = ReplaySources & {
  clock: Clock;
  ids: IdSource;
  runs: RunService;
  executions: ExecutionService;
  flowOfRun(agentVersionId: string, input: RunInput): Promise<CompiledFlow | undefined>;
};

type Started = RunEvent & RunEventOf<"run-started">;

/**
 * Starts a run that continues from a step of another one, whose record stays unchanged. It has a chat of its own, with
 * the messages before that run, and is a test: INTERNAL. Resolves with its id once it is durable. Rejects with
 * `not-found`, and with `conflict` if the step cannot be replayed.
 */
export async function replay(deps: ReplayDeps, id: string, request: ExecutionReplay, by: Replayer): Promise<string> {
  const { events, flow: itsFlow } = await deps.executions.load(id, everything);
  const [started] = events;
  if (started?.type !== "run-started" || isBuiltIn(started.flowVersionId)) {
    throw conflict("This run belongs to a document store. Process its documents again instead.");
  }
  const tried = await flowToTry(deps, { started, itsFlow, request });
  const { nodeKey, kept } = cut(tried.flow, events, request);
  const input: RunInput = {
    ...started.input,
    ...(request.question !== undefined && { question: request.question }),
    ...(request.form !== undefined && { form: request.form }),
    history: started.input.history ?? [...(await deps.messagesBefore(id, started))],
    pins: withoutPinOf(tried.pins, nodeIdOf(nodeKey)),
    isReplay: true,
    ...(request.only && { onlyStep: nodeKey }),
  };
  const begin = beginning(deps, started, { input, owner: by.owner, flowVersionId: tried.versionId });
  // Earlier work does not count towards this run's time.
  const now = deps.clock.now();
  const journal = [{ ...begin, seq: 1, replayedFrom: id, repeats: kept.length }, ...kept];
  const runId = deps.ids.uuid();
  await deps.runs.beginWith({ runId, flow: tried.flow, events: journal.map((event) => ({ ...event, at: now })) });
  return runId;
}

type FlowToTry = { versionId: string; flow: CompiledFlow; pins: Pins };
type Wanted = { started: Started; itsFlow: CompiledFlow; request: ExecutionReplay };

async function flowToTry(deps: ReplayDeps, { started, itsFlow, request }: Wanted): Promise<FlowToTry> {
  const { agentId, flowVersionId, input } = started;
  if (!request.draft) return { versionId: flowVersionId, flow: itsFlow, pins: input.pins ?? {} };
  const { versionId, pins = {} } = await deps.draftOf(agentId);
  const flow = await deps.flowOfRun(versionId, input);
  if (flow === undefined || flow.refusal !== undefined) {
    const reason = `The draft cannot run: ${flow?.refusal ?? "it is gone"}`;
    throw new WeftError("conflict", { params: { reason } });
  }
  return { versionId, flow, pins };
}

function cut({ graph }: CompiledFlow, events: readonly RunEvent[], request: ExecutionReplay) {
  const { nodeKey, nodeId = "", outputs = {}, only } = request;
  if (JSON.stringify(outputs).length > longestPins) {
    throw new WeftError("limit-exceeded", { params: { where: "outputs", limit: longestPins, what: "characters" } });
  }
  const step = graph.nodes.get(nodeId || nodeIdOf(nodeKey ?? ""))?.label ?? nodeKey ?? nodeId;
  const start = replayFrom(graph, events, { point: nodeKey === undefined ? { nodeId } : { nodeKey }, outputs });
  if (start === "unreached") {
    throw conflict(`This run never came to ${step}. Send a message with which it does, and replay that run.`);
  }
  if (start === "changed") {
    throw conflict(`Steps before ${step} were removed or moved since this run. Replay it from a step before them.`);
  }
  if (only && !start.isReady) {
    throw conflict(`Steps before ${step} did not run yet. Replay from the first of them, or send a message.`);
  }
  const [, ...kept] = start.events;
  if (kept.some(({ removedAfterDays }) => removedAfterDays !== undefined)) {
    throw conflict("Large inputs and outputs of this run have since been removed. Send its question again.");
  }
  return { nodeKey: start.nodeKey, kept };
}

/** The first event of a run with the same question, in a chat of its own. */
function beginning(
  { ids }: ReplayDeps,
  { agentId, agentType, budget }: Started,
  own: { input: RunInput; owner: string; flowVersionId: string },
): RunEventOf<"run-started"> {
  const chatId = ids.uuid();
  return {
    type: "run-started",
    agentId,
    ...(agentType !== undefined && { agentType }),
    ...(budget?.limits && { budget: { limits: budget.limits } }),
    chatId,
    sessionId: chatId,
    chatType: "INTERNAL",
    userMessageId: ids.uuid(),
    apiMessageId: ids.uuid(),
    depth: 0,
    ...own,
  };
}

function withoutPinOf(pins: Pins, nodeId: string): Pins {
  return Object.fromEntries(Object.entries(pins).filter(([id]) => id !== nodeId));
}

/** Of `<scope><nodeId>#<pass>`. */
function nodeIdOf(nodeKey: string): string {
  return nodeKey.slice(nodeKey.lastIndexOf("/") + 1, Math.max(0, nodeKey.lastIndexOf("#")));
}

function conflict(reason: string): WeftError {
  return new WeftError("conflict", { params: { reason } });
}
