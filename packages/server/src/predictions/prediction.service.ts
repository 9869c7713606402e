import type { RunHandle } from "@weft/engine";
import { assertUnguessable, everything, type Frame } from "@weft/http";
import type {
  AnswerRequest,
  AnswerService,
  BeginRun,
  ExecutionService,
  RunBroadcast,
  RunService,
} from "@weft/run-host";
import type { HumanInput, PredictionRequest, PredictionResult, RunEvent } from "@weft/schema";
import { createLines, type Place } from "@weft/workers";
import { type AdmitDeps, assertKey, type Caller } from "./admit.ts";
import type { Ask } from "./ask.ts";
import type { AttachService } from "./attach.service.ts";
import { collect, createBeginnings } from "./beginnings.ts";
import { followHere } from "./follow-here.ts";
import type { OpenStreams, StreamCaller } from "./open-streams.ts";
import { type PreparedRun, type PrepareRunDeps, prepareRun } from "./prepare-run.ts";
import { createFrameWriter } from "./stream-frames.ts";

export type PredictionServiceDeps = PrepareRunDeps &
  Pick<ResumePredictionDeps, "answers"> & {
    runs: RunService;
    broadcast: RunBroadcast;
    attach: AttachService;
    streams: OpenStreams;
    executions: Pick<ExecutionService, "find">;
  };

export type PredictionService = {
  /**
   * A place in the line of the message's session, until its run has begun. Undefined for what begins no run, and for a
   * session of its own.
   */
  arrive(message: Pick<Ask, "agentId" | "request"> & { caller: Pick<Caller, "owner"> }): Place | undefined;
  /**
   * Begins a run, durably. Resolves with its answer, or rejects with what it failed with; with `streaming` resolves with
   * the stream once the run is accepted.
   */
  ask(ask: Ask): Promise<PredictionResult | Response>;
  /** The answer or stream of the run that an equal request began under this id (G9); undefined when there is none. */
  recall(
    runId: string,
    repeated: { request: PredictionRequest; caller: StreamCaller },
  ): Promise<PredictionResult | Response | undefined>;
  /** Begins a run for a client that speaks another protocol. Resolves once it is durable; `onFrames` hears its stream. */
  begin(ask: Ask, onFrames?: FrameListener): Promise<BegunRun>;
  /** For a client that speaks another protocol; see `OpenStreams`. */
  openStream: OpenStreams["open"];
};

export function createPredictionService(deps: PredictionServiceDeps): PredictionService {
  const { runs, broadcast, attach, streams, executions } = deps;
  const beginnings = createBeginnings();
  const lines = createLines();

  const arrive: PredictionService["arrive"] = ({ agentId, request, caller: { owner } }) => {
    const { humanInput, overrideConfig, chatId } = request;
    const session = overrideConfig?.sessionId ?? chatId;
    if (humanInput !== undefined || session === undefined) return undefined;
    return lines.enter(`${agentId.toLowerCase()}/${owner}/${session}`);
  };

  /**
   * Begins a run, without waiting, as soon as it is prepared and the messages before it have begun theirs: what is read
   * for one message may take longer than what is read for the next.
   */
  async function inTurn<T>(ask: Ask, begin: (run: PreparedRun) => T | Promise<T>): Promise<T> {
    const place = ask.place ?? arrive(ask);
    try {
      const run = await prepareRun(deps, ask);
      await place?.turn;
      return begin(run);
    } finally {
      place?.leave();
    }
  }

  /** Whether another process, with the same request at the same moment, was first to begin the run. */
  async function isTaken({ accepted }: RunHandle, { newId }: Ask): Promise<boolean> {
    if (newId === undefined) return false;
    try {
      await accepted;
      return false;
    } catch (cause) {
      if ((await executions.find(newId)) === undefined) throw cause;
      return true;
    }
  }

  async function answer(ask: Ask, accepted: (run: Promise<unknown>) => void): Promise<PredictionResult> {
    const events: RunEvent[] = [];
    const { handle, flow, stopFollowing } = await inTurn(ask, ({ runId, ...run }) => ({
      flow: run.flow,
      handle: runs.begin({ ...run, runId, live: false }),
      stopFollowing: broadcast.follow(runId, { events: (batch) => collect(events, batch) }),
    }));
    const { runId } = handle;
    ask.signal?.addEventListener("abort", stopFollowing, { once: true });
    const taken = isTaken(handle, ask);
    accepted(taken);
    try {
      if (await taken) return await attach.answer(runId);
      return await attach.answerOf(handle, () => ({ flow, events }));
    } finally {
      stopFollowing();
    }
  }

  async function stream(ask: Ask, accepted: (run: Promise<unknown>) => void): Promise<Response> {
    const stream = streams.open(ask.caller);
    const handle = await inTurn(ask, ({ runId, flow, ...run }) => {
      const handle = runs.begin({ ...run, runId, flow, live: true });
      const writer = createFrameWriter({ runId, flow });
      followHere(deps, stream, { runId, writer, afterSeq: 0 });
      return handle;
    }).catch((cause: unknown) => {
      stream.cut();
      throw cause;
    });
    const taken = isTaken(handle, ask);
    accepted(taken);
    if (await taken) {
      stream.cut();
      return attach.stream({ runId: handle.runId, caller: ask.caller, reach: everything });
    }
    await handle.accepted;
    return stream.response;
  }

  return {
    arrive,
    openStream: streams.open,
    begin: (ask, onFrames) => inTurn(ask, (run) => beginRun(deps, run, onFrames)),
    async ask(ask) {
      const { agentId, request, caller } = ask;
      const { humanInput } = request;
      if (humanInput) return resumePrediction(deps, { agentId, request: { ...request, humanInput }, caller });
      return beginnings.track<PredictionResult | Response>(ask.newId, (accepted) =>
        isStreaming(request) ? stream(ask, accepted) : answer(ask, accepted),
      );
    },
    async recall(runId, { request, caller }) {
      await beginnings.wait(runId);
      if ((await executions.find(runId)) === undefined) return undefined;
      return isStreaming(request) ? attach.stream({ runId, caller, reach: everything }) : attach.answer(runId);
    },
  };
}

