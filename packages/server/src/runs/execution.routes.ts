import {
  executionAnswerSchema,
  executionDeletedSchema,
  executionDeleteSchema,
  executionSchema,
  executionStateSchema,
  executionSummarySchema,
  momentQuerySchema,
  pageSchema,
  uuidSchema,
} from "@weft/schema";
import { z } from "zod";
import { defineRoute, type Route } from "../http/define-route.ts";
import { type ExecutionService, executionNotFound } from "./execution.service.ts";
import type { ExecutionControl } from "./execution-control.ts";

const tag = "executions";
const params = z.object({ id: uuidSchema });
const listQuery = z.object({
  page: z.coerce.number().int().positive().max(1_000_000).default(1),
  limit: z.coerce.number().int().positive().max(100).default(12),
  id: uuidSchema.optional(),
  agentflowId: uuidSchema.optional(),
  agentflowName: z.string().max(500).optional().meta({ description: "Part of the agent's name." }),
  sessionId: z.string().max(500).optional(),
  chatId: z.string().max(500).optional(),
  state: executionStateSchema.optional(),
  startDate: momentQuerySchema.optional(),
  endDate: momentQuerySchema.optional(),
});

type Executions = ExecutionService & ExecutionControl;

/** Routes of `/executions`: runs as people see them, and what they can do to them. */
export function executionRoutes(executions: Executions): Route[] {
  return [...readRoutes(executions), ...controlRoutes(executions), ...deleteRoutes(executions)];
}

function readRoutes(executions: Executions): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/executions",
      operationId: "listExecutions",
      summary: "List runs, the most recently updated first",
      description: "`state=STOPPED` lists what waits for a human. Dates are of the run's beginning, and inclusive.",
      tag,
      permission: "executions:read",
      query: listQuery,
      returns: { schema: pageSchema(executionSummarySchema) },
      errors: [400],
      handle: ({ query }) => executions.list(query),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/executions/{id}",
      operationId: "getExecution",
      summary: "One run with its steps",
      tag,
      permission: "executions:read",
      params,
      returns: { schema: executionSchema },
      errors: [400, 404, 500],
      handle: ({ params: { id } }) => executions.get(id),
    }),
  ];
}

function controlRoutes(executions: Executions): Route[] {
  const shared = {
    method: "POST",
    tag,
    permission: "executions:write",
    params,
    returns: { schema: executionSchema },
  } as const;
  return [
    defineRoute({
      ...shared,
      path: "/api/v1/executions/{id}/cancel",
      operationId: "cancelExecution",
      summary: "End a run that goes on or waits",
      description: "When this answers no new step starts any more.",
      errors: [400, 404, 409],
      async handle({ params: { id } }) {
        await executions.cancel(id);
        return executions.get(id);
      },
    }),
    defineRoute({
      ...shared,
      path: "/api/v1/executions/{id}/retry",
      operationId: "retryExecution",
      summary: "Go on from where a run failed",
      description:
        "Answers the new run, which has begun. What finished is not done again; the step that failed, and what was " +
        "unfinished, is attempted anew, also where it is unknown whether it took effect.",
      errors: [400, 404, 409],
      async handle({ params: { id } }) {
        return executions.get(await executions.retry(id));
      },
    }),
    defineRoute({
      ...shared,
      path: "/api/v1/executions/{id}/answer",
      operationId: "answerExecution",
      summary: "Answer a run that waits for a human",
      description: "Answers the run, which goes on.",
      body: executionAnswerSchema,
      bodyErrorStatus: 422,
      errors: [400, 404, 409, 422],
      async handle({ params: { id }, body }) {
        await executions.answer(id, body);
        return executions.get(id);
      },
    }),
  ];
}

function deleteRoutes(executions: Executions): Route[] {
  const shared = {
    method: "DELETE",
    description: "Their messages stay. A run that goes on or waits is cancelled first.",
    tag,
    permission: "executions:write",
    returns: { schema: executionDeletedSchema },
  } as const;
  return [
    defineRoute({
      ...shared,
      path: "/api/v1/executions/{id}",
      operationId: "deleteExecution",
      summary: "Delete a run with its steps",
      params,
      errors: [400, 404],
      async handle({ params: { id } }) {
        const deletedCount = await executions.remove([id]);
        if (deletedCount === 0) throw executionNotFound(id);
        return { success: true, deletedCount } as const;
      },
    }),
    defineRoute({
      ...shared,
      path: "/api/v1/executions",
      operationId: "deleteExecutions",
      summary: "Delete runs with their steps",
      body: executionDeleteSchema,
      errors: [400],
      handle: async ({ body }) =>
        ({ success: true, deletedCount: await executions.remove(body.executionIds) }) as const,
    }),
  ];
}
