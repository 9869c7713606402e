import { createReadiness, type Database, openDatabase, prepareDirectory } from "@weft/database";
import { createVectorUpsertService } from "@weft/document-stores";
import { createSecretVault } from "@weft/egress";
import type { Clock, IdSource, NodeRegistry } from "@weft/engine";
import { eventApiDocument } from "@weft/event-api";
import {
  createHostCheck,
  createHttpApp,
  createIdempotencyStore,
  type HttpApp,
  ifFound,
  type Logger,
  type Route,
} from "@weft/http";
import { integrations } from "@weft/integrations";
import { nodeRegistry } from "@weft/nodes";
import type { RunHooks } from "@weft/run-host";
import { createAttachmentService } from "./attachments/attachment.service.ts";
import { createBuilderFiles } from "./builder/builder-files.ts";
import { createAgentPolicies } from "./chat-client/agent-policies.ts";
import { createChatClientService } from "./chat-client/chat-client.service.ts";
import type { Config } from "./config.ts";
import { concealInLog, fillHosts } from "./credentials/index.ts";
import { seedDemoAgents } from "./demo/seed-demo-agents.ts";
import { createDocsFiles } from "./docs/docs-files.ts";
import { createFileSweeper } from "./files/index.ts";
import { createFlowService } from "./flows/flow.service.ts";
import { createIdentity } from "./identity.ts";
import { createLibrary } from "./library.ts";
import { openCommandServers } from "./mcp/index.ts";
import { toModelDefaults } from "./model-defaults.ts";
import { createDefaultModelService } from "./models/default-model.service.ts";
import { tryModel } from "./models/try-model.ts";
import { createRunnables, findClosedOverrides } from "./predictions/index.ts";
import { createProtocols } from "./protocols.ts";
import { createRequestTrialService } from "./request-trials/request-trial.service.ts";
import { allRoutes, type Services } from "./routes.ts";
import { createRuntime } from "./runtime.ts";
import { createTriggers } from "./triggers.ts";
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
const builderFolder = new URL("dist/", import.meta.resolve("@weft/builder/package.json"));

/** The whole platform behind one fetch function. */
export type Platform = HttpApp & {
  /** With it the first account is created, once; undefined when there is one. */
  findSetupToken(): Promise<string | undefined>;
  /** Ends runs at a point from which they can go on, and closes the database. */
  close(): Promise<void>;
};

/** Opens the database, wires every part, takes over unfinished runs. Rejects when the operator must mend something. */
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
    logger: storageLogger(logger),
  });
  try {
    return await startPlatform(deps, deps.wrapDatabase?.(database) ?? database);
  } catch (cause) {
    await database.close();
    throw cause;
  }
}

async function startPlatform(deps: PlatformDeps, database: Database): Promise<Platform> {
  const { config } = deps;
  const { services, runtime, triggers, authenticate, agentPolicies } = await createServices(deps, database);
  if (config.admin) {
    await services.accounts.ensureAdmin({ email: config.admin.email, password: config.admin.password.reveal() });
  }
  await fillHosts({ read: database.read, ...services, binding: services.hostBinding, logger: deps.logger });
  await warnOfClosedOverrides(deps, database);
  await seedDemo(deps, database, services);
  await runtime.start();
  await triggers.start();
  const fileSweeper = createFileSweeper({ ...deps, ...config, files: services.files });
  fileSweeper.start();
  const { bodyLimitBytes, trustedProxyHops, corsOrigins, hstsSeconds } = config;
  const idempotency = createIdempotencyStore(database, deps.clock);
  const isHostServed = createHostCheck(config);
  const limits = { bodyLimitBytes, trustedProxyHops, corsOrigins, hstsSeconds, agentPolicies, isHostServed };
  const routes = allRoutes(services);
  const serveFile = createFiles(routes);
  const app = createHttpApp({ ...deps, ...limits, routes, authenticate, idempotency, serveFile });
  return {
    ...app,
    findSetupToken: services.accounts.findSetupToken,
    async close() {
      await fileSweeper.stop();
      await triggers.stop();
      await runtime.close();
      await database.close();
    },
  };
}

/** Names at each start the agents whose clients rely on overrides that an upgrade closed. */
async function warnOfClosedOverrides({ logger, clock }: PlatformDeps, { read }: Database): Promise<void> {
  for (const { agentId, agentName, names } of await findClosedOverrides(read, clock.now())) {
    const list = names.slice(0, 10).join(", ");
    const reason = `Requests to the agent "${agentName.slice(0, 100)}" overrode ${list} within the last 30 days. API keys and visitors no longer may: enable under "Overrides" in the agent's settings what they need.`;
    logger.warn("overrides-closed", { agentId, reason });
  }
}

