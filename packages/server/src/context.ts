import type { Database } from "@weft/database";
import { createEgressClient, type EgressClient, type SecretVault, toAllowEntry } from "@weft/egress";
import type { NodeRegistry } from "@weft/engine/node";
import type { Clock, IdSource } from "@weft/engine/ports/clock";
import { createIdempotencyStore, type IdempotencyStore, type Limits } from "@weft/http";
import type { Logger } from "@weft/http/logger";
import { nodeRegistry } from "@weft/nodes";
import type { ModelDefaults } from "@weft/providers";
import { createLimits, openRedisDispatch, type RedisDispatch, type RunHooks } from "@weft/run-host";
import { createModelPrices, createTelemetry, type ModelPrices, type Telemetry } from "@weft/telemetry";
import { sql } from "kysely";
import type { Config } from "./config.ts";
import { concealing } from "./credentials/index.ts";
import { createFeatureEvents, type FeatureEvents } from "./feature-events.ts";
import { toModelDefaults } from "./models/model-defaults.ts";
import { hostsForFlows, openVault } from "./vault.ts";
import { version } from "./version.ts";

/** What every feature may use. */
export type Context = {
  config: Config;
  /** Its writes are timed. */
  database: Database;
  clock: Clock;
  ids: IdSource;
  /** Writes no secret that was used. */
  logger: Logger;
  vault: SecretVault;
  /** What flows are made of. */
  nodeTypes: NodeRegistry;
  /** What the command line lays between flows and the world, and the telemetry that watches runs. */
  hooks: RunHooks;
  telemetry: Telemetry;
  /** Tells features what happens to agents and runs. */
  events: FeatureEvents;
  /** How processes tell each other what is ready; undefined: over the database alone. */
  redis: RedisDispatch | undefined;
  /** Whether other processes use the database, or are meant to, so that all need the same keys. */
  isShared: boolean;
  /** Counts requests, over all processes. */
  limits: Limits;
  /** Requests with an Idempotency-Key. */
  idempotency: IdempotencyStore;
  /** The way out of the process. */
  http: EgressClient;
  /** As `http`, and to the servers that the operator named for models. */
  modelHttp: EgressClient;
  /** The model and the accounts that the operator's configuration names. */
  modelDefaults: ModelDefaults;
  prices: ModelPrices;
};

/** What a process gives to its platform. */
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
  const { database } = telemetry;
  const isShared = await joinOthers(config, database);
  const redis =
    config.redis && (await openRedisDispatch({ ...config.redis, url: config.redis.url.reveal(), database, logger }));
  const context: Context = {
    config,
    database,
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
      await redis?.link.close();
      await context.http.close();
      await context.modelHttp.close();
    },
  };
}

/** What every server says on its database for as long as it is connected. */
const presence = "weft-server";

/** Whether others are there, or are meant to be. They hear of this process. */
async function joinOthers({ role }: Config, { dialect, signals, read }: Database): Promise<boolean> {
  if (dialect === "sqlite") return false;
  const isPresent = signals.isPresent(sql`${presence}::text`);
  const { rows } = await sql<{ isPresent: boolean }>`select ${isPresent} as "isPresent"`.execute(read);
  signals.announce(presence);
  return role !== "all" || rows[0]?.isPresent === true;
}

function openModelHttp({ accounts, egressAllow, modelLimits }: Config, vault: SecretVault): EgressClient {
  const { firstTokenMs, betweenTokensMs } = modelLimits;
  // For calls of models, speech and embeddings alone.
  const hosts = Object.values(accounts).flatMap(({ baseUrl }) => (baseUrl === "" ? [] : toAllowEntry(baseUrl)));
  return createEgressClient({
    allow: [...egressAllow, ...hosts],
    vault,
    // The models' own limits say better what was waited for.
    defaults: { fetchIdleMs: Math.max(120_000, firstTokenMs, betweenTokensMs) + 5_000 },
  });
}