function isStreaming({ streaming }: PredictionRequest): boolean {
  return streaming === true || streaming === "true";
}

/** A run whose begin is durable. `result` rejects with what it failed with. */
type BegunRun = { runId: string; result: Promise<PredictionResult>; cancel(): void };

type FrameListener = (frames: readonly Frame[]) => void;

type BeginRunDeps = {
  runs: Pick<RunService, "begin">;
  broadcast: Pick<RunBroadcast, "follow">;
  attach: Pick<AttachService, "answerOf">;
};

/** Begins a run whose answer this process gives in a form of its own. `onFrames` hears its stream. */
async function beginRun(
  { runs, broadcast, attach }: BeginRunDeps,
  run: Omit<BeginRun, "live">,
  onFrames?: FrameListener,
): Promise<BegunRun> {
  const { runId, flow } = run;
  const handle = runs.begin({ ...run, live: onFrames !== undefined });
  const writer = createFrameWriter({ runId, flow });
  const events: RunEvent[] = [];
  const stopFollowing = broadcast.follow(runId, {
    events(batch) {
      collect(events, batch);
      onFrames?.(writer.events(batch));
    },
    delta: (delta) => onFrames?.(writer.delta(delta)),
  });
  const result = attach.answerOf(handle, () => ({ flow, events })).finally(stopFollowing);
  // Whoever waits for it hears of a failure; until then it may fail unheard.
  result.catch(() => undefined);
  await handle.accepted;
  return { runId, result, cancel: handle.cancel };
}

type ResumePredictionDeps = Pick<AdmitDeps, "getForRun"> & {
  answers: AnswerService;
  attach: Pick<AttachService, "answerOf" | "goOn">;
  broadcast: RunBroadcast;
  streams: OpenStreams;
};

/** A prediction that answers a question. */
type Resume = {
  agentId: string;
  request: PredictionRequest & { humanInput: HumanInput };
  caller: Caller;
};

/**
 * Answers a run that waits, with the flow that it began with. Resolves with what the run says next, or with the stream
 * of it once the answer is taken. Rejects as `AnswerService.answer`, and with what the run failed with.
 */
async function resumePrediction(deps: ResumePredictionDeps, resume: Resume): Promise<PredictionResult | Response> {
  const runnable = await deps.getForRun(resume.agentId);
  await assertKey(runnable, resume.caller);
  const request = toAnswerRequest(resume, runnable.agent.id);
  return request.live ? stream(deps, request, resume.caller) : answer(deps, request);
}

async function answer(
  { answers, attach, broadcast }: ResumePredictionDeps,
  request: AnswerRequest,
): Promise<PredictionResult> {
  const later: RunEvent[] = [];
  let stopFollowing = (): void => undefined;
  try {
    const { handle, flow, events } = await answers.answer(request, ({ handle: { runId } }) => {
      stopFollowing = broadcast.follow(runId, { events: (batch) => collect(later, batch) });
    });
    return await attach.answerOf(handle, () => ({ flow, events: [...events, ...later] }));
  } finally {
    stopFollowing();
  }
}

async function stream(
  { answers, attach, broadcast, streams }: ResumePredictionDeps,
  request: AnswerRequest,
  caller: Caller,
): Promise<Response> {
  const stream = streams.open(caller);
  try {
    await answers.answer(request, ({ handle: { runId }, flow, events: before }) => {
      const writer = createFrameWriter({ runId, flow });
      writer.events(before);
      followHere({ broadcast, attach }, stream, { runId, writer, afterSeq: before.at(-1)?.seq ?? 0 });
    });
  } catch (cause) {
    stream.cut();
    throw cause;
  }
  return stream.response;
}

function toAnswerRequest({ request, caller }: Resume, agentId: string): AnswerRequest {
  const { humanInput, question, executionId, action, overrideConfig, streaming } = request;
  const sessionId = typeof overrideConfig?.sessionId === "string" ? overrideConfig.sessionId : undefined;
  const { chatId } = request;
  if (caller.isAnonymous) assertUnguessable("overrideConfig.sessionId", sessionId);
  return {
    agentId,
    by: caller,
    chatId,
    executionId,
    waitId: action?.id,
    answer: humanInput,
    content: question,
    isVisitor: caller.isAnonymous ?? false,
    live: streaming === true || streaming === "true",
  };
}

export type BeginOnceDeps = {
  predictions: Pick<PredictionService, "begin">;
  executions: Pick<ExecutionService, "find">;
};

/** Begins a run and resolves when it is durable, whoever else begins it under the same id at the same moment. */
export async function beginOnce({ predictions, executions }: BeginOnceDeps, ask: Ask & { newId: string }) {
  try {
    await predictions.begin(ask);
  } catch (cause) {
    if ((await executions.find(ask.newId)) === undefined) throw cause;
  }
}
