import { defineRoute, type Route } from "@weft/http";
import { nameOf } from "@weft/http/identity";
import { agentDraftSchema, agentDraftUpdateSchema, findingSchema, uuidSchema } from "@weft/schema";
import { z } from "zod";
import { type AssertMayName, flowLimits } from "./agent.routes.ts";
import type { DraftService } from "./draft.service.ts";

const shared = {
  tag: "Agents",
  permission: "agents:write",
  agent: { param: "id" },
  params: z.object({ id: uuidSchema }),
} as const;
const path = "/api/v1/chatflows/{id}/draft";

/** Routes of `/chatflows/{id}/draft`. Drafts are shown only to those who may edit agents. */
export function draftRoutes(drafts: DraftService, assertMayName: AssertMayName): Route[] {
  return [
    defineRoute({
      ...shared,
      method: "GET",
      path,
      operationId: "getAgentDraft",
      summary: "Read the draft of an agent",
      description: "Without a draft, the published flow with `isDraft: false`.",
      returns: { schema: agentDraftSchema },
      errors: [400, 404],
      handle: ({ params }) => drafts.get(params.id),
    }),
    defineRoute({
      ...shared,
      method: "GET",
      path: `${path}/findings`,
      operationId: "listAgentDraftFindings",
      summary: "Check the draft of an agent",
      returns: { schema: z.array(findingSchema) },
      errors: [400, 404],
      handle: ({ params }) => drafts.findings(params.id),
    }),
    defineRoute({
      ...shared,
      method: "PUT",
      path,
      operationId: "saveAgentDraft",
      audit: "at-times",
      summary: "Save the draft of an agent",
      description:
        "Omitted fields keep their values. Nothing but test runs uses a draft; to publish it, update the agent with the same `flowData`. " +
        "A draft that no longer differs from the published flow, and pins nothing, is removed.",
      body: agentDraftUpdateSchema,
      jsonLimits: flowLimits,
      bodyErrorStatus: 422,
      returns: { schema: agentDraftSchema },
      errors: [400, 404, 412, 422],
      handle({ params, body, identity, assertMatches: assertCurrent }) {
        if (body.flowData !== undefined) assertMayName(identity, body.flowData);
        return drafts.save(params.id, body, { name: nameOf(identity) ?? "", assertCurrent });
      },
    }),
    defineRoute({
      ...shared,
      method: "DELETE",
      path,
      operationId: "discardAgentDraft",
      summary: "Discard the draft of an agent",
      returns: null,
      errors: [400, 404],
      handle: ({ params }) => drafts.discard(params.id),
    }),
  ];
}
