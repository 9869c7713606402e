import { defineRoute, type Route } from "@weft/http";
import { z } from "zod";
import { defineFeature } from "../feature.ts";
import { getTemplate, listTemplates, templateSchema, templateSummarySchema } from "./template.service.ts";

export const templates = defineFeature({ name: "templates", routes: templateRoutes });

const tag = "Catalogue";

/** Templates for new agents. */
function templateRoutes(): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/templates",
      operationId: "listTemplates",
      summary: "List the templates for new agents, without their flows",
      tag,
      permission: "agents:read",
      agent: "reach",
      returns: { schema: z.array(templateSummarySchema) },
      errors: [],
      handle: () => listTemplates(),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/templates/{id}",
      operationId: "getTemplate",
      summary: "Get a template with its flow",
      tag,
      permission: "agents:read",
      agent: "reach",
      params: z.object({ id: z.string().max(100) }),
      returns: { schema: templateSchema },
      errors: [404],
      handle: ({ params: { id } }) => getTemplate(id),
    }),
  ];
}
