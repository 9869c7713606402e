import type { Clock, IdSource } from "@weft/engine";
import { WeftError } from "@weft/schema";
import type { Caller } from "../predictions/admit.ts";
import type { Ask } from "../predictions/ask.ts";
import type { PredictionService } from "../predictions/prediction.service.ts";
import type { ServedAgent, ServedAgents } from "../served-agents/served-agents.service.ts";
import type { ChatCompletion, ChatCompletionRequest, CompletionFacts, ServedModel } from "./chat-completion.ts";
import { createCompletionStream } from "./completion-stream.ts";
import { openAiFailure } from "./openai-failure.ts";
import { toCompletion } from "./to-completion.ts";
import { toQuestion } from "./to-question.ts";

export type CompletionRequest = {
  body: ChatCompletionRequest;
  caller: Caller;
  /** Aborted when the client goes away: then the run is cancelled, because nobody could ask for its answer. */
  signal: AbortSignal;
};

/** Agents as models of OpenAI's API. Functions that take an id reject with `not-found` and `api-key-wrong`. */
export type CompletionService = {
  /** Those that the caller may use, deployed ones first. */
  models(caller: Caller): Promise<ServedModel[]>;
  model(id: string, caller: Caller): Promise<ServedModel>;
  /** A failure of the run itself is an answer that tells clients not to repeat it: it may have had effects. */
  complete(request: CompletionRequest): Promise<ChatCompletion | Response>;
};

export type CompletionServiceDeps = {
  agents: ServedAgents;
  predictions: Pick<PredictionService, "begin" | "openStream">;
  clock: Pick<Clock, "now">;
  ids: IdSource;
};

export function createCompletionService({ agents, predictions, clock, ids }: CompletionServiceDeps): CompletionService {
  async function answer(ask: Ask, facts: CompletionFacts, signal: AbortSignal): Promise<ChatCompletion | Response> {
    const run = await predictions.begin(ask);
    if (signal.aborted) run.cancel();
    signal.addEventListener("abort", run.cancel, { once: true });
    try {
      return toCompletion(facts, await run.result);
    } catch (error) {
      if (!(error instanceof WeftError)) throw error;
      const { status } = error;
      return Response.json(openAiFailure.toBody(error, status), { status, headers: { "x-should-retry": "false" } });
    }
  }

  async function stream(ask: Ask, facts: CompletionFacts, includeUsage: boolean): Promise<Response> {
    const completion = createCompletionStream(facts, {
      includeUsage,
      open: (options) => predictions.openStream(ask.caller, options),
    });
    const run = await predictions.begin(ask, completion.frames).catch((error) => {
      completion.fail(error);
      throw error;
    });
    completion.onceLeft(run.cancel);
    run.result.then(completion.finish, completion.fail);
    return completion.response;
  }

  return {
    models: async (caller) => (await agents.list(caller)).map((served) => toModel(served.slug, served)),
    model: async (id, caller) => toModel(id, await agents.find(id, caller)),
    async complete({ body, caller, signal }) {
      const { agent } = await agents.find(body.model, caller);
      const runId = ids.uuid();
      const request = { ...toQuestion(body), chatId: ids.uuid() };
      const ask: Ask = { agentId: agent.id, request, caller, chatType: "EXTERNAL", newId: runId };
      const created = Math.floor(clock.now() / 1_000);
      const facts = { id: `chatcmpl-${runId}`, created, model: body.model };
      if (body.stream !== true) return answer(ask, facts, signal);
      return stream(ask, facts, body.stream_options?.include_usage === true);
    },
  };
}

function toModel(id: string, { agent }: ServedAgent): ServedModel {
  return { id, object: "model", created: Math.floor(Date.parse(agent.createdDate) / 1_000), owned_by: "weft" };
}
