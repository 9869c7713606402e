import type { ChatModel } from "@weft/engine/ports/chat-model";
import { defineRoute, type Route } from "@weft/http";
import { streamWork } from "@weft/http/event-stream";
import { type Identity, ownerOf } from "@weft/http/identity";
import { type ModelAnswer, type ModelQuestion, modelQuestionSchema, WeftError } from "@weft/schema";
import { createPlaces } from "@weft/workers";
import { z } from "zod";
import type { Context } from "../context.ts";
import { defineFeature, type Needs } from "../feature.ts";

/** Asks models outside of runs, so that people can compare them. */
type Playground = {
  /** Finds the model. Rejects with `playground-at-capacity` and `model-not-configured`. */
  begin(question: ModelQuestion, identity: Identity): Promise<BegunAnswer>;
};

type BegunAnswer = {
  /** Asks it, once. Rejects with `model-…` if it fails. */
  answer(onText: (text: string) => void, signal: AbortSignal): Promise<ModelAnswer>;
};

export const playground = defineFeature({
  name: "playground",
  needs: ["nodeServices", "prices"],
  service: createPlayground,
  routes: (playground, _, { ids }) => [askRoute(playground, ids)],
});

/** Answers under way in a process. */
const places = 32;
const longestMs = 300_000;

function createPlayground({ clock }: Context, { nodeServices, prices }: Needs<"nodeServices" | "prices">): Playground {
  const open = createPlaces({ total: places });

  async function ask(model: ChatModel, { messages, parameters }: ModelQuestion, told: Told): Promise<ModelAnswer> {
    const startedAtMs = clock.now();
    let firstTokenMs: number | null = null;
    const onText = (text: string) => {
      firstTokenMs ??= clock.now() - startedAtMs;
      told.onText(text);
    };
    const { text, finishReason, usage } = await model.answer({ messages, parameters, onText, signal: told.signal });
    const costDollars = prices.costOf(model.id, usage) ?? null;
    const durationMs = clock.now() - startedAtMs;
    return { text, finishReason, usage, costDollars, firstTokenMs, durationMs, model: model.id };
  }

  return {
    async begin(question, identity) {
      const model = await nodeServices.models.resolve(question.model);
      const share = { name: ownerOf(identity), isAnonymous: false };
      if (!open.take(share)) throw new WeftError("playground-at-capacity", { params: { retryAfterSeconds: 5 } });
      return {
        async answer(onText, leaving) {
          // The limits for models end most calls earlier.
          const signal = AbortSignal.any([leaving, AbortSignal.timeout(longestMs)]);
          try {
            return await ask(model, question, { onText, signal });
          } finally {
            open.give(share);
          }
        },
      };
    },
  };
}

type Told = { onText(text: string): void; signal: AbortSignal };

function askRoute(playground: Playground, ids: Context["ids"]): Route {
  return defineRoute({
    method: "POST",
    path: "/api/v1/models/answers",
    operationId: "askModel",
    audit: false,
    summary: "Ask a model outside of a run, as a stream of server-sent events",
    description:
      "For comparing models: `token` events with pieces of the text, then `answer` with the whole text, its time, tokens and cost, or `error`. Nothing is stored. Closing the connection ends the call. The model's vendor charges for the tokens.",
    tag: "Models",
    permission: "agents:write",
    body: modelQuestionSchema,
    bodyErrorStatus: 422,
    returns: { schema: z.string(), contentType: "text/event-stream" },
    errors: [400, 422, 500],
    async handle({ body, identity, signal }) {
      const begun = await playground.begin(body, identity);
      return streamWork({
        id: ids.uuid(),
        signal,
        run: async (send, running) => send("answer", await begun.answer((text) => send("token", text), running)),
      });
    },
  });
}
