import { formSchemaOf, type NodeRegistry } from "@weft/engine";
import { defineRoute, type Route } from "@weft/http";
import { jsonObjectSchema, portRuleSchema } from "@weft/schema";
import { z } from "zod";

const nodeTypeSchema = z
  .object({
    type: z.string(),
    version: z.number(),
    title: z.string(),
    summary: z.string(),
    group: z.string(),
    icon: z.string().meta({ description: "Name of its picture; a builder that has none shows the group's" }),
    outline: z.array(z.string()).meta({ description: "Fields of the config that say in a line what a node does" }),
    executes: z
      .boolean()
      .meta({ description: "Whether it is a step: others are notes, with no way in, out or to fail" }),
    hasSubFlow: z.boolean().meta({ description: "Whether nodes can lie inside of it" }),
    ports: z.array(portRuleSchema).meta({ description: "Which output ports a node has, by its config" }),
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
      agent: "reach",
      returns: { schema: z.array(nodeTypeSchema) },
      errors: [],
      handle: () =>
        Object.values(registry).map((node) => ({
          type: node.type,
          version: node.version,
          title: node.title,
          summary: node.summary,
          group: node.group,
          icon: node.icon,
          outline: [...node.outline],
          executes: node.executes,
          hasSubFlow: node.hasSubFlow,
          ports: [...node.portRules],
          config: formSchemaOf(node),
        })),
    }),
  ];
}
