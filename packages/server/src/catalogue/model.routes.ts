import { type ChatProvider, chatProviders } from "@weft/providers";
import { z } from "zod";
import { defineRoute, type Route } from "../http/define-route.ts";

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

/** Which models a flow can name. `defaultProvider`: the name of the one that answers a flow that names none. */
export function modelRoutes(models: { readonly defaultProvider: string }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/models",
      operationId: "listModelProviders",
      summary: "List the model providers",
      tag: "Catalogue",
      permission: "agents:read",
      returns: { schema: z.array(modelProviderSchema) },
      errors: [],
      handle: () =>
        Object.values<ChatProvider>(chatProviders).map(({ models: names, credentialFields, ...provider }) => ({
          ...provider,
          isDefault: provider.name === models.defaultProvider,
          models: [...names],
          credentialFields: [...credentialFields],
        })),
    }),
  ];
}
