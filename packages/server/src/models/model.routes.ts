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
    name: z.string().meta({ description: "Name used in flows" }),
    title: z.string(),
    summary: z.string(),
    isDefault: z.boolean().meta({ description: "Whether it is used when a flow does not specify a model" }),
    acceptsImages: z.boolean().meta({ description: "Whether its models accept images" }),
    models: z
      .array(z.string())
      .meta({ description: "Suggested models, default first; other models can be used as well" }),
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
      summary: "Set the default model",
      description:
        "The model used when a flow does not specify one. It takes precedence over the server's environment. Every flow can use its credential.",
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
      summary: "Reset the default model to the one from the server's environment",
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
    summary: "Test a model",
    description:
      "Asks the model for one word to check that the provider, its address and its credential work. The vendor may charge for the call.",
    tag,
    permission: "credentials:write",
    body: modelChoiceSchema,
    returns: { schema: modelTrialSchema },
    errors: [400],
    handle: ({ body, signal }) => models.tryModel(body, signal),
  });
}
