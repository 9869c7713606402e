import { defineRoute, type Route } from "@weft/http";
import { type Identity, nameOf, ownerOf, type Reach, reachOf, readingReachOf } from "@weft/http/identity";
import {
  endMomentQuerySchema,
  executionAnswerSchema,
  executionDeletedSchema,
  executionDeleteSchema,
  executionOriginSchema,
  executionReplaySchema,
  executionSchema,
  executionSignalSchema,
  executionStateSchema,
  executionSummarySchema,
  momentQuerySchema,
  pageNumberQuerySchema,
  pageSchema,
  signalNameSchema,
  uuidSchema,
  waitingExecutionSchema,
  wholeNumberQuery,
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
  page: pageNumberQuerySchema.optional(),
  limit: wholeNumberQuery(1, maxLimit).optional(),
  executionData: z
    .enum(["true", "false"])
    .default("true")
    .meta({ description: "Whether rows include their steps when page and limit are given." }),
  id: uuidSchema.optional(),
  agentflowId: uuidSchema.optional(),
  agentflowName: z.string().max(500).optional().meta({ description: "Part of the agent's name." }),
  sessionId: z.string().max(500).optional(),
  chatId: z.string().max(500).optional(),
  state: executionStateSchema.optional(),
  origin: executionOriginSchema.optional().meta({ description: "Looks at the 20,000 runs updated last." }),
  startDate: momentQuerySchema.optional(),
  endDate: endMomentQuerySchema.optional(),
  search: z.string().trim().min(1).max(200).optional().meta({
    description:
      "Part of the question or of the session's id, or the beginning of the run's id. Looks at the 20,000 runs updated last.",
  }),
});

const hasData = ({ page, limit, executionData }: z.infer<typeof listQuery>) =>
  page !== undefined && limit !== undefined && executionData === "true";

const checkedListQuery = listQuery.refine((query) => !hasData(query) || (query.limit ?? 0) <= limitWithData, {
  path: ["limit"],
  message: `Pages with the steps of their runs have at most ${limitWithData} rows. Send a lower limit, or executionData=false for up to ${maxLimit}.`,
});

const waitingQuery = listQuery.pick({ page: true }).extend({
  limit: wholeNumberQuery(0, 50).default(defaultLimit).meta({ description: "0: only the total is returned." }),
});

type Executions = ExecutionService & ExecutionControl;

/** Routes of `/executions`: runs as people see them, and actions on them. */
export function executionRoutes(executions: Executions): Route[] {
  const control = [...controlRoutes(executions), ...signalRoutes(executions)];
  return [...readRoutes(executions), waitingRoute(executions), ...control, ...deleteRoutes(executions)];
}

function readRoutes(executions: Executions): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/executions",
      operationId: "listExecutions",
      summary: "List runs, the most recently updated first",
      description:
        "`state=STOPPED` lists runs waiting for human input, a signal, or a later moment. Dates refer to the start of the run and are inclusive. With `page` and `limit` each row includes `executionData` and a page has at most 50 rows, unless `executionData=false`.",
      tag,
      permission: "executions:read",
      query: checkedListQuery,
      returns: { schema: pageSchema(executionSummarySchema) },
      errors: [400],
      handle({ query, identity }) {
        const { page = 1, limit = defaultLimit, executionData: _, ...filter } = query;
        return executions.list(
          { ...filter, reach: readingReachOf(identity), page, limit },
          { withData: hasData(query) },
        );
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/executions/{id}",
      operationId: "getExecution",
      summary: "Get a run with its steps",
      tag,
      permission: "executions:read",
      params,
      query: z.object({
        wholeStep: z
          .string()
          .max(2_000)
          .optional()
          .meta({ description: "The `nodeKey` of a step whose values are not cut." }),
      }),
      returns: { schema: executionSchema },
      errors: [400, 404, 500],
      handle: ({ params: { id }, query: { wholeStep }, identity }) =>
        executions.get(id, readingReachOf(identity), wholeStep),
    }),
  ];
}

