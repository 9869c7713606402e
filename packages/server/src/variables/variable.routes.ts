import { defineRoute, ifFound, type Route } from "@weft/http";
import {
  pageQuerySchema,
  pageSchema,
  uuidSchema,
  variableCreateSchema,
  variableSchema,
  variableUpdateSchema,
} from "@weft/schema";
import { z } from "zod";
import type { VariableService } from "./variable.service.ts";

const tag = "Variables";
const idParams = z.object({ id: uuidSchema });

/** Routes of `/variables`. Source: reference, "Variables". */
export function variableRoutes(service: VariableService): Route[] {
  return [...readRoutes(service), ...writeRoutes(service)];
}

function readRoutes(service: VariableService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/variables",
      operationId: "listVariables",
      summary: "List the variables",
      description: "Most recently updated first. The environment values of runtime variables are not shown.",
      tag,
      permission: "variables:read",
      query: pageQuerySchema,
      returns: { schema: z.union([z.array(variableSchema), pageSchema(variableSchema)]) },
      errors: [400],
      handle: ({ query }) => service.list(query),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/variables/{id}",
      operationId: "getVariable",
      summary: "Read a variable",
      tag,
      permission: "variables:read",
      params: idParams,
      returns: { schema: variableSchema },
      errors: [400, 404],
      handle: ({ params }) => service.get(params.id),
    }),
  ];
}

function writeRoutes(service: VariableService): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/v1/variables",
      operationId: "createVariable",
      summary: "Create a variable",
      description: "Flows read it as $vars.name. If several share a name, the one updated last wins.",
      tag,
      permission: "variables:write",
      body: variableCreateSchema,
      bodyErrorStatus: 422,
      returns: { schema: variableSchema },
      recall: (id) => ifFound(service.get(id)),
      errors: [400, 409, 422],
      handle: ({ body, newId }) => service.create({ ...body, id: body.id ?? newId }),
    }),
    defineRoute({
      method: "PUT",
      path: "/api/v1/variables/{id}",
      operationId: "updateVariable",
      summary: "Change a variable",
      description: "Omitted fields keep their values. Runs already in progress keep the value they started with.",
      tag,
      permission: "variables:write",
      params: idParams,
      body: variableUpdateSchema,
      bodyErrorStatus: 400,
      returns: { schema: variableSchema },
      errors: [400, 404, 412],
      handle: ({ params, body, assertMatches }) => service.update(params.id, body, assertMatches),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/v1/variables/{id}",
      operationId: "deleteVariable",
      summary: "Delete a variable",
      tag,
      permission: "variables:write",
      params: idParams,
      returns: null,
      errors: [400, 404],
      handle: ({ params }) => service.remove(params.id),
    }),
  ];
}
