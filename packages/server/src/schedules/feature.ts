import { defineRoute, type Route } from "@weft/http";
import { reachOf } from "@weft/http/identity";
import { createPoller, type Poller } from "@weft/run-host";
import {
  pageNumberQuerySchema,
  scheduleLogSchema,
  scheduleLogStatusSchema,
  scheduleRecordSchema,
  scheduleStatusSchema,
  uuidSchema,
  wholeNumberQuery,
} from "@weft/schema";
import { z } from "zod";
import { defineFeature } from "../feature.ts";
import { createScheduleService, type ScheduleService } from "./schedule.service.ts";
import { createScheduleKeeper } from "./schedule-keeper.ts";

declare module "../feature.ts" {
  interface Services {
    schedules: ScheduleService & { poller: Poller };
  }
}

const everyMs = 1_000;

export const schedules = defineFeature({
  name: "schedules",
  needs: ["predictions", "runHost", "runnables", "variables"],
  tables: ["schedules", "scheduleFirings"],
  service(context, needs) {
    const { clock, logger } = context;
    const keeper = createScheduleKeeper(context, needs);
    const onFailure = (cause: unknown) => logger.error("schedules-failed", { cause });
    return {
      ...createScheduleService(context, needs),
      poller: createPoller({ clock, everyMs, round: keeper.round, onFailure, due: needs.runHost.due }),
    };
  },
  routes: scheduleRoutes,
  on: (schedules) => ({ agentSaved: schedules.sync, agentDeleted: schedules.removeOfAgent }),
  start: ({ poller }) => poller.start(),
  stop: ({ poller }) => poller.stop(),
  startedBy: ["all", "worker"],
});

const tag = "Triggers";
const params = z.object({ id: uuidSchema });
const logQuerySchema = z.object({
  page: pageNumberQuerySchema.default(1),
  limit: wholeNumberQuery(1, 100).default(20),
  status: scheduleLogStatusSchema.optional(),
});

/** Routes of agents' schedules. */
function scheduleRoutes(schedules: ScheduleService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/schedules",
      operationId: "listSchedules",
      summary: "List the schedules of all agents, the soonest first",
      description: "Agents whose published flow starts on no valid schedule are left out. Those that are off are last.",
      tag,
      permission: "agents:read",
      agent: "reach",
      returns: { schema: z.array(scheduleRecordSchema) },
      errors: [],
      handle: ({ identity }) => schedules.list(reachOf(identity)),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/chatflows/{id}/schedule/status",
      operationId: "getScheduleStatus",
      summary: "Get an agent's schedule and its next run",
      tag,
      permission: "agents:read",
      agent: { param: "id" },
      params,
      returns: { schema: scheduleStatusSchema },
      errors: [400, 404],
      handle: ({ params: { id } }) => schedules.status(id),
    }),
    defineRoute({
      method: "PATCH",
      path: "/api/v1/chatflows/{id}/schedule/enabled",
      operationId: "setScheduleEnabled",
      summary: "Enable or disable an agent's schedule",
      tag,
      permission: "agents:write",
      agent: { param: "id" },
      params,
      body: z.object({ enabled: z.boolean() }),
      returns: { schema: scheduleRecordSchema },
      errors: [400, 404, 409],
      handle: ({ params: { id }, body }) => schedules.setEnabled(id, body.enabled),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/chatflows/{id}/schedule/trigger-logs",
      operationId: "listScheduleLogs",
      summary: "List the times an agent's schedule was due, newest first",
      tag,
      permission: "executions:read",
      agent: { param: "id" },
      params,
      query: logQuerySchema,
      returns: {
        schema: z.object({ data: z.array(scheduleLogSchema), total: z.number(), page: z.number(), limit: z.number() }),
      },
      errors: [400, 404],
      async handle({ params: { id }, query }) {
        return { ...(await schedules.logs({ agentId: id, ...query })), page: query.page, limit: query.limit };
      },
    }),
  ];
}
