import { defineRoute, ifFound, type Route } from "@weft/http";
import {
  pageQuerySchema,
  pageSchema,
  toolCreateSchema,
  toolSchema,
  toolTrialRequestSchema,
  toolTrialSchema,
  toolUpdateSchema,
  uuidSchema,
} from "@weft/schema";
import { z } from "zod";
import type { ToolService } from "./tool.service.ts";
import type { ToolTrialService } from "./tool-trial.service.ts";

const tag = "Tools";
const idParams = z.object({ id: uuidSchema });
const trialLimitBytes = 1024 * 1024;

/** Routes of `/tools`. Source: reference, "Tools". */
export function toolRoutes(service: ToolService, trials: ToolTrialService): Route[] {
  return [...readRoutes(service), ...writeRoutes(service), trialRoute(trials)];
}

function readRoutes(service: ToolService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/tools",
      operationId: "listTools",
      summary: "List the tools, most recently updated first",
      tag,
      permission: "tools:read",
      query: pageQuerySchema,
      returns: { schema: z.union([z.array(toolSchema), pageSchema(toolSchema)]) },
      errors: [400],
      handle: ({ query }) => service.list(query),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/tools/{id}",
      operationId: "getTool",
      summary: "Read a tool",
      tag,
      permission: "tools:read",
      params: idParams,
      returns: { schema: toolSchema },
      errors: [400, 404],
      handle: ({ params }) => service.get(params.id),
    }),
  ];
}

function writeRoutes(service: ToolService): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/v1/tools",
      operationId: "createTool",
      summary: "Create a tool",
      description:
        "func is the body of an async JavaScript function. It can read each schema parameter as $name, and use $vars, $flow and fetch. Text that is not JavaScript is stored as a description and cannot be called.",
      tag,
      permission: "tools:write",
      body: toolCreateSchema,
      bodyErrorStatus: 422,
      returns: { schema: toolSchema },
      recall: (id) => ifFound(service.get(id)),
      errors: [400, 409, 422],
      handle: ({ body, newId }) => service.create({ ...body, id: body.id ?? newId }),
    }),
    defineRoute({
      method: "PUT",
      path: "/api/v1/tools/{id}",
      operationId: "updateTool",
      summary: "Change a tool",
      description: "Omitted fields keep their values. Agents use the version of the tool current when they run.",
      tag,
      permission: "tools:write",
      params: idParams,
      body: toolUpdateSchema,
      bodyErrorStatus: 400,
      returns: { schema: toolSchema },
      errors: [400, 404, 412],
      handle: ({ params, body, assertMatches }) => service.update(params.id, body, assertMatches),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/v1/tools/{id}",
      operationId: "deleteTool",
      summary: "Delete a tool",
      tag,
      permission: "tools:write",
      params: idParams,
      returns: null,
      errors: [400, 404],
      handle: ({ params }) => service.remove(params.id),
    }),
  ];
}

function trialRoute(trials: ToolTrialService): Route {
  return defineRoute({
    method: "POST",
    path: "/api/v1/tools/{id}/test",
    operationId: "testTool",
    summary: "Test a tool",
    description:
      "Calls the tool as an agent would, with real effects. Send schema and func to test unsaved changes. If the code fails, the result has isError.",
    tag,
    permission: "tools:write",
    params: idParams,
    body: toolTrialRequestSchema,
    bodyErrorStatus: 422,
    bodyLimitBytes: trialLimitBytes,
    returns: { schema: toolTrialSchema },
    errors: [400, 404, 422],
    handle: ({ params, body, signal }) => trials.call(params.id, body, signal),
  });
}
