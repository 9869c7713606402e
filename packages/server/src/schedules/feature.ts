import { createPoller, type Poller } from "@weft/run-host";
import { defineFeature } from "../feature.ts";
import { scheduleRoutes } from "./schedule.routes.ts";
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
  service(context, { predictions, runHost: { due }, runnables, variables }) {
    const { clock, config, logger } = context;
    const keeper = createScheduleKeeper({ ...context, ...runnables, predictions, variables, due });
    const onFailure = (cause: unknown) => logger.error("schedules-failed", { cause });
    return {
      ...createScheduleService({ ...context, ...runnables, minIntervalMs: config.minScheduleIntervalMs, due }),
      poller: createPoller({ clock, everyMs, round: keeper.round, onFailure, due }),
    };
  },
  routes: scheduleRoutes,
  on: (schedules) => ({ agentSaved: schedules.sync, agentDeleted: schedules.removeOfAgent }),
  start: ({ poller }) => poller.start(),
  stop: ({ poller }) => poller.stop(),
  startedBy: ["all", "worker"],
});
