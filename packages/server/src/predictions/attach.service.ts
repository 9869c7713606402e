import { applyEvent, emptyRunState, type RunHandle } from "@weft/engine";
import { type EventStream, everything, type Reach, reaches, reachOf } from "@weft/http";
import type { ExecutionService, LoadedExecution, RunTail } from "@weft/run-host";
import { isTerminalEvent, type PredictionResult, type RunEvent } from "@weft/schema";
import { type AdmitDeps, assertKey, type Caller } from "./admit.ts";
import { collect } from "./beginnings.ts";
import type { OpenStreams, StreamCaller } from "./open-streams.ts";
import { type Answered, goesOn, presentJson } from "./present-json.ts";
import { createFrameWriter, type FrameWriter } from "./stream-frames.ts";
import { parseEventId } from "./stream-position.ts";

export type AttachServiceDeps = Pick<AdmitDeps, "getForRun"> & {
  executions: Pick<ExecutionService, "load" | "find">;
  tail: RunTail;
  streams: OpenStreams;
};

export type Reconnect = {
  runId: string;
  /** Id of the last frame that the client has. Absent: from the start. */
  lastEventId?: string | undefined;
  caller: StreamCaller;
  /** Whose runs may be read. */
  reach: Reach;
  /** Somebody without credentials, who needs the agent's key where one is bound. */
  visitor?: Caller;
};

/** Answers for runs that were begun before: running here or elsewhere, waiting to be taken over, or ended. */
export type AttachService = {
  /**
   * The stream of a run until it ends or waits for a human: from its start, or what follows the client's last frame.
   * Whoever has the last frame of a wait gets what follows the answer, and nothing before there is one. Rejects with
   * `not-found`, and with `parameters-invalid` when that is no frame of this run.
   */
  stream(reconnect: Reconnect): Promise<Response>;
  /**
   * As the prediction that began the run, answers or rejects when the run ends or waits; with `run-goes-on` when that
   * cannot be waited for here.
   */
  answer(runId: string): Promise<PredictionResult>;
  /** As `presentJson`, when the run is over here; if this process has lost it, from the process that continues it. */
  answerOf(handle: RunHandle, known: () => Pick<Answered, "flow" | "events">): Promise<PredictionResult>;
  /** Goes on with a stream of a run that this process has lost, from the process that continues the run. */
  goOn(stream: EventStream, writer: FrameWriter, at: { runId: string; afterSeq: number }): void;
  /** The agent that a visitor's run asks; undefined for runs of others, and unknown ones. */
  visitedAgent(runId: string): Promise<string | undefined>;
};

export function createAttachService({ executions, tail, getForRun, streams }: AttachServiceDeps): AttachService {
  /** Sends what is in the journal as fast as the client reads, then goes on with what happens. */
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
    const { flow, events: known } = await executions.load(runId, everything).catch((cause: unknown) => {
      throw goesOn(runId, cause);
    });
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
      const stream = streams.open(caller);
      stream.send(missed);
      if (isPaused(events) && rest.length === 0) stream.end();
      else replay(stream, writer, { ...loaded, events: rest }).catch(stream.cut);
      return stream.response;
    },

    goOn,

    async answerOf(handle, known) {
      const { runId, state } = handle;
      const outcome = await handle.done.catch(() => "lost" as const);
      if (outcome !== "lost" && outcome !== "stopped") return presentJson({ runId, state, ...known() }, outcome);
      return answer(runId);
    },

    answer,

    async visitedAgent(runId) {
      const run = await executions.find(runId);
      const isVisitors = run?.chatType === "EXTERNAL" && reaches(reachOf(undefined), run);
      return isVisitors ? run.agentId : undefined;
    },
  };
}

/** Whether a stream ends there: the run has ended, or waits for a human. */
function isPaused(events: readonly RunEvent[]): boolean {
  const last = events.at(-1);
  return last !== undefined && (isTerminalEvent(last) || last.type === "run-suspended");
}
