import type { ModelReference, ModelResolver } from "@weft/engine/ports/chat-model";
import type { WallClock } from "@weft/engine/ports/clock";
import { defineRoute, type Route } from "@weft/http";
import { type ModelDefaults, needsSpeechCredential, parametersOf, providers } from "@weft/providers";
import {
  defaultModelSchema,
  type ModelTrial,
  modelChoiceSchema,
  modelParameterNames,
  modelTrialSchema,
  WeftError,
} from "@weft/schema";
import { z } from "zod";
import type { Context } from "../context.ts";
import { defineFeature, type Needs } from "../feature.ts";
import { createDefaultModelService, type DefaultModelService } from "./default-model.service.ts";

declare module "../feature.ts" {
  interface Services {
    defaultModel: DefaultModelService;
  }
}

export const defaultModel = defineFeature({
  name: "defaultModel",
  needs: ["credentials"],
  service: createDefaultModelService,
});

export const models = defineFeature({
  name: "models",
  needs: ["defaultModel", "nodeServices"],
  routes: modelRoutes,
});

const tag = "Models";

const modelProviderSchema = z
  .object({
    name: z.string().meta({ description: "Name used in flows" }),
    title: z.string(),
    summary: z.string(),
    isDefault: z.boolean().meta({ description: "Whether it is used when a flow does not specify a model" }),
    acceptsImages: z.boolean().meta({ description: "Whether its models accept images" }),
    models: z
      .array(z.string())
      .meta({ description: "Suggested models, default first; other models can be used as well" }),
    parameters: z
      .array(z.enum(modelParameterNames))
      .meta({ description: "Parameters that its models take; a model may leave out some of them" }),
    credentialFields: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        help: z.string().optional(),
        secret: z.boolean(),
        required: z.boolean(),
      }),
    ),
    speech: z
      .object({
        service: z.string().meta({ description: "Name used in an agent's `speechToText`" }),
        model: z.string().meta({ description: "Used unless the settings name another" }),
        takesAddress: z.boolean().meta({ description: "Whether the settings must have a `baseUrl`" }),
        needsCredential: z
          .boolean()
          .meta({ description: "Whether it can only be used with a credential: the server has no key for it" }),
      })
      .optional()
      .meta({ description: "Present for providers that turn speech into text" }),
  })
  .meta({ id: "ModelProvider" });

/** The models that a flow can name, and the default model. */
function modelRoutes(
  _: unknown,
  { defaultModel, nodeServices }: Needs<"defaultModel" | "nodeServices">,
  { clock, modelDefaults }: Context,
): Route[] {
  return [
    ...readRoutes(defaultModel, modelDefaults),
    ...choiceRoutes(defaultModel),
    trialRoute(nodeServices.models, clock),
  ];
}

function readRoutes(models: DefaultModelService, defaults: ModelDefaults): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/models",
      operationId: "listModelProviders",
      summary: "List the model providers",
      tag,
      permission: "agents:read",
      agent: "reach",
      returns: { schema: z.array(modelProviderSchema) },
      errors: [],
      handle: async () => toProviders(await models.findProvider(), defaults),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/models/default",
      operationId: "getDefaultModel",
      summary: "Get the default model",
      tag,
      permission: "agents:read",
      agent: "reach",
      returns: { schema: defaultModelSchema },
      errors: [],
      handle: () => models.get(),
    }),
  ];
}

function toProviders(defaultProvider: string, defaults: ModelDefaults) {
  return providers.flatMap((provider) => {
    if (provider.chat === undefined) return [];
    const { models: names, credentialFields, parameters: _, ...chat } = provider.chat;
    const speech = toSpeech(provider, defaults);
    return {
      ...chat,
      isDefault: chat.name === defaultProvider,
      models: [...names],
      parameters: parametersOf(provider.chat),
      credentialFields: [...credentialFields],
      ...(speech && { speech }),
    };
  });
}

function toSpeech(provider: (typeof providers)[number], defaults: ModelDefaults) {
  if (provider.speech === undefined) return undefined;
  const { name: service, model, takesAddress = false } = provider.speech;
  return { service, model, takesAddress, needsCredential: needsSpeechCredential(provider, defaults) };
}

function choiceRoutes(models: DefaultModelService): Route[] {
  return [
    defineRoute({
      method: "PUT",
      path: "/api/v1/models/default",
      operationId: "chooseDefaultModel",
      summary: "Set the default model",
      description:
        "The model used when a flow does not specify one. It takes precedence over the server's environment. Every flow can use its credential.",
      tag,
      permission: "credentials:write",
      confirms: "model",
      body: modelChoiceSchema,
      returns: { schema: defaultModelSchema },
      errors: [400],
      handle: ({ body }) => models.choose(body),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/v1/models/default",
      operationId: "resetDefaultModel",
      summary: "Reset the default model to the one from the server's environment",
      tag,
      permission: "credentials:write",
      returns: { schema: defaultModelSchema },
      errors: [],
      handle: () => models.reset(),
    }),
  ];
}

function trialRoute(models: ModelResolver, clock: WallClock): Route {
  return defineRoute({
    method: "POST",
    path: "/api/v1/models/test",
    operationId: "testModel",
    audit: false,
    summary: "Test a model",
    description:
      "Asks the model for one word to check that the provider, its address and its credential work. The vendor may charge for the call.",
    tag,
    permission: "credentials:write",
    body: modelChoiceSchema,
    returns: { schema: modelTrialSchema },
    errors: [400],
    handle: async ({ body, signal }) => {
      const startedAtMs = clock.now();
      return { ...(await tryModel(models, body, signal)), durationMs: clock.now() - startedAtMs };
    },
  });
}

/** Nobody waits longer at a form. */
const timeoutMs = 20_000;

/** Room for a word, also for a model that thinks before it answers. */
const maxTokens = 64;

const messages = [{ role: "user" as const, content: 'Answer with the one word "ready".' }];

/**
 * Asks a model for one word. An error of the vendor or the network is the answer, not a failure; rejects when `signal`
 * aborts.
 */
async function tryModel(
  models: ModelResolver,
  reference: ModelReference,
  signal: AbortSignal,
): Promise<Omit<ModelTrial, "durationMs">> {
  const timeout = AbortSignal.timeout(timeoutMs);
  let id = "";
  try {
    const model = await models.resolve(reference);
    id = model.id;
    const { text } = await model.answer({
      messages,
      parameters: { maxTokens },
      signal: AbortSignal.any([signal, timeout]),
    });
    return { ok: true, model: id, message: text.slice(0, 500) };
  } catch (cause) {
    signal.throwIfAborted();
    if (timeout.aborted) return { ok: false, model: id, message: `No answer came in ${timeoutMs / 1_000} s.` };
    if (!(cause instanceof WeftError)) throw cause;
    return { ok: false, model: id, message: cause.message };
  }
}
