import { formSchemaOf } from "@weft/engine";
import { defineRoute, type Route } from "@weft/http";
import type { IntegrationRegistry } from "@weft/integrations";
import { jsonObjectSchema } from "@weft/schema";
import { z } from "zod";

const integrationSchema = z
  .object({
    type: z.string().meta({ description: "Name used in flows" }),
    title: z.string(),
    summary: z.string(),
    group: z.string(),
    icon: z.string().optional().meta({ description: "Name of an icon" }),
    config: jsonObjectSchema.meta({ description: "JSON Schema of the integration's config, with form hints." }),
  })
  .meta({ id: "Integration" });

/** What an agent of a flow can call. */
export function integrationRoutes(registry: IntegrationRegistry): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/integrations",
      operationId: "listIntegrations",
      summary: "List the integrations",
      tag: "Catalogue",
      permission: "agents:read",
      agent: "reach",
      returns: { schema: z.array(integrationSchema) },
      errors: [],
      handle: () =>
        Object.values(registry).map((integration) => ({
          type: integration.type,
          title: integration.title,
          summary: integration.summary,
          group: integration.group,
          ...(integration.icon === undefined ? {} : { icon: integration.icon }),
          config: formSchemaOf(integration),
        })),
    }),
  ];
}
