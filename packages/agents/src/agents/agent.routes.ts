import { defineResource, defineRoute, type Route } from "@weft/http";
import { type Identity, nameOf, reachOf } from "@weft/http/identity";
import { commonLimits } from "@weft/http/json-limits";
import {
  agentCreateSchema,
  agentSchema,
  agentTypeSchema,
  agentUpdateSchema,
  agentVersionSchema,
  agentVersionSummarySchema,
  agentVersionUpdateSchema,
  findingSchema,
  pageQuerySchema,
  uuidSchema,
} from "@weft/schema";
import { z } from "zod";
import type { AgentService, NamingSettings } from "./agent.service.ts";
import { agentListSchema, agentPageSchema } from "./written-agents.ts";

const tag = "Agents";
const idParams = z.object({ id: uuidSchema });
const versionParams = z.object({ id: uuidSchema, number: z.coerce.number().int().positive() });
const keyParams = z.object({ apikey: z.string().regex(/^[\x21-\x7e]{1,500}$/, "must be an API key or its id") });

/** Room for the longest flow and its settings: larger bodies are rejected while being read. */
export const flowLimits = { ...commonLimits, characters: 12_000_000 };

/** Routes of `/chatflows` (reference, "Agents"), and of the versions of agents. */
export function agentRoutes(service: AgentService, assertMayName: AssertMayName): Route[] {
  const agents = defineResource({
    path: "/api/v1/chatflows",
    name: "agent",
    tag,
    permission: "agents",
    schema: agentSchema,
    service,
  });
  const agent = { param: "id" };
  return [
    agents.list({
      agent: "reach",
      query: pageQuerySchema.extend({ type: agentTypeSchema.optional() }),
      returns: { schema: z.union([agentListSchema, agentPageSchema]) },
      handle: ({ query, identity }) => service.list({ ...query, reach: reachOf(identity) }),
    }),
    agents.get({ agent, handle: ({ params }) => service.answer(params.id) }),
    ...moreReadRoutes(service),
    agents.create({
      confirms: "agent",
      body: agentCreateSchema,
      jsonLimits: flowLimits,
      handle({ body, newId, identity }) {
        assertMayName(identity, body.flowData, body);
        return service.create({ ...body, id: body.id ?? newId, author: nameOf(identity) });
      },
    }),
    agents.update({
      description:
        "Omitted fields keep their values. Changing the flow creates a new version, and `version` says what to write about it.",
      confirms: "agent",
      agent,
      body: agentUpdateSchema,
      jsonLimits: flowLimits,
      errors: [400, 403, 404, 412],
      handle({ params, body, identity, assertMatches }) {
        assertMayName(identity, body.flowData ?? "{}", body);
        return service.update(params.id, { ...body, author: nameOf(identity) }, assertMatches);
      },
    }),
    agents.delete({
      summary: "Delete an agent and everything that belongs to it",
      description: "Its executions are kept.",
      agent,
    }),
    ...versionRoutes(service, assertMayName),
  ];
}

/** Throws if the sender of a request may not save a flow, or an agent's settings, with what they name. */
export type AssertMayName = (identity: Identity, flowData: string, settings?: NamingSettings) => void;

function moreReadRoutes(service: AgentService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/chatflows/apikey/{apikey}",
      operationId: "getAgentByApiKey",
      summary: "Read the agent that is bound to an API key",
      description:
        "Takes the key or its id. If several agents are bound to it, the most recently updated one is returned.",
      tag,
      permission: "agents:read",
      agent: "reach",
      params: keyParams,
      returns: { schema: agentSchema },
      errors: [400, 404],
      handle: ({ params, identity }) => service.getByApiKey(params.apikey, reachOf(identity)),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/chatflows/{id}/findings",
      operationId: "listAgentFindings",
      summary: "Check the saved flow of an agent",
      tag,
      permission: "agents:read",
      agent: { param: "id" },
      params: idParams,
      returns: { schema: z.array(findingSchema) },
      errors: [400, 404],
      handle: ({ params }) => service.findings(params.id),
    }),
  ];
}

function versionRoutes(service: AgentService, assertMayName: AssertMayName): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/chatflows/{id}/versions",
      operationId: "listAgentVersions",
      summary: "List the saved flows of an agent, newest first",
      tag,
      permission: "agents:read",
      agent: { param: "id" },
      params: idParams,
      returns: { schema: z.array(agentVersionSummarySchema) },
      errors: [400, 404],
      handle: ({ params }) => service.versions(params.id),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/chatflows/{id}/versions/{number}",
      operationId: "getAgentVersion",
      summary: "Read a saved flow of an agent",
      tag,
      permission: "agents:read",
      agent: { param: "id" },
      params: versionParams,
      returns: { schema: agentVersionSchema },
      errors: [400, 404],
      handle: ({ params }) => service.version(params.id, params.number),
    }),
    defineRoute({
      method: "PATCH",
      path: "/api/v1/chatflows/{id}/versions/{number}",
      operationId: "updateAgentVersion",
      summary: "Name a saved flow of an agent, or write a note about it",
      tag,
      permission: "agents:write",
      agent: { param: "id" },
      params: versionParams,
      body: agentVersionUpdateSchema,
      returns: { schema: agentVersionSummarySchema },
      errors: [400, 404],
      handle: ({ params: { id, number }, body }) => service.describeVersion(id, number, body),
    }),
    defineRoute({
      method: "POST",
      path: "/api/v1/chatflows/{id}/versions/{number}/restore",
      operationId: "restoreAgentVersion",
      summary: "Restore an earlier flow of an agent",
      description: "Publishes it at once, as the newest version. The draft stays as it is.",
      tag,
      permission: "agents:write",
      confirms: "agent",
      agent: { param: "id" },
      params: versionParams,
      returns: { schema: agentSchema },
      errors: [400, 404],
      async handle({ params: { id, number }, identity }) {
        assertMayName(identity, (await service.version(id, number)).flowData);
        return service.restore(id, number, nameOf(identity));
      },
    }),
  ];
}
