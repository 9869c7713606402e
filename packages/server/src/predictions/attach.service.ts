import { applyEvent, emptyRunState, type RunHandle } from "@weft/engine";
import { createEventStream, type EventStream, type StreamOptions } from "@weft/http/event-stream";
import { everything, type Reach, reaches, reachOf } from "@weft/http/identity";
import {
  callerShareOf,
  type ExecutionService,
  type LoadedExecution,
  type RunBroadcast,
  type RunTail,
} from "@weft/run-host";
import { endsAnswer, type PredictionResult, type RunEvent, WeftError } from "@weft/schema";
import { createPlaces } from "@weft/workers";
import { assertKey, type Caller, type OpenAgentDeps } from "./caller.ts";
import { type FollowUps, toFollowUpText, withFollowUps } from "./follow-ups.service.ts";
import { type Answered, goesOn, presentJson } from "./present-json.ts";
import { createFrameWriter, type FrameWriter, parseEventId } from "./stream-frames.ts";

export type AttachServiceDeps = Pick<OpenAgentDeps, "getForRun"> & {
  executions: Pick<ExecutionService, "load" | "find">;
  tail: RunTail;
  followUps: FollowUps;
  streams: OpenStreams;
};

export type Reconnect = {
  runId: string;
  /** Id of the last frame that the client has. Absent: from the start. */
  lastEventId?: string | undefined;
  caller: StreamCaller;
  /** Whose runs may be read. */
  reach: Reach;
  /** A caller without credentials, who needs the agent's key if one is bound. */
  visitor?: Caller;
};

/** `events`: the committed part of its journal, from the start, as far as this process knows. */
type Known = Pick<Answered, "flow" | "events">;

/** Answers for runs that were started before: running here or elsewhere, waiting to be taken over, or ended. */
export type AttachService = {
  /**
   * The stream of a run until it ends, or waits for a human or for longer than its caller does: from its start, or
   * after the client's last frame. A client with the last frame of a wait gets what follows the answer, and nothing
   * before there is one. Rejects with `not-found`, and with `parameters-invalid` for a frame of another run.
   */
  stream(reconnect: Reconnect): Promise<Response>;
  /**
   * Answers like the prediction that started the run, or rejects when the run ends or waits; with `run-goes-on` if that
   * cannot be awaited here.
   */
  answer(runId: string): Promise<PredictionResult>;
  /** Like `answer`, with follow-up suggestions, if the agent makes any. */
  answerWithFollowUps(runId: string): Promise<PredictionResult>;
  /**
   * Like `presentJson`, when the run is over here; if this process has lost it, or released it for a short wait, from
   * the process that continues it.
   */
  answerOf(handle: RunHandle, known: () => Known): Promise<PredictionResult>;
  /** Continues the stream of a run that this process has lost, from the process that continues the run. */
  goOn(stream: EventStream, writer: FrameWriter, at: { runId: string; afterSeq: number }): void;
  /** The agent of a visitor's run; undefined for runs of others, and unknown ones. */
  visitedAgent(runId: string): Promise<string | undefined>;
};

