import { assertUnguessable } from "@weft/http";
import type { HumanInput, PredictionRequest, PredictionResult, RunEvent } from "@weft/schema";
import type { AnswerRequest, AnswerService } from "../runs/answer.service.ts";
import type { RunBroadcast } from "../runs/run-broadcast.ts";
import { type AdmitDeps, assertKey, type Caller } from "./admit.ts";
import type { AttachService } from "./attach.service.ts";
import { collect } from "./collect.ts";
import { followHere } from "./follow-here.ts";
import type { OpenStreams } from "./open-streams.ts";
import { createFrameWriter } from "./stream-frames.ts";

export type ResumePredictionDeps = Pick<AdmitDeps, "getForRun"> & {
  answers: AnswerService;
  attach: Pick<AttachService, "answerOf" | "goOn">;
  broadcast: RunBroadcast;
  streams: OpenStreams;
};

/** A prediction that answers a question. */
export type Resume = {
  agentId: string;
  request: PredictionRequest & { humanInput: HumanInput };
  caller: Caller;
};

/**
 * Answers a run that waits, with the flow that it began with. Resolves with what the run says next, or with the stream
 * of it once the answer is taken. Rejects as `AnswerService.answer`, and with what the run failed with.
 */
export async function resumePrediction(
  deps: ResumePredictionDeps,
  resume: Resume,
): Promise<PredictionResult | Response> {
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
