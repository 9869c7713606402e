import type { ConversationService } from "@weft/chats";
import type { WallClock } from "@weft/engine/ports/clock";
import type { EventStream, Frame } from "@weft/http/event-stream";
import { everything } from "@weft/http/identity";
import { asksForMessages } from "@weft/nodes";
import {
  type AnswerRequest,
  type AnswerService,
  type DrivenRun,
  type NewRun,
  type RunBroadcast,
  type RunService,
  shareOf,
  type WithoutRun,
} from "@weft/run-host";
import { type HumanInput, type PredictionRequest, type PredictionResult, type RunEvent, WeftError } from "@weft/schema";
import type { Place } from "@weft/workers";
import { assertUnguessable } from "../access/index.ts";
import {
  type AttachService,
  type AttachServiceDeps,
  collect,
  createAttachService,
  createOpenStreams,
  followHere,
  type OpenStreams,
  type StreamCaller,
} from "./attach.service.ts";
import type { AutoPlay } from "./auto-play.ts";
import { assertKey, type Caller } from "./caller.ts";
import { type DraftRunDeps, toDraftRun } from "./draft-run.ts";
import { type FollowUps, toFollowUpText, withFollowUps } from "./follow-ups.service.ts";
import { toMeant } from "./meant-request.ts";
import { type Message, type NewRunDeps, toNewRun } from "./message.ts";
import { assertAgentAnswers, findPerson, receiveMessage, toNotice, toNoticeFrames } from "./messages-for-people.ts";
import { createFrameWriter } from "./stream-frames.ts";

export type PredictionsDeps = NewRunDeps &
  DraftRunDeps &
  Omit<AttachServiceDeps, "streams"> & {
    runs: RunService;
    broadcast: RunBroadcast;
    answers: AnswerService;
    followUps: FollowUps;
    autoPlay: AutoPlay;
    conversations: ConversationService;
    clock: WallClock;
    /** Open at once, of all callers. */
    maxStreams: number;
  };

export type PredictionService = {
  /**
   * A place in the order of its session for a message that has more to read. Undefined for requests that start no run,
   * and for a session of its own.
   */
  arrive(message: Pick<Message, "agentId" | "request"> & { caller: Pick<Caller, "owner"> }): Place | undefined;
  /**
   * Resolves with the answer to a message, or rejects with its run's failure; with `streaming` resolves with the stream
   * once the run is accepted. A `humanInput`, or the label of a button beside its action, resumes the run that waits
   * for it, and so does a message in a chat with a question that accepts messages.
   */
  predict(message: Message): Promise<PredictionResult | Response>;
  /** The answer or stream of the run that an equal request started under this id (G9); undefined if there is none. */
  recall(
    runId: string,
    repeated: { request: PredictionRequest; caller: StreamCaller },
  ): Promise<PredictionResult | Response | undefined>;
  /**
   * Admits a message whose answer has its own format. Resolves once the run is durable; `onFrames` receives its stream,
   * unless another process started it first.
   */
  admit(message: Message, onFrames?: FrameListener): Promise<Prediction>;
  /** For clients of other protocols; see `OpenStreams`. */
  openStream: OpenStreams["open"];
};

/** An accepted run. `result` rejects with the run's failure. */
export type Prediction = { runId: string; result: Promise<PredictionResult>; cancel(): void };

type FrameListener = (frames: readonly Frame[]) => void;

export function createPredictions(deps: PredictionsDeps): { predictions: PredictionService; attach: AttachService } {
  const { executions, tail, getForRun, followUps } = deps;
  const streams = createOpenStreams(deps.maxStreams);
  const attach = createAttachService({ executions, tail, getForRun, followUps, streams });
  return { predictions: createPredictionService({ ...deps, attach, streams }), attach };
}

type PredictionServiceDeps = PredictionsDeps & { attach: AttachService; streams: OpenStreams };

