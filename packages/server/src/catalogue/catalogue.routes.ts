import { formSchemaOf, type NodeRegistry } from "@weft/engine";
import { jsonObjectSchema } from "@weft/schema";
import { z } from "zod";
import { defineRoute, type Route } from "../http/define-route.ts";

const nodeTypeSchema = z
  .object({
    type: z.string(),
    version: z.number(),
    title: z.string(),
    summary: z.string(),
    group: z.string(),
    config: jsonObjectSchema.meta({ description: "JSON Schema of the node's config, with form hints." }),
  })
  .meta({ id: "NodeType" });

/** What a flow can be built from. */
export function catalogueRoutes(registry: NodeRegistry): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/nodes",
      operationId: "listNodeTypes",
      summary: "List the node types",
      tag: "Catalogue",
      permission: "agents:read",
      returns: { schema: z.array(nodeTypeSchema) },
      errors: [],
      handle: () =>
        Object.values(registry).map((node) => ({
          type: node.type,
          version: node.version,
          title: node.title,
          summary: node.summary,
          group: node.group,
          config: formSchemaOf(node),
        })),
    }),
  ];
}
