import { defineRoute, ifFound, type Route } from "@weft/http";
import { reachOf } from "@weft/http/reach";
import {
  assistantCreateSchema,
  assistantSchema,
  assistantUpdateSchema,
  pageQuerySchema,
  pageSchema,
  uuidSchema,
} from "@weft/schema";
import { z } from "zod";
import type { AssertMayName } from "../agents/index.ts";
import type { AssistantService } from "./assistant.service.ts";

const tag = "Assistants";
const idParams = z.object({ id: uuidSchema });

/** Routes of `/assistants` (reference, "Assistants"). */
export function assistantRoutes(service: AssistantService, assertMayName: AssertMayName): Route[] {
  return [...readRoutes(service), ...writeRoutes(service, assertMayName)];
}

function readRoutes(service: AssistantService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/assistants",
      operationId: "listAssistants",
      summary: "List the assistants, most recently updated first",
      tag,
      permission: "assistants:read",
      agent: "reach",
      query: pageQuerySchema,
      returns: { schema: z.union([z.array(assistantSchema), pageSchema(assistantSchema)]) },
      errors: [400],
      handle: ({ query, identity }) => service.list({ ...query, reach: reachOf(identity) }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/assistants/{id}",
      operationId: "getAssistant",
      summary: "Read an assistant",
      description: "Returns 422 if the id belongs to another kind of resource.",
      tag,
      permission: "assistants:read",
      agent: { param: "id", resource: "assistant" },
      params: idParams,
      returns: { schema: assistantSchema },
      errors: [400, 404, 422],
      handle: ({ params }) => service.get(params.id),
    }),
  ];
}

function writeRoutes(service: AssistantService, assertMayName: AssertMayName): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/v1/assistants",
      operationId: "createAssistant",
      summary: "Create an assistant",
      description: "Send predictions to the id of the assistant.",
      tag,
      permission: "assistants:write",
      confirms: "assistant",
      body: assistantCreateSchema,
      bodyErrorStatus: 422,
      returns: { schema: assistantSchema },
      errors: [400, 409, 422],
      recall: (id) => ifFound(service.get(id)),
      handle({ body, newId, identity }) {
        const assertFlow = (flowData: string) => assertMayName(identity, flowData);
        return service.create({ ...body, id: body.id ?? newId }, { assertFlow });
      },
    }),
    defineRoute({
      method: "PUT",
      path: "/api/v1/assistants/{id}",
      operationId: "updateAssistant",
      summary: "Change an assistant",
      description: "Omitted fields keep their values, including those inside details.",
      tag,
      permission: "assistants:write",
      confirms: "assistant",
      agent: { param: "id", resource: "assistant" },
      params: idParams,
      body: assistantUpdateSchema,
      returns: { schema: assistantSchema },
      errors: [400, 403, 404, 412],
      handle({ params, body, identity, assertMatches: assertCurrent }) {
        const assertFlow = (flowData: string) => assertMayName(identity, flowData);
        return service.update(params.id, body, { assertCurrent, assertFlow });
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/v1/assistants/{id}",
      operationId: "deleteAssistant",
      summary: "Delete an assistant and everything that belongs to it",
      description: "Its executions are kept.",
      tag,
      permission: "assistants:write",
      agent: { param: "id", resource: "assistant" },
      params: idParams,
      returns: null,
      errors: [400, 404],
      handle: ({ params }) => service.remove(params.id),
    }),
  ];
}