function createPredictionService(deps: PredictionServiceDeps): PredictionService {
  const { runs, broadcast, attach, streams } = deps;

  const arrive: PredictionService["arrive"] = (message) => {
    const session = sessionOf(message);
    return session && runs.arrive(session);
  };

  const assertInTime = ({ agentId, caller }: Message) => runs.assertInTime(shareOf({ agentId, ...caller }));

  function admitMessage(message: Asking, how: { live: boolean; begun(run: DrivenRun): void }) {
    const { runId: fixedId, place = arrive(message) } = message;
    return runs.admitMessage({ ...how, fixedId, place, prepare: () => prepareRun(deps, { ...message, place }) });
  }

  async function answer(message: Asking): Promise<PredictionResult | AnsweredWait> {
    const { events, begun, stop } = createCollector(broadcast);
    const admitted = await admitMessage(message, { live: false, begun });
    if ("received" in admitted) return toNotice(admitted.received);
    if ("waitId" in admitted) return admitted;
    const { handle, flow, startedElsewhere } = admitted;
    message.signal?.addEventListener("abort", stop, { once: true });
    try {
      const result = (await startedElsewhere)
        ? await attach.answer(handle.runId)
        : await attach.answerOf(handle, () => ({ flow, events }));
      return await withSuggestions(deps, result, message.readAgent);
    } finally {
      stop();
    }
  }

  async function stream(message: Asking): Promise<Response | AnsweredWait> {
    const { caller } = message;
    const stream = openStream(deps, message);
    const admitted = await admitMessage(message, {
      live: true,
      begun({ handle: { runId }, flow }) {
        followHere({ broadcast, attach }, stream, { runId, writer: createFrameWriter({ runId, flow }), afterSeq: 0 });
      },
    }).catch((cause: unknown) => {
      stream.cut();
      throw cause;
    });
    if ("received" in admitted) {
      stream.send(toNoticeFrames(admitted.received));
      return stream.response;
    }
    if ("waitId" in admitted) {
      stream.cut();
      return admitted;
    }
    const { handle, startedElsewhere } = admitted;
    if (await startedElsewhere) {
      stream.cut();
      return attach.stream({ runId: handle.runId, caller, reach: everything });
    }
    await handle.accepted;
    return stream.response;
  }

  return {
    arrive,
    openStream: streams.open,
    async predict(sent) {
      const meant = { ...sent, request: toMeant(sent.request) };
      const message = withReader(deps, meant.request.draft === true ? toDraftRun(deps, meant) : meant);
      const humanInput = toHumanInput(message.request);
      if (humanInput) return resume(deps, { ...message, request: { ...message.request, humanInput } });
      assertInTime(message);
      return answerOrBegin(deps, message, isStreaming(message.request) ? stream : answer);
    },
    async recall(runId, { request, caller }) {
      if (!(await runs.recall(runId))) return undefined;
      if (isStreaming(request)) return attach.stream({ runId, caller, reach: everything });
      return attach.answerWithFollowUps(runId);
    },
    async admit(message, onFrames) {
      assertInTime(message);
      const events: RunEvent[] = [];
      let stopFollowing = (): void => undefined;
      const { runId: fixedId, place = arrive(message) } = message;
      const { handle, flow, startedElsewhere } = await runs.admit({
        fixedId,
        place,
        async prepare() {
          await assertAgentAnswers(deps, message);
          return toNewRun(deps, message);
        },
        live: onFrames !== undefined,
        begun(run) {
          stopFollowing = broadcast.follow(run.handle.runId, frameFollower(run, { events, onFrames }));
        },
      });
      const { runId } = handle;
      const result = startedElsewhere
        .then((isThere) => (isThere ? attach.answer(runId) : attach.answerOf(handle, () => ({ flow, events }))))
        .finally(stopFollowing);
      // Avoids an unhandled rejection; awaiting `result` still throws.
      result.catch(() => undefined);
      if (!(await startedElsewhere)) await handle.accepted;
      return { runId, result, cancel: handle.cancel };
    },
  };
}

/** Undefined for requests that start no run, and for a session of its own. */
function sessionOf({ agentId, request, caller: { owner } }: Parameters<PredictionService["arrive"]>[0]) {
  const { overrideConfig, chatId } = request;
  const sessionId = overrideConfig?.sessionId ?? chatId;
  return toHumanInput(request) === undefined && typeof sessionId === "string"
    ? { agentId, owner, sessionId }
    : undefined;
}

/** Collects the events of a run from its start here. */
function createCollector(broadcast: RunBroadcast) {
  const events: RunEvent[] = [];
  let stop = (): void => undefined;
  return {
    events,
    begun({ handle: { runId } }: DrivenRun): void {
      stop = broadcast.follow(runId, { events: (batch) => collect(events, batch) });
    },
    stop: () => stop(),
  };
}

function frameFollower(
  { handle: { runId }, flow }: DrivenRun,
  { events, onFrames }: { events: RunEvent[]; onFrames: FrameListener | undefined },
) {
  const writer = createFrameWriter({ runId, flow });
  return {
    events(batch: readonly RunEvent[]) {
      collect(events, batch);
      onFrames?.(writer.events(batch));
    },
    delta: (delta: Parameters<typeof writer.delta>[0]) => onFrames?.(writer.delta(delta)),
  };
}

function isStreaming({ streaming }: PredictionRequest): boolean {
  return streaming === true || streaming === "true";
}

type AnsweredWait = Extract<WithoutRun, { waitId: string }>;

/** A message whose agent is read on first use, and only once. */
type Asking = Message & Required<Pick<Message, "readAgent">>;

function withReader({ getForRun }: NewRunDeps, message: Message): Asking {
  const { agentId, readAgent = () => getForRun(agentId) } = message;
  let reading: ReturnType<typeof getForRun> | undefined;
  return {
    ...message,
    readAgent() {
      reading ??= readAgent();
      return reading;
    },
  };
}

/** The run of a message, or what the message does in its place. */
async function prepareRun(deps: PredictionServiceDeps, message: Asking): Promise<NewRun | WithoutRun> {
  const by = await findPerson(deps, message);
  if (by !== undefined) return receiveMessage(deps, await toNewRun(deps, message), { by, place: message.place });
  const asked = message.mayAnswer === true ? await findAsked(deps, message) : undefined;
  return asked ?? toNewRun(deps, message);
}

