import { defineResource, type Route } from "@weft/http";
import { reachOf } from "@weft/http/identity";
import { assistantCreateSchema, assistantSchema, assistantUpdateSchema } from "@weft/schema";
import type { AssertMayName } from "../agents/index.ts";
import type { AssistantService } from "./assistant.service.ts";

/** Routes of `/assistants` (reference, "Assistants"). */
export function assistantRoutes(service: AssistantService, assertMayName: AssertMayName): Route[] {
  const assistants = defineResource({
    path: "/api/v1/assistants",
    name: "assistant",
    tag: "Assistants",
    permission: "assistants",
    schema: assistantSchema,
    service,
  });
  const agent = { param: "id", resource: "assistant" } as const;
  return [
    assistants.list({
      agent: "reach",
      handle: ({ query, identity }) => service.list({ ...query, reach: reachOf(identity) }),
    }),
    assistants.get({
      description: "Returns 422 if the id belongs to another kind of resource.",
      agent,
      errors: [400, 404, 422],
    }),
    assistants.create({
      description: "Send predictions to the id of the assistant.",
      confirms: "assistant",
      body: assistantCreateSchema,
      handle({ body, newId, identity }) {
        const assertFlow = (flowData: string) => assertMayName(identity, flowData);
        return service.create({ ...body, id: body.id ?? newId }, { assertFlow });
      },
    }),
    assistants.update({
      description: "Omitted fields keep their values, including those inside details.",
      confirms: "assistant",
      agent,
      body: assistantUpdateSchema,
      errors: [400, 403, 404, 412],
      handle({ params, body, identity, assertMatches: assertCurrent }) {
        const assertFlow = (flowData: string) => assertMayName(identity, flowData);
        return service.update(params.id, body, { assertCurrent, assertFlow });
      },
    }),
    assistants.delete({
      summary: "Delete an assistant and everything that belongs to it",
      description: "Its executions are kept.",
      agent,
    }),
  ];
}
