import type { HumanInput, PredictionRequest, PredictionResult, RunEvent } from "@weft/schema";
import { assertUnguessable } from "../http/unguessable-ids.ts";
import type { AnswerRequest, AnswerService } from "../runs/answer.service.ts";
import type { RunBroadcast } from "../runs/run-broadcast.ts";
import { type AdmitDeps, assertKey, type Caller } from "./admit.ts";
import { presentJson } from "./present-json.ts";
import { createEventStream } from "./present-sse.ts";
import { createFrameWriter } from "./stream-frames.ts";

export type ResumePredictionDeps = Pick<AdmitDeps, "getForRun"> & {
  answers: AnswerService;
  broadcast: RunBroadcast;
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
  return request.live ? stream(deps, request) : answer(deps, request);
}

async function answer({ answers, broadcast }: ResumePredictionDeps, request: AnswerRequest): Promise<PredictionResult> {
  const later: RunEvent[] = [];
  let stopFollowing = (): void => undefined;
  try {
    const { handle, flow, events } = await answers.answer(request, ({ handle: { runId } }) => {
      stopFollowing = broadcast.follow(runId, { events: (batch) => later.push(...batch) });
    });
    const outcome = await handle.done;
    return presentJson({ runId: handle.runId, state: handle.state, flow, events: [...events, ...later] }, outcome);
  } finally {
    stopFollowing();
  }
}

async function stream({ answers, broadcast }: ResumePredictionDeps, request: AnswerRequest): Promise<Response> {
  const stream = createEventStream();
  try {
    await answers.answer(request, ({ handle: { runId }, flow, events: before }) => {
      const writer = createFrameWriter({ runId, flow });
      writer.events(before);
      const stopFollowing = broadcast.follow(runId, {
        events: (events) => stream.send(writer.events(events)),
        delta: (delta) => stream.send(writer.delta(delta)),
        left: stream.cut,
      });
      stream.onceOver(stopFollowing);
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
  const chatId = request.chatId ?? sessionId;
  if (caller.isAnonymous) assertUnguessable("overrideConfig.sessionId", sessionId);
  return {
    agentId,
    chatId,
    executionId,
    waitId: action?.id,
    answer: humanInput,
    content: question,
    live: streaming === true || streaming === "true",
  };
}
