import { defineResource, defineRoute, type Route } from "@weft/http";
import {
  toolCreateSchema,
  toolSchema,
  toolTrialRequestSchema,
  toolTrialSchema,
  toolUpdateSchema,
  uuidSchema,
} from "@weft/schema";
import { z } from "zod";
import { defineFeature } from "../feature.ts";
import { createToolService, type ToolService } from "./tool.service.ts";
import { createToolTrialService, type ToolTrialService } from "./tool-trial.service.ts";

declare module "../feature.ts" {
  interface Services {
    tools: ToolService;
  }
}

export const tools = defineFeature({
  name: "tools",
  needs: ["sandboxes", "sql"],
  tables: ["tools"],
  service: createToolService,
  routes: (tools, needs, context) => toolRoutes(tools, createToolTrialService(tools, context, needs)),
});

const trialLimitBytes = 1024 * 1024;

/** Routes of `/tools`. Source: reference, "Tools". */
function toolRoutes(service: ToolService, trials: ToolTrialService): Route[] {
  const tools = defineResource({
    path: "/api/v1/tools",
    name: "tool",
    tag: "Tools",
    permission: "tools",
    schema: toolSchema,
    service,
  });
  return [
    tools.list({ handle: ({ query }) => service.list(query) }),
    tools.get(),
    tools.create({
      description:
        "func is the body of an async JavaScript function. It can read each schema parameter as $name, and use $vars, $flow and fetch. Text that is not JavaScript is stored as a description and cannot be called.",
      body: toolCreateSchema,
      handle: ({ body, newId }) => service.create({ ...body, id: body.id ?? newId }),
    }),
    tools.update({
      description: "Omitted fields keep their values. Agents use the version of the tool current when they run.",
      body: toolUpdateSchema,
      handle: ({ params, body, assertMatches }) => service.update(params.id, body, assertMatches),
    }),
    tools.delete(),
    trialRoute(trials),
  ];
}

function trialRoute(trials: ToolTrialService): Route {
  return defineRoute({
    method: "POST",
    path: "/api/v1/tools/{id}/test",
    operationId: "testTool",
    audit: false,
    summary: "Test a tool",
    description:
      "Calls the tool as an agent would, with real effects. Send schema and func to test unsaved changes. If the code fails, the result has isError.",
    tag: "Tools",
    permission: "tools:write",
    params: z.object({ id: uuidSchema }),
    body: toolTrialRequestSchema,
    bodyErrorStatus: 422,
    bodyLimitBytes: trialLimitBytes,
    returns: { schema: toolTrialSchema },
    errors: [400, 404, 422],
    handle: ({ params, body, signal }) => trials.call(params.id, body, signal),
  });
}
