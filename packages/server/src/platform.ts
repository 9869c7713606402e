import { type Database, openDatabase, prepareDirectory } from "@weft/database";
import type { NodeRegistry } from "@weft/engine/node";
import type { Clock, IdSource } from "@weft/engine/ports/clock";
import {
  createHostCheck,
  createHttpApp,
  createIdempotencyStore,
  createOpenApiDocument,
  type HttpApp,
  openApiRoute,
  type Route,
} from "@weft/http";
import type { Logger } from "@weft/http/logger";
import { nodeRegistry } from "@weft/nodes";
import type { RunHooks } from "@weft/run-host";
import { createModelPrices, createTelemetry } from "@weft/telemetry";
import { createBuilderFiles } from "./built-files/builder-files.ts";
import { compose, type Parts } from "./compose.ts";
import type { Config } from "./config.ts";
import { concealing } from "./credentials/index.ts";
import { createDocsFiles } from "./docs/docs-files.ts";
import { type Feature, startFeatures, stopFeatures } from "./feature.ts";
import { listFeatures } from "./features.ts";
import { openVault } from "./vault.ts";
import { version } from "./version.ts";

export type PlatformDeps = RunHooks & {
  config: Config;
  clock: Clock;
  ids: IdSource;
  logger: Logger;
  /** What every part uses in place of the database that was opened. Tests make it fail. */
  wrapDatabase?(database: Database): Database;
  /** What flows are made of. Default: the node types of the platform. */
  nodeTypes?: NodeRegistry;
};

/** Where `npm run builder` leaves what it makes. */
const builderFolder = new URL("../../builder/dist/", import.meta.url);

/** The whole platform behind one fetch function. */
export type Platform = HttpApp & {
  features: readonly Feature[];
  /** Every operation of the API, its OpenAPI document among them. */
  routes: readonly Route[];
  /** With it the first account is created, once; undefined when there is one. */
  findSetupToken(): Promise<string | undefined>;
  /** Ends runs at a point from which they can go on, and closes the database. */
  close(): Promise<void>;
};

/** Opens the database, makes and starts every feature. Rejects when the operator must mend something. */
export async function openPlatform(deps: PlatformDeps): Promise<Platform> {
  const { config, logger } = deps;
  const { dataDir } = config;
  if ((await prepareDirectory(dataDir)).isOpenToOthers) {
    const reason = `Other users of this machine can list DATA_DIR. The database and the keys are only readable by their owner; restrict the folder as well: chmod 700 ${dataDir}`;
    logger.warn("data-folder-open-to-others", { reason });
  }
  const database = await openDatabase({
    databaseUrl: config.databaseUrl.reveal(),
    dataDir,
    poolSize: config.poolSize,
    logger: storageLogger(logger),
  });
  try {
    return await startPlatform(deps, deps.wrapDatabase?.(database) ?? database);
  } catch (cause) {
    await database.close();
    throw cause;
  }
}

/**
 * Calls `work` with the parts of a platform that serves nothing and begins nothing, for the command line. Rejects where a
 * server on SQLite has the database open.
 */
export async function withIdleParts<T>(deps: PlatformDeps, work: (parts: Parts) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir } = deps.config;
  const database = await openDatabase({ databaseUrl: databaseUrl.reveal(), dataDir });
  try {
    const { parts, features } = await assemble(deps, database);
    try {
      return await work(parts);
    } finally {
      await stopFeatures(features);
    }
  } finally {
    await database.close();
  }
}

/** Makes every part, and registers the features with the events that they follow. */
async function assemble(deps: PlatformDeps, opened: Database) {
  const { config, clock, ids, logger: plainLogger, nodeTypes = nodeRegistry, ...hooks } = deps;
  const vault = openVault(config);
  const logger = concealing(vault).log(plainLogger);
  const { traces, role } = config;
  const prices = createModelPrices(config.modelPrices);
  const telemetry = createTelemetry({ database: opened, clock, logger, version, role, traces, prices });
  const { database } = telemetry;
  const base = { config, database, clock, ids, logger, vault, nodeTypes, telemetry, prices };
  const parts = await compose(base, { ...hooks, watch: telemetry.watch });
  const features = listFeatures(parts);
  parts.events.register(features);
  return { parts, features, database };
}

async function startPlatform(deps: PlatformDeps, opened: Database): Promise<Platform> {
  const { config, clock, ids, logger: plainLogger } = deps;
  const { parts, features, database } = await assemble(deps, opened);
  const { authenticate, accounts } = parts.identity;
  const routes = toRoutes(features);
  const { bodyLimitBytes, trustedProxyHops, hstsSeconds } = config;
  const app = createHttpApp({
    routes,
    authenticate,
    clock,
    ids,
    logger: plainLogger,
    bodyLimitBytes,
    trustedProxyHops,
    hstsSeconds,
    gate: parts.gate,
    isHostServed: createHostCheck(config),
    idempotency: createIdempotencyStore(database, clock),
    serveFile: createFiles(routes),
  });
  // Last: what is wrong above is said before anything goes on by itself.
  await startFeatures(features);
  return {
    ...app,
    features,
    routes,
    findSetupToken: accounts.findSetupToken,
    async close() {
      await stopFeatures(features);
      await database.close();
    },
  };
}

function toRoutes(features: readonly Feature[]): Route[] {
  const routes = features.flatMap((feature) => feature.routes);
  const openApi = openApiRoute(() => createOpenApiDocument([...routes, openApi], { version }));
  return [...routes, openApi];
}

/** What is served beside the API: its documentation page, and the builder wherever else a browser goes. */
function createFiles(routes: readonly Route[]): (request: Request) => Promise<Response | undefined> {
  const docs = createDocsFiles();
  const reserved = new Set(["api", "docs", ...routes.map(({ path }) => path.split("/")[1] ?? "")]);
  const builder = createBuilderFiles({ folder: builderFolder, reserved });
  return async (request) => (await docs(request)) ?? builder(request);
}

function storageLogger(logger: Logger) {
  return { error: (event: string, { cause }: Record<string, unknown>) => logger.error(event, { cause }) };
}
