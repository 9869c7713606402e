import { defineRoute, type Route, rawId } from "@weft/http";
import { ownerOf, reachOf, readingReachOf } from "@weft/http/identity";
import { leadCreateSchema, leadSchema, pageQuerySchema, pageSchema, uuidSchema } from "@weft/schema";
import { z } from "zod";
import type { LeadService } from "./lead.service.ts";

const tag = "Leads";

/** Routes of `/leads` (reference, "Leads"). */
export function leadRoutes(service: LeadService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/leads/{id}",
      operationId: "listLeads",
      summary: "List the leads of an agent, oldest first",
      description: "Returns 404 if there are none.",
      tag,
      permission: "leads:read",
      params: z.object({ id: uuidSchema }),
      query: pageQuerySchema,
      returns: { schema: z.union([z.array(leadSchema), pageSchema(leadSchema)]) },
      errors: [400, 404],
      handle: ({ params, query, identity }) => service.list(params.id, { ...query, reach: readingReachOf(identity) }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/v1/leads",
      operationId: "createLead",
      summary: "Leave a name, e-mail address or phone number with an agent",
      tag,
      permission: {
        permission: "leads:write",
        agentOf: async ({ body }) => rawId(await body(), "chatflowid"),
        counts: "write",
      },
      body: leadCreateSchema,
      bodyErrorStatus: 422,
      bodyLimitBytes: 64 * 1_024,
      returns: { schema: leadSchema },
      errors: [400, 409, 422],
      recall: (id) => service.find(id),
      // A visitor chooses no id.
      handle: ({ body, newId, identity }) => {
        const id = identity === undefined ? newId : (body.id ?? newId);
        return service.create({ ...body, id }, { owner: ownerOf(identity), reach: reachOf(identity) });
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/v1/leads/{id}",
      operationId: "deleteLead",
      summary: "Delete a lead",
      description: "By the id of the lead. The messages of its chat lose the address too.",
      tag,
      permission: "leads:write",
      params: z.object({ id: uuidSchema }),
      returns: null,
      errors: [400, 404],
      handle: ({ params, identity }) => service.remove(params.id, reachOf(identity)),
    }),
  ];
}