/** What is served beside the API: its documentation page, and the builder wherever else a browser goes. */
function createFiles(routes: readonly Route[]): (request: Request) => Promise<Response | undefined> {
  const docs = createDocsFiles();
  const reserved = new Set(["api", "docs", ...routes.map(({ path }) => path.split("/")[1] ?? "")]);
  const builder = createBuilderFiles({ folder: builderFolder, reserved });
  return async (request) => (await docs(request)) ?? builder(request);
}

async function createServices(given: PlatformDeps, database: Database) {
  const vault = createSecretVault();
  const deps = { ...given, logger: concealInLog(given.logger, vault) };
  const { config, logger, nodeTypes = nodeRegistry } = deps;
  const { authenticate, ...identity } = await createIdentity({
    ...deps,
    database,
    agentExists: (tx, id) => runnables.exists(tx, id),
  });
  const { find: findApiKey } = identity.apiKeys;
  const findApiKeyId = async (keyOrId: string) => (await findApiKey(keyOrId))?.id;
  // Runs and triggers are made of what is stored, and hear of what is saved and deleted there.
  const library = await createLibrary({
    ...deps,
    vault,
    database,
    findApiKeyId,
    checkFlow: (flowData, settings) => flows.check(flowData, settings),
    onSave: [(tx, saved) => triggers.schedules.sync(tx, saved)],
    onDelete: [
      (tx, agentId) => runtime.runs.cancelOfAgent(tx, agentId),
      (tx, agentId) => triggers.removeOfAgent(tx, agentId),
    ],
  });
  const runnables = createRunnables(library.agents, library.assistants);
  const { getForRun } = runnables;
  const defaultModel = createDefaultModelService({
    database,
    defaults: toModelDefaults(config, vault),
    hasCredential: library.hasCredential,
  });
  const commandServers = await openCommandServers(config, { vault, logger });
  const runtime = createRuntime({
    ...deps,
    ...library,
    vault,
    nodeTypes,
    agents: runnables,
    defaultModel,
    commandServers,
    database,
  });
  const agentPolicies = createAgentPolicies({ ...config, findSettings: library.agents.findSettings });
  const triggers = createTriggers({ ...deps, ...runtime, ...library, database, getForRun });
  const flows = createFlowService({
    nodeTypes,
    ...triggers,
    checkHosts: library.hostBinding.check,
    integrations,
    storedTools: library.tools,
    services: runtime.nodeServices,
    variableNames: async () => Object.keys(await library.variables.all()),
    known: {
      credential: library.hasCredential,
      tool: async (id) => (await library.tools.find(id)) !== undefined,
      agent: (id) => runnables.exists(database.read, id),
      "document-store": async (id) => (await ifFound(runtime.documentStores.stores.get(id))) !== undefined,
      "mcp-server": async (name) => commandServers.names.includes(name),
    },
  });
  const services: Services = {
    ...identity,
    ...library,
    flows,
    ...createProtocols({ ...deps, ...config, ...runtime, ...library, findApiKey, getForRun, agentPolicies }),
    toolTrials: runtime.toolTrials,
    requestTrials: createRequestTrialService({ ...runtime.nodeServices, newId: deps.ids.uuid }),
    attachments: createAttachmentService({ ...runtime, ...library, getForRun }),
    executions: runtime.executions,
    documentStores: {
      ...runtime.documentStores,
      vectorUpserts: createVectorUpsertService({ ...runtime, ...runtime.documentStores, getForRun }),
    },
    models: {
      ...defaultModel,
      tryModel: (reference, signal) => tryModel({ ...runtime, ...deps.clock }, reference, signal),
    },
    nodeTypes,
    prediction: { ...runtime, findApiKey },
    chatClient: createChatClientService({
      ...config,
      ...runtime,
      getForRun,
      findDefaultProvider: defaultModel.findProvider,
    }),
    webhooks: { webhooks: triggers.webhooks, callbacks: triggers.callbacks, findApiKey },
    schedules: triggers.schedules,
    health: { version, assertReady: createReadiness({ database, now: () => performance.now() }), logger },
  };
  return { services, runtime, triggers, authenticate, agentPolicies };
}

async function seedDemo({ config }: PlatformDeps, database: Database, { agents }: Services): Promise<void> {
  const port = config.eventApiPort;
  if (port === undefined) return;
  await seedDemoAgents(database, agents, {
    eventApiUrl: `http://127.0.0.1:${port}`,
    openApiText: await eventApiDocument(),
  });
}

function storageLogger(logger: Logger) {
  return { error: (event: string, { cause }: Record<string, unknown>) => logger.error(event, { cause }) };
}
