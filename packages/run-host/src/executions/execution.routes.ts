import { defineRoute, type Identity, nameOf, ownerOf, type Reach, type Route, reachOf } from "@weft/http";
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
import { type ExecutionService, executionNotFound } from "./execution.service.ts";
import type { ExecutionControl } from "./execution-control.ts";

const tag = "executions";
const params = z.object({ id: uuidSchema });
const defaultLimit = 12;
const maxLimit = 100;
/** The steps of a run can be long. */
const limitWithData = 50;
const listQuery = z.object({
  page: z.coerce.number().int().positive().max(1_000_000).optional(),
  limit: z.coerce.number().int().positive().max(maxLimit).optional(),
  executionData: z
    .enum(["true", "false"])
    .default("true")
    .meta({ description: "Whether rows carry their steps where page and limit are given." }),
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
      description:
        "`state=STOPPED` lists what waits for a human. Dates are of the run's beginning, and inclusive. With `page` and `limit` each row carries `executionData`, and a page has 50 rows at most, unless `executionData=false`.",
      tag,
      permission: "executions:read",
      query: listQuery,
      returns: { schema: pageSchema(executionSummarySchema) },
      errors: [400],
      handle({ query: { page, limit, executionData, ...filter }, identity }) {
        const withData = page !== undefined && limit !== undefined && executionData === "true";
        const size = Math.min(limit ?? defaultLimit, withData ? limitWithData : maxLimit);
        return executions.list({ ...filter, reach: reachOf(identity), page: page ?? 1, limit: size }, { withData });
      },
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
      handle: ({ params: { id }, identity }) => executions.get(id, reachOf(identity)),
    }),
  ];
}

function controlRoutes(executions: Executions): Route[] {
  /** Whoever may act on a run reaches it. Rejects with `not-found`. */
  async function assertReached(id: string, identity: Identity): Promise<Reach> {
    const reach = reachOf(identity);
    if ((await executions.reached([id], reach)).length === 0) throw executionNotFound(id);
    return reach;
  }

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
      async handle({ params: { id }, identity }) {
        const reach = await assertReached(id, identity);
        await executions.cancel(id);
        return executions.get(id, reach);
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
      async handle({ params: { id }, identity }) {
        const reach = await assertReached(id, identity);
        return executions.get(await executions.retry(id), reach);
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
      async handle({ params: { id }, body, identity }) {
        const reach = await assertReached(id, identity);
        await executions.answer(id, body, { owner: ownerOf(identity), name: nameOf(identity), reach });
        return executions.get(id, reach);
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
      async handle({ params: { id }, identity }) {
        const deletedCount = await executions.remove(await executions.reached([id], reachOf(identity)));
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
      async handle({ body, identity }) {
        const reached = await executions.reached(body.executionIds, reachOf(identity));
        return { success: true, deletedCount: await executions.remove(reached) } as const;
      },
    }),
  ];
}
