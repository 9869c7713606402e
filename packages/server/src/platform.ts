import { readFlow } from "@weft/dialects";
import { type Clock, compileFlow, type IdSource } from "@weft/engine";
import { eventApiDocument } from "@weft/event-api";
import { nodeRegistry } from "@weft/nodes";
import { defaultProviderName } from "@weft/providers";
import type { Finding } from "@weft/schema";
import { createAttachmentService } from "./attachments/attachment.service.ts";
import { createAgentPolicies } from "./chat-client/agent-policies.ts";
import { createChatClientService } from "./chat-client/chat-client.service.ts";
import type { Config } from "./config.ts";
import { seedDemoAgents } from "./demo/seed-demo-agents.ts";
import { createDocsFiles } from "./docs/docs-files.ts";
import { createHttpApp, type HttpApp } from "./http/create-http-app.ts";
import { createIdempotencyStore } from "./idempotency/idempotency.store.ts";
import { createIdentity } from "./identity.ts";
import { createLibrary } from "./library.ts";
import type { Logger } from "./logger.ts";
import { openCommandServers } from "./mcp/command-servers.ts";
import { toModelDefaults } from "./model-defaults.ts";
import { allRoutes, type Services } from "./routes.ts";
import type { RunHooks } from "./runs/run-hooks.ts";
import { createRunnables } from "./runs/runnables.ts";
import { createRuntime } from "./runtime.ts";
import type { ScheduleService } from "./schedules/schedule.service.ts";
import { createProtocols } from "./served-agents/create-protocols.ts";
import type { Database } from "./storage/database.ts";
import { openDatabase } from "./storage/open-database.ts";
import { prepareDirectory } from "./storage/prepare-directory.ts";
import { createTriggers } from "./triggers.ts";
import { version } from "./version.ts";

export type PlatformDeps = RunHooks & {
  config: Config;
  clock: Clock;
  ids: IdSource;
  logger: Logger;
  /** What every part uses in place of the database that was opened. Tests make it fail. */
  wrapDatabase?(database: Database): Database;
};

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
  await prepareDirectory(dataDir);
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
  await seedDemo(deps, database, services);
  await runtime.start();
  await triggers.start();
  const { bodyLimitBytes, trustedProxyHops, corsOrigins } = config;
  const idempotency = createIdempotencyStore(database, deps.clock);
  const limits = { bodyLimitBytes, trustedProxyHops, corsOrigins, agentPolicies };
  const routes = allRoutes(services);
  const serveFile = createDocsFiles();
  const app = createHttpApp({ ...deps, ...limits, routes, authenticate, idempotency, serveFile });
  return {
    ...app,
    findSetupToken: services.accounts.findSetupToken,
    async close() {
      await triggers.stop();
      await runtime.close();
      await database.close();
    },
  };
}

async function createServices(deps: PlatformDeps, database: Database) {
  const { config, logger } = deps;
  const { authenticate, ...identity } = await createIdentity({ ...deps, database });
  const { findApiKeyId } = identity.apiKeys;
  // Runs and triggers are made of what is stored, and hear of what is saved and deleted there.
  const library = await createLibrary({
    ...deps,
    database,
    findApiKeyId,
    checkFlow: (flowData) => checkFlow(flowData, triggers.schedules),
    onSave: [(tx, saved) => triggers.schedules.sync(tx, saved)],
    onDelete: [
      (tx, agentId) => runtime.runs.cancelOfAgent(tx, agentId),
      (tx, agentId) => triggers.removeOfAgent(tx, agentId),
    ],
  });
  const runnables = createRunnables(library.agents, library.assistants);
  const { getForRun } = runnables;
  const commandServers = await openCommandServers(config, logger);
  const runtime = createRuntime({ ...deps, ...library, agents: runnables, commandServers, database });
  const agentPolicies = createAgentPolicies({ ...config, findSettings: library.agents.findSettings });
  const defaultProvider = defaultProviderName(toModelDefaults(config));
  const triggers = createTriggers({ ...deps, ...runtime, ...library, database, getForRun });
  const services: Services = {
    ...identity,
    ...library,
    ...createProtocols({ ...deps, ...config, ...runtime, ...library, findApiKeyId, getForRun, agentPolicies }),
    toolTrials: runtime.toolTrials,
    attachments: createAttachmentService({ ...runtime, ...library, getForRun }),
    executions: runtime.executions,
    models: { defaultProvider },
    prediction: { ...runtime, findApiKeyId },
    chatClient: createChatClientService({ ...config, ...runtime, getForRun, defaultProvider }),
    webhooks: { webhooks: triggers.webhooks, findApiKeyId },
    schedules: triggers.schedules,
    health: { version, assertReady: () => database.ping(), logger },
  };
  return { services, runtime, triggers, authenticate, agentPolicies };
}

function checkFlow(flowData: string, schedules: Pick<ScheduleService, "check">): Finding[] {
  const flow = compileFlow(flowData, nodeRegistry, readFlow);
  return [...flow.findings, ...schedules.check(flow)];
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
