import type { ModelReference } from "@weft/engine";
import { defineRoute, type Route } from "@weft/http";
import { type ChatProvider, chatProviders } from "@weft/providers";
import { defaultModelSchema, type ModelTrial, modelChoiceSchema, modelTrialSchema } from "@weft/schema";
import { z } from "zod";
import type { DefaultModelService } from "./default-model.service.ts";

export type ModelRouteDeps = DefaultModelService & {
  tryModel(reference: ModelReference, signal: AbortSignal): Promise<ModelTrial>;
};

const tag = "Models";

const modelProviderSchema = z
  .object({
    name: z.string().meta({ description: "As a flow names it" }),
    title: z.string(),
    summary: z.string(),
    isDefault: z.boolean().meta({ description: "Whether it answers where a flow names no model" }),
    acceptsImages: z.boolean().meta({ description: "Whether pictures can be sent to its models" }),
    models: z.array(z.string()).meta({ description: "Suggested models, the default first; any other may be named" }),
    credentialFields: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        help: z.string().optional(),
        secret: z.boolean(),
        required: z.boolean(),
      }),
    ),
  })
  .meta({ id: "ModelProvider" });

/** Which models a flow can name, and which answers a flow that names none. */
export function modelRoutes(models: ModelRouteDeps): Route[] {
  return [...readRoutes(models), ...choiceRoutes(models), trialRoute(models)];
}

function readRoutes(models: ModelRouteDeps): Route[] {
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
      handle: async () => toProviders(await models.findProvider()),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/models/default",
      operationId: "getDefaultModel",
      summary: "Which model answers where a flow names none",
      tag,
      permission: "agents:read",
      agent: "reach",
      returns: { schema: defaultModelSchema },
      errors: [],
      handle: () => models.get(),
    }),
  ];
}

function toProviders(defaultProvider: string) {
  return Object.values<ChatProvider>(chatProviders).map(({ models: names, credentialFields, ...provider }) => ({
    ...provider,
    isDefault: provider.name === defaultProvider,
    models: [...names],
    credentialFields: [...credentialFields],
  }));
}

function choiceRoutes(models: ModelRouteDeps): Route[] {
  return [
    defineRoute({
      method: "PUT",
      path: "/api/v1/models/default",
      operationId: "chooseDefaultModel",
      summary: "Choose which model answers where a flow names none",
      description: "The choice goes before what the server's environment names. Every flow may use its credential.",
      tag,
      permission: "credentials:write",
      body: modelChoiceSchema,
      returns: { schema: defaultModelSchema },
      errors: [400],
      handle: ({ body }) => models.choose(body),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/v1/models/default",
      operationId: "resetDefaultModel",
      summary: "Let the server's environment name the default model again",
      tag,
      permission: "credentials:write",
      returns: { schema: defaultModelSchema },
      errors: [],
      handle: () => models.reset(),
    }),
  ];
}

function trialRoute(models: ModelRouteDeps): Route {
  return defineRoute({
    method: "POST",
    path: "/api/v1/models/test",
    operationId: "testModel",
    summary: "Ask a model for one word",
    description: "Finds out whether a provider, its address and its credential work. It costs what the vendor takes.",
    tag,
    permission: "credentials:write",
    body: modelChoiceSchema,
    returns: { schema: modelTrialSchema },
    errors: [400],
    handle: ({ body, signal }) => models.tryModel(body, signal),
  });
}
