import { formSchemaOf } from "@weft/engine";
import type { NodeRegistry } from "@weft/engine/node";
import { defineRoute, type Route } from "@weft/http";
import { type IntegrationRegistry, integrations as registry } from "@weft/integrations";
import { jsonObjectSchema, portRuleSchema, withUnavailable } from "@weft/schema";
import { z } from "zod";
import { defineFeature } from "../feature.ts";
import { readOperatorSettings } from "../models/model-defaults.ts";

export const nodeTypes = defineFeature({
  name: "nodeTypes",
  routes: (_, __, { config, nodeTypes }) => catalogueRoutes(nodeTypes, readOperatorSettings(config)),
});

export const integrations = defineFeature({ name: "integrations", routes: () => integrationRoutes(registry) });

const nodeTypeSchema = z
  .object({
    type: z.string(),
    version: z.number(),
    title: z.string(),
    summary: z.string(),
    group: z.string(),
    icon: z.string().meta({ description: "Name of its icon; a builder without that icon shows the group's" }),
    outline: z.array(z.string()).meta({ description: "Config fields that summarise in one line what a node does" }),
    executes: z
      .boolean()
      .meta({ description: "Whether it is a step. Other nodes are notes, which have no ports and cannot fail" }),
    hasSubFlow: z.boolean().meta({ description: "Whether it can contain other nodes" }),
    ports: z.array(portRuleSchema).meta({ description: "Output ports of a node, depending on its config" }),
    config: jsonObjectSchema.meta({ description: "JSON Schema of the node's config, with form hints." }),
  })
  .meta({ id: "NodeType" });

/** Components that a flow can be built from. `settings`: the operator settings required by choices that are present. */
function catalogueRoutes(registry: NodeRegistry, settings: ReadonlySet<string>): Route[] {
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
          config: withUnavailable(formSchemaOf(node), settings),
        })),
    }),
  ];
}

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

/** Integrations that agents can call. */
function integrationRoutes(registry: IntegrationRegistry): Route[] {
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
