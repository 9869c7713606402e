import type { RunnableAgent } from "@weft/agents";
import type { Database, Tables } from "@weft/database";
import type { CompiledFlow } from "@weft/engine";
import type { Clock, IdSource } from "@weft/engine/ports/clock";
import type { HttpClient } from "@weft/engine/ports/http-client";
import { createIdempotencyStore } from "@weft/http";
import type { Logger } from "@weft/http/logger";
import { createPoller, type RunHost } from "@weft/run-host";
import type { Kysely } from "kysely";
import type { CredentialService } from "./credentials/index.ts";
import type { PredictionService } from "./predictions/index.ts";
import { createScheduleService } from "./schedules/schedule.service.ts";
import { createScheduleKeeper } from "./schedules/schedule-keeper.ts";
import type { VariableService } from "./variables/variable.service.ts";
import {
  createCallbackSender,
  createDeliveries,
  createWebhookSecrets,
  createWebhookService,
} from "./webhooks/index.ts";

export type TriggersDeps = {
  database: Database;
  clock: Clock;
  ids: IdSource;
  logger: Logger;
  minScheduleIntervalMs: number;
  credentials: CredentialService;
  variables: VariableService;
  http: HttpClient;
  predictions: PredictionService;
  host: Pick<RunHost, "executions" | "due" | "onPause">;
  getForRun(agentId: string): Promise<RunnableAgent>;
  toRunnable(settings: RunnableAgent["agent"]): Promise<RunnableAgent>;
  compile(versionId: string, flowData: string): CompiledFlow;
};

export type Triggers = ReturnType<typeof createTriggers>;

const everyMs = 1_000;

/** What starts runs besides clients, and tells others how they ended. */
export function createTriggers(deps: TriggersDeps) {
  return { ...createWebhooks(deps), ...createSchedules(deps) };
}

function createWebhooks(deps: TriggersDeps) {
  const { database, clock, ids, logger, credentials, predictions, host, getForRun, toRunnable, compile } = deps;
  const { executions, due } = host;
  const secrets = createWebhookSecrets({ clock, credentials, getForRun });
  const callbacks = createCallbackSender({ database, clock, logger, http: deps.http, secrets, executions, due });
  const deliveries = createDeliveries(createIdempotencyStore(database, clock), ids);
  const { variables } = deps;
  const onFailure = (cause: unknown) => logger.error("callbacks-failed", { cause });
  return {
    webhooks: createWebhookService({
      clock,
      predictions,
      executions,
      variables,
      getForRun,
      toRunnable,
      compile,
      secrets,
      callbacks,
      deliveries,
    }),
    adoptWebhookSecret: secrets.adopt,
    callbacks,
    callbackPoller: createPoller({
      clock,
      everyMs,
      round: callbacks.round,
      onFailure,
      due: { onDue: (wake) => bothOf(due.onDue(wake), host.onPause(wake)) },
    }),
    /** For the transaction that deletes an agent. */
    async removeWebhooks(tx: Kysely<Tables>, agentId: string): Promise<void> {
      await secrets.removeOfAgent(tx, agentId);
      await callbacks.removeOfAgent(tx, agentId);
    },
  };
}

function bothOf(first: () => void, second: () => void): () => void {
  return () => {
    first();
    second();
  };
}

function createSchedules(deps: TriggersDeps) {
  const { database, clock, ids, logger, variables, predictions, getForRun, compile } = deps;
  const { due } = deps.host;
  const keeper = createScheduleKeeper({
    database,
    clock,
    ids,
    logger,
    predictions,
    variables,
    getForRun,
    compile,
    due,
  });
  const onFailure = (cause: unknown) => logger.error("schedules-failed", { cause });
  const minIntervalMs = deps.minScheduleIntervalMs;
  return {
    schedules: createScheduleService({ database, clock, minIntervalMs, getForRun, compile, due }),
    schedulePoller: createPoller({ clock, everyMs, round: keeper.round, onFailure, due }),
  };
}
