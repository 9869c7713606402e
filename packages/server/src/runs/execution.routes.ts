import { executionSchema, uuidSchema } from "@weft/schema";
import { z } from "zod";
import { defineRoute, type Route } from "../http/define-route.ts";
import type { ExecutionService } from "./execution.service.ts";

export function executionRoutes(executions: ExecutionService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/executions/{id}",
      operationId: "getExecution",
      summary: "One run with its steps",
      tag: "executions",
      permission: "executions:read",
      params: z.object({ id: uuidSchema }),
      returns: { schema: executionSchema },
      errors: [400, 404, 500],
      handle: ({ params }) => executions.get(params.id),
    }),
  ];
}