/** Resumes the run whose question a message answers; any other message starts one. */
async function answerOrBegin(
  deps: PredictionServiceDeps,
  message: Asking,
  begin: (message: Asking) => Promise<PredictionResult | Response | AnsweredWait>,
): Promise<PredictionResult | Response> {
  const begun = await begin({ ...message, mayAnswer: true });
  if (!("waitId" in begun)) return begun;
  const { request } = message;
  const humanInput = { type: "proceed", feedback: request.question ?? "" } as const;
  try {
    return await resume(deps, { ...message, request: { ...request, humanInput, action: { id: begun.waitId } } });
  } catch (refusal) {
    // Another message was faster: this one starts a run after all.
    if (!(refusal instanceof WeftError) || refusal.code !== "conflict") throw refusal;
    const again = await begin({ ...message, place: undefined });
    if ("waitId" in again) throw refusal;
    return again;
  }
}

/**
 * The answer to a question; undefined for any other request. Clients without support for `humanInput` send a button's
 * label as the question, beside the action that they were shown. Everything else in that action is ignored.
 */
function toHumanInput({ humanInput, action, question = "" }: PredictionRequest): HumanInput | undefined {
  if (humanInput !== undefined) return humanInput;
  const words = question.trim();
  const labels = Object.entries<unknown>({ ...(typeof action?.mapping === "object" ? action.mapping : {}) });
  const [button] = words === "" ? [] : (labels.find(([, label]) => label === words) ?? []);
  if (button === "approve") return { type: "proceed" };
  return button === "reject" ? { type: "reject" } : undefined;
}

/** The question of its chat that a message answers; undefined for a message that starts a run. */
async function findAsked(deps: PredictionServiceDeps, message: Asking): Promise<AnsweredWait | undefined> {
  const { agentId, request, caller, readAgent } = message;
  const { answers, compile } = deps;
  const { chatId, question = "" } = request;
  if (chatId === undefined || question.trim() === "") return undefined;
  const { versionId, flowData } = await readAgent();
  if (!asksForMessages(compile(versionId, flowData))) return undefined;
  const isVisitor = caller.isAnonymous ?? false;
  const waitId = await answers.questionForMessage({ agentId, chatId, by: caller, isVisitor });
  return waitId === undefined ? undefined : { waitId };
}

/**
 * The stream of an answer, with follow-up suggestions, and its recording if the agent reads answers aloud
 * automatically.
 */
function openStream(
  { streams, followUps, autoPlay }: PredictionServiceDeps,
  { caller, readAgent }: Pick<Asking, "caller" | "readAgent">,
): EventStream {
  return withFollowUps(
    streams.open(caller),
    (runId) => followUps.suggest(runId, readAgent),
    (metadata, stream) => autoPlay(metadata, stream, readAgent),
  );
}

/** The answer with follow-up suggestions, if the agent makes any. */
async function withSuggestions(
  { followUps }: PredictionServiceDeps,
  result: PredictionResult,
  readAgent: Asking["readAgent"],
): Promise<PredictionResult> {
  if (result.action !== undefined) return result;
  const prompts = await followUps.suggest(result.executionId, readAgent);
  return { ...result, ...toFollowUpText(prompts) };
}

/** A message that answers a question. */
type Resume = Pick<Asking, "caller" | "readAgent"> & { request: PredictionRequest & { humanInput: HumanInput } };

/**
 * Answers a waiting run, with the flow that it started with. Resolves with the run's next answer, or with its stream
 * once the answer is taken. Rejects like `AnswerService.answer`, and with the run's failure.
 */
async function resume(deps: PredictionServiceDeps, message: Resume): Promise<PredictionResult | Response> {
  const runnable = await message.readAgent();
  await assertKey(runnable, message.caller);
  const request = toAnswerRequest(message, runnable.agent.id);
  if (request.live) return resumeStream(deps, request, message);
  return withSuggestions(deps, await resumeAnswer(deps, request), message.readAgent);
}

async function resumeAnswer(
  { answers, attach, broadcast }: PredictionServiceDeps,
  request: AnswerRequest,
): Promise<PredictionResult> {
  const { events: later, begun, stop } = createCollector(broadcast);
  try {
    const { handle, flow, events } = await answers.answer(request, begun);
    return await attach.answerOf(handle, () => ({ flow, events: [...events, ...later] }));
  } finally {
    stop();
  }
}

async function resumeStream(deps: PredictionServiceDeps, request: AnswerRequest, message: Resume): Promise<Response> {
  const { answers, attach, broadcast } = deps;
  const stream = openStream(deps, message);
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
  const { humanInput, question, executionId, action, overrideConfig, chatId } = request;
  const sessionId = typeof overrideConfig?.sessionId === "string" ? overrideConfig.sessionId : undefined;
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
    live: isStreaming(request),
  };
}
