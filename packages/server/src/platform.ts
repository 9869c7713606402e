import { type Database, openDatabase, prepareDirectory } from "@weft/database";
import {
  createHostCheck,
  createHttpApp,
  createOpenApiDocument,
  type HttpApp,
  openApiRoute,
  type Route,
} from "@weft/http";
import type { Logger } from "@weft/http/logger";
import { createBuilderFiles } from "./built-files/builder-files.ts";
import { type ContextDeps, openContext } from "./context.ts";
import { createDocsFiles } from "./docs/docs-files.ts";
import { type OpenFeature, openFeatures, type Services, startFeatures, stopFeatures } from "./feature.ts";
import { features as declared } from "./features.ts";
import { version } from "./version.ts";

export type PlatformDeps = ContextDeps & {
  /** Wraps the opened database for every part. Tests inject failures with it. */
  wrapDatabase?(database: Database): Database;
};

/** Output folder of `npm run builder`. */
const builderFolder = new URL("../../builder/dist/", import.meta.url);

/** The whole platform behind one fetch function. */
export type Platform = HttpApp & {
  features: readonly OpenFeature[];
  /** Every operation of the API, including its OpenAPI document. */
  routes: readonly Route[];
  /** Token to create the first account with, once; undefined if there is one. */
  findSetupToken(): Promise<string | undefined>;
  /** Ends runs at a point from which they can continue, and closes the database. */
  close(): Promise<void>;
};

/** Opens the database, creates and starts every feature. Rejects if the operator must fix something. */
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
    const assembled = await assemble(deps, deps.wrapDatabase?.(database) ?? database);
    return await startPlatform(deps, assembled).catch(async (cause) => {
      await assembled.close();
      throw cause;
    });
  } catch (cause) {
    await database.close();
    throw cause;
  }
}

/**
 * Calls `work` with the services of a platform that serves and starts nothing, for the command line. Rejects if a
 * server on SQLite has the database open.
 */
export async function withIdlePlatform<T>(
  deps: PlatformDeps,
  work: (services: Services, features: readonly OpenFeature[]) => Promise<T>,
): Promise<T> {
  const { databaseUrl, dataDir } = deps.config;
  const database = await openDatabase({ databaseUrl: databaseUrl.reveal(), dataDir });
  try {
    const { services, features, close } = await assemble(deps, database);
    try {
      return await work(services, features);
    } finally {
      await stopFeatures(features);
      await close();
    }
  } finally {
    await database.close();
  }
}

/** Creates every feature. `close` leaves the database open. */
async function assemble(deps: PlatformDeps, opened: Database) {
  const { context, close } = await openContext(deps, opened);
  try {
    const { services, features } = await openFeatures(context, declared);
    context.events.register(features);
    return { context, services, features, close };
  } catch (cause) {
    await close();
    throw cause;
  }
}

type Assembled = Awaited<ReturnType<typeof assemble>>;

async function startPlatform(
  { logger: plainLogger }: PlatformDeps,
  { context, services, features, close }: Assembled,
): Promise<Platform> {
  const { config, database } = context;
  const { authenticate, recheck, accounts } = services.identity;
  const routes = toRoutes(features);
  const app = createHttpApp({
    ...config,
    ...context,
    routes,
    authenticate,
    recheck,
    logger: plainLogger,
    gate: services.chatClientGate,
    confirmSave: services.confirmSave,
    isHostServed: createHostCheck(config),
    serveFile: createFiles(routes),
  });
  // Last: problems above are reported before anything starts by itself.
  await startFeatures(features);
  return {
    ...app,
    features,
    routes,
    findSetupToken: accounts.findSetupToken,
    async close() {
      await stopFeatures(features);
      await close();
      await database.close();
    },
  };
}

function toRoutes(features: readonly OpenFeature[]): Route[] {
  const routes = features.flatMap((feature) => feature.routes);
  const openApi = openApiRoute(() => createOpenApiDocument([...routes, openApi], { version }));
  return [...routes, openApi];
}

/** Served beside the API: its documentation page, and the builder for all other browser requests. */
function createFiles(routes: readonly Route[]): (request: Request) => Promise<Response | undefined> {
  const docs = createDocsFiles();
  const reserved = new Set(["api", "docs", ...routes.map(({ path }) => path.split("/")[1] ?? "")]);
  const builder = createBuilderFiles(builderFolder, reserved);
  return async (request) => (await docs(request)) ?? builder(request);
}

function storageLogger(logger: Logger) {
  return { error: (event: string, { cause }: Record<string, unknown>) => logger.error(event, { cause }) };
}
