import type { Database } from "@weft/database";
import { createEgressClient, type EgressClient, type SecretVault, toAllowEntry } from "@weft/egress";
import type { NodeRegistry } from "@weft/engine/node";
import type { Clock, IdSource } from "@weft/engine/ports/clock";
import { type Auditor, createIdempotencyStore, type IdempotencyStore, type Limits } from "@weft/http";
import type { Logger } from "@weft/http/logger";
import { nodeRegistry } from "@weft/nodes";
import type { ModelDefaults } from "@weft/providers";
import { createLimits, openRedisDispatch, type RedisDispatch, type RunHooks } from "@weft/run-host";
import { createModelPrices, createTelemetry, type ModelPrices, type Telemetry } from "@weft/telemetry";
import { sql } from "kysely";
import { createAudit } from "./audit/index.ts";
import type { Config } from "./config.ts";
import { createFeatureEvents, type FeatureEvents } from "./feature-events.ts";
import { concealing } from "./known-secrets.ts";
import { toModelDefaults } from "./models/model-defaults.ts";
import { hostsForFlows, openVault } from "./vault.ts";
import { version } from "./version.ts";

/** Resources available to every feature. */
export type Context = {
  config: Config;
  /** Its writes are timed, and take the audit entry of their request along. */
  database: Database;
  /** Writes the audit log. */
  auditor: Auditor;
  clock: Clock;
  ids: IdSource;
  /** Redacts secrets that were used. */
  logger: Logger;
  vault: SecretVault;
  nodeTypes: NodeRegistry;
  /** Hooks of the command line between flows and the world, and the telemetry that watches runs. */
  hooks: RunHooks;
  telemetry: Telemetry;
  /** Tells features what happens to agents and runs. */
  events: FeatureEvents;
  /** How processes tell each other what is ready; undefined: only over the database. */
  redis: RedisDispatch | undefined;
  /** Other processes use the database, or are meant to, so all need the same keys. */
  isShared: boolean;
  /** Counts requests, over all processes. */
  limits: Limits;
  /** Requests with an Idempotency-Key. */
  idempotency: IdempotencyStore;
  /** The only way out of the process. */
  http: EgressClient;
  /** Like `http`, and to the servers that the operator configured for models. */
  modelHttp: EgressClient;
  /** The model and the accounts from the operator's configuration. */
  modelDefaults: ModelDefaults;
  prices: ModelPrices;
};

export type ContextDeps = RunHooks &
  Pick<Context, "config" | "clock" | "ids" | "logger"> & { nodeTypes?: NodeRegistry };

/** `close` leaves the database open. */
export async function openContext(
  { config, clock, ids, logger: plainLogger, nodeTypes = nodeRegistry, ...hooks }: ContextDeps,
  opened: Database,
): Promise<{ context: Context; close(): Promise<void> }> {
  const vault = openVault(config);
  const logger = concealing(vault).log(plainLogger);
  const prices = createModelPrices(config.modelPrices);
  const { traces, role } = config;
  const telemetry = createTelemetry({ database: opened, clock, logger, version, role, traces, prices });
  // What counts and remembers requests belongs to no entry.
  const { database } = telemetry;
  const audit = createAudit({ database, clock, logger });
  const isShared = await joinOthers(config, database);
  const redis =
    config.redis && (await openRedisDispatch({ ...config.redis, url: config.redis.url.reveal(), database, logger }));
  const context: Context = {
    config,
    database: audit.audited,
    auditor: audit.auditor,
    clock,
    ids,
    logger,
    vault,
    nodeTypes,
    hooks: { ...hooks, watch: telemetry.watch },
    telemetry,
    events: createFeatureEvents(),
    redis,
    isShared,
    limits: createLimits({ database, link: redis?.link, clock, logger }),
    idempotency: createIdempotencyStore(database, clock),
    http: createEgressClient({ allow: hostsForFlows(config), vault }),
    modelHttp: openModelHttp(config, vault),
    modelDefaults: toModelDefaults(config, vault),
    prices,
  };
  return {
    context,
    async close() {
      await audit.close();
      await redis?.link.close();
      await context.http.close();
      await context.modelHttp.close();
    },
  };
}

/** Announced by every server while connected to its database. */
const presence = "weft-server";

/** Announces this process, and resolves with whether there are others, or are meant to be. */
async function joinOthers({ role }: Config, { dialect, signals, read }: Database): Promise<boolean> {
  if (dialect === "sqlite") return false;
  const isPresent = signals.isPresent(sql`${presence}::text`);
  const { rows } = await sql<{ isPresent: boolean }>`select ${isPresent} as "isPresent"`.execute(read);
  signals.announce(presence);
  return role !== "all" || rows[0]?.isPresent === true;
}

function openModelHttp({ accounts, egressAllow, modelLimits }: Config, vault: SecretVault): EgressClient {
  const { firstTokenMs, betweenTokensMs } = modelLimits;
  // Only for calls of models, speech and embeddings.
  const hosts = Object.values(accounts).flatMap(({ baseUrl }) => (baseUrl === "" ? [] : toAllowEntry(baseUrl)));
  return createEgressClient({
    allow: [...egressAllow, ...hosts],
    vault,
    // The models' own limits give the better error message.
    defaults: { fetchIdleMs: Math.max(120_000, firstTokenMs, betweenTokensMs) + 5_000 },
  });
}