export function createAttachService(deps: AttachServiceDeps): AttachService {
  const { executions, tail, getForRun, followUps, streams } = deps;
  /** Sends the journal as fast as the client reads, then continues live. */
  async function replay(stream: EventStream, writer: FrameWriter, { run, events }: LoadedExecution): Promise<void> {
    for (const event of events) {
      if (!(await stream.ready())) return;
      stream.send(writer.events([event]));
    }
    if (isPaused(events)) return;
    goOn(stream, writer, { runId: run.id, afterSeq: run.lastSeq });
  }

  const goOn: AttachService["goOn"] = (stream, writer, { runId, afterSeq }) => {
    const stop = tail.follow(runId, afterSeq, {
      events: (batch) => stream.send(writer.events(batch)),
      delta: (delta) => stream.send(writer.delta(delta)),
      left: stream.cut,
    });
    stream.onceOver(stop);
  };

  function restOf(runId: string, events: RunEvent[]): Promise<RunEvent[]> {
    const ended = Promise.withResolvers<RunEvent[]>();
    if (isPaused(events)) return Promise.resolve(events);
    const stop = tail.follow(runId, events.at(-1)?.seq ?? 0, {
      events(batch) {
        collect(events, batch);
        if (isPaused(events)) ended.resolve(events);
      },
      left: () => ended.reject(goesOn(runId)),
    });
    return ended.promise.finally(stop);
  }

  async function answer(runId: string): Promise<PredictionResult> {
    const loaded = await executions.load(runId, everything).catch((cause: unknown) => {
      throw goesOn(runId, cause);
    });
    return answerFrom(runId, loaded);
  }

  /** `known`: its journal, as far as it has been read. */
  async function answerFrom(runId: string, { flow, events: known }: Known): Promise<PredictionResult> {
    const events = await restOf(runId, [...known]);
    const state = emptyRunState();
    for (const event of events) applyEvent(state, flow.graph, event);
    return presentJson({ runId, state, flow, events }, state.end ?? "suspended");
  }

  return {
    async stream({ runId, lastEventId, caller, reach, visitor }) {
      const position = lastEventId === undefined ? undefined : parseEventId(lastEventId, runId);
      const loaded = await executions.load(runId, reach);
      if (visitor) await assertKey(await getForRun(loaded.run.agentId), visitor);
      const { flow, events } = loaded;
      const writer = createFrameWriter({ runId, flow });
      const missed = position ? writer.resume(position, events) : [];
      const rest = events.filter((event) => event.seq > (position?.seq ?? 0));
      const suggest = (id: string) => followUps.suggest(id, () => getForRun(loaded.run.agentId));
      const stream = withFollowUps(streams.open(caller), suggest);
      stream.send(missed);
      if (isPaused(events) && rest.length === 0) stream.end();
      else replay(stream, writer, { ...loaded, events: rest }).catch(stream.cut);
      return stream.response;
    },

    goOn,

    async answerOf(handle, known) {
      const { runId, state } = handle;
      const outcome = await handle.done.catch(() => "lost" as const);
      const continuesElsewhere = outcome === "lost" || outcome === "stopped" || state.pause === "held";
      if (!continuesElsewhere) return presentJson({ runId, state, ...known() }, outcome);
      const begun = known();
      return begun.events.length === 0 ? answer(runId) : answerFrom(runId, begun);
    },

    answer,

    async answerWithFollowUps(runId) {
      const result = await answer(runId);
      const { agentId = "" } = (await executions.find(runId)) ?? {};
      return { ...result, ...toFollowUpText(await followUps.suggest(runId, () => getForRun(agentId))) };
    },

    async visitedAgent(runId) {
      const run = await executions.find(runId);
      const isVisitors = run?.chatType === "EXTERNAL" && reaches(reachOf(undefined), run);
      return isVisitors ? run.agentId : undefined;
    },
  };
}

/** Whether a stream ends there: the run has ended, or waits for a human, or for a long time. */
function isPaused(events: readonly RunEvent[]): boolean {
  const last = events.at(-1);
  return last !== undefined && endsAnswer(last);
}

export type FollowDeps = { broadcast: Pick<RunBroadcast, "follow">; attach: Pick<AttachService, "goOn"> };

export type Followed = { runId: string; writer: FrameWriter; afterSeq: number };

/** Streams a run of this process, and continues from its journal if the process loses the run before its end. */
export function followHere({ broadcast, attach }: FollowDeps, stream: EventStream, followed: Followed): void {
  const { runId, writer } = followed;
  let { afterSeq } = followed;
  let isOver = false;
  const stopFollowing = broadcast.follow(runId, {
    events(events) {
      afterSeq = events.at(-1)?.seq ?? afterSeq;
      stream.send(writer.events(events));
    },
    delta: (delta) => stream.send(writer.delta(delta)),
    left() {
      // This process may take the run over again: from now on only the journal counts.
      stopFollowing();
      if (!isOver) attach.goOn(stream, writer, { runId, afterSeq });
    },
  });
  stream.onceOver(() => {
    isOver = true;
    stopFollowing();
  });
}

/** Appends a batch of any length to a list. Spread as arguments, a long one would overflow the stack. */
export function collect<T>(list: T[], batch: readonly T[]): void {
  for (const item of batch) list.push(item);
}

/** The caller that asks for a stream, as far as its share of streams is concerned. */
export type StreamCaller = Pick<Caller, "owner" | "network">;

/**
 * The open streams of this process. Opens one for a caller until nothing is buffered for it, or throws
 * `streams-at-capacity`: callers share the available streams, and all visitors together have half of them.
 */
export type OpenStreams = {
  open(caller: StreamCaller, options?: Partial<StreamOptions>): EventStream;
};

export function createOpenStreams(total: number): OpenStreams {
  const places = createPlaces({ total });
  return {
    open(caller, options) {
      const share = callerShareOf(caller);
      if (!places.take(share)) {
        throw new WeftError("streams-at-capacity", { params: { count: places.heldBy(share), retryAfterSeconds: 5 } });
      }
      const stream = createEventStream(options);
      stream.onceDrained(() => places.give(share));
      return stream;
    },
  };
}
