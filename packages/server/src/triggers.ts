import type { Database, Tables } from "@weft/database";
import type { Clock, CompiledFlow, HttpClient, IdSource } from "@weft/engine";
import { createIdempotencyStore, type Logger } from "@weft/http";
import { createPoller, type ExecutionService } from "@weft/run-host";
import type { Kysely } from "kysely";
import type { RunnableAgent } from "./agents/index.ts";
import type { Config } from "./config.ts";
import type { CredentialService } from "./credentials/index.ts";
import type { PredictionService } from "./predictions/index.ts";
import { createScheduleService, type ScheduleService } from "./schedules/schedule.service.ts";
import { createScheduleKeeper } from "./schedules/schedule-keeper.ts";
import type { VariableService } from "./variables/variable.service.ts";
import {
  type CallbackSender,
  createCallbackSender,
  createDeliveries,
  createWebhookSecrets,
  createWebhookService,
  type WebhookService,
} from "./webhooks/index.ts";

export type TriggersDeps = {
  config: Pick<Config, "minScheduleIntervalMs">;
  database: Database;
  clock: Clock;
  ids: IdSource;
  logger: Logger;
  credentials: CredentialService;
  variables: VariableService;
  http: HttpClient;
  predictions: PredictionService;
  executions: ExecutionService;
  getForRun(agentId: string): Promise<RunnableAgent>;
  compile(versionId: string, flowData: string): CompiledFlow;
};

/** What starts runs besides clients, and tells others how they ended. */
export type Triggers = {
  webhooks: WebhookService;
  schedules: ScheduleService;
  callbacks: Pick<CallbackSender, "list" | "resend">;
  /** For the transaction that deletes an agent. */
  removeOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const everyMs = 1_000;

export function createTriggers(deps: TriggersDeps): Triggers {
  const { config, database, clock, ids, logger } = deps;
  const secrets = createWebhookSecrets(deps);
  const callbacks = createCallbackSender({ ...deps, secrets });
  const deliveries = createDeliveries(createIdempotencyStore(database, clock), ids);
  const schedules = createScheduleService({ ...deps, minIntervalMs: config.minScheduleIntervalMs });
  const keeper = createScheduleKeeper(deps);
  const pollers = [
    createPoller({
      clock,
      everyMs,
      round: keeper.round,
      onFailure: (cause) => logger.error("schedules-failed", { cause }),
    }),
    createPoller({
      clock,
      everyMs,
      round: callbacks.round,
      onFailure: (cause) => logger.error("callbacks-failed", { cause }),
    }),
  ];
  return {
    webhooks: createWebhookService({ ...deps, secrets, callbacks, deliveries }),
    schedules,
    callbacks,
    async removeOfAgent(tx, agentId) {
      await secrets.removeOfAgent(tx, agentId);
      await callbacks.removeOfAgent(tx, agentId);
      await schedules.removeOfAgent(tx, agentId);
    },
    async start() {
      await callbacks.clear();
      for (const poller of pollers) poller.start();
    },
    async stop() {
      await Promise.all(pollers.map((poller) => poller.stop()));
    },
  };
}