function waitingRoute(executions: Executions): Route {
  return defineRoute({
    method: "GET",
    path: "/api/v1/executions/waiting",
    operationId: "listWaitingExecutions",
    summary: "List runs that are waiting for human input, the most recent question first",
    description:
      "Each with all of its open questions; answer one with `POST /executions/{id}/answer` and the `id` of its action as `waitId`. " +
      "An API key sees its own runs, and with `chats:write` those of everyone who uses its agents.",
    tag,
    permission: "executions:read",
    query: waitingQuery,
    returns: { schema: pageSchema(waitingExecutionSchema) },
    errors: [400],
    handle: ({ query: { page = 1, limit }, identity }) =>
      executions.listWaiting({ reach: reachOf(identity), page, limit }),
  });
}

/** Rejects with `not-found` if the caller does not reach the run. */
async function assertReached(executions: Executions, id: string, identity: Identity): Promise<Reach> {
  const reach = reachOf(identity);
  if ((await executions.reached([id], reach)).length === 0) throw executionNotFound(id);
  return reach;
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
      summary: "Cancel a running or waiting run",
      description: "No new step starts once this returns.",
      errors: [400, 404, 409],
      async handle({ params: { id }, identity }) {
        const reach = await assertReached(executions, id, identity);
        await executions.cancel(id);
        return executions.get(id, reach);
      },
    }),
    defineRoute({
      ...shared,
      path: "/api/v1/executions/{id}/retry",
      operationId: "retryExecution",
      summary: "Retry a failed run from the step that failed",
      description:
        "Returns the new run, which has already started. Finished steps are not repeated; the failed step and any " +
        "unfinished ones are attempted again, even if it is unknown whether they took effect.",
      errors: [400, 404, 409],
      async handle({ params: { id }, identity }) {
        const reach = await assertReached(executions, id, identity);
        return executions.get(await executions.retry(id), reach);
      },
    }),
    defineRoute({
      ...shared,
      permission: "agents:write",
      path: "/api/v1/executions/{id}/replay",
      operationId: "replayExecution",
      summary: "Run an agent again from one of a run's steps",
      description:
        "Returns the new run, which has already started, in a chat of its own. What finished before the step is not repeated, and " +
        "can be changed. From the step on, every call that changes something waits for a person to approve it. With `draft` " +
        "the agent's draft is run, with its pinned outputs.",
      body: executionReplaySchema,
      bodyErrorStatus: 422,
      errors: [400, 404, 409, 422],
      async handle({ params: { id }, body, identity }) {
        const reach = await assertReached(executions, id, identity);
        return executions.get(await executions.replay(id, body, { owner: ownerOf(identity) }), reach);
      },
    }),
    defineRoute({
      ...shared,
      path: "/api/v1/executions/{id}/answer",
      operationId: "answerExecution",
      summary: "Answer a run that is waiting for human input",
      description: "Returns the run, which continues.",
      body: executionAnswerSchema,
      bodyErrorStatus: 422,
      errors: [400, 404, 409, 422],
      async handle({ params: { id }, body, identity }) {
        const reach = await assertReached(executions, id, identity);
        await executions.answer(id, body, { owner: ownerOf(identity), name: nameOf(identity), reach });
        return executions.get(id, reach);
      },
    }),
  ];
}

function signalRoutes(executions: Executions): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/v1/executions/{id}/signals/{name}",
      operationId: "signalExecution",
      audit: false,
      summary: "Send a signal to a run that is waiting for it",
      description:
        "Ends all waits of the run for this signal, once, and returns the run, which continues. If the run is not waiting " +
        "for the signal, it is refused with 409 and has no effect: it is not kept for a later wait.",
      tag,
      permission: "executions:write",
      params: params.extend({ name: signalNameSchema }),
      body: executionSignalSchema,
      bodyErrorStatus: 422,
      returns: { schema: executionSchema },
      errors: [400, 404, 409, 422],
      async handle({ params: { id, name }, body: { payload = null }, identity }) {
        const reach = await assertReached(executions, id, identity);
        await executions.signal(id, { name, payload });
        return executions.get(id, reach);
      },
    }),
  ];
}

function deleteRoutes(executions: Executions): Route[] {
  const shared = {
    method: "DELETE",
    description: "Their messages are kept. A running or waiting run is cancelled first.",
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
