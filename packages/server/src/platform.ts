import { type Clock, compileFlow, type IdSource } from "@weft/engine";
import { eventApiDocument } from "@weft/event-api";
import { nodeRegistry } from "@weft/nodes";
import { createAccountService } from "./accounts/account.service.ts";
import { createAuthenticator } from "./accounts/authenticator.ts";
import { createIdentityCache } from "./accounts/identity-cache.ts";
import { loadTokenKey } from "./accounts/key-file.ts";
import { createTokens } from "./accounts/tokens.ts";
import { createAgentService } from "./agents/agent.service.ts";
import { createApiKeyService } from "./api-keys/api-key.service.ts";
import { createChatMessageService } from "./chat-messages/chat-message.service.ts";
import type { Config } from "./config.ts";
import { createCredentialService } from "./credentials/credential.service.ts";
import { loadEncryptionKeys } from "./credentials/encryption-keys.ts";
import { createSecretBox } from "./credentials/secret-box.ts";
import { seedDemoAgents } from "./demo/seed-demo-agents.ts";
import { createHttpApp, type HttpApp } from "./http/create-http-app.ts";
import type { Logger } from "./logger.ts";
import { allRoutes, type Services } from "./routes.ts";
import { createRuntime } from "./runtime.ts";
import type { Database } from "./storage/database.ts";
import { openDatabase } from "./storage/open-database.ts";
import { prepareDirectory } from "./storage/prepare-directory.ts";
import { version } from "./version.ts";

export type PlatformDeps = { config: Config; clock: Clock; ids: IdSource; logger: Logger };

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
    return await startPlatform(deps, database);
  } catch (cause) {
    await database.close();
    throw cause;
  }
}

async function startPlatform(deps: PlatformDeps, database: Database): Promise<Platform> {
  const { config } = deps;
  const { services, runtime, authenticate } = await createServices(deps, database);
  if (config.admin) {
    await services.accounts.ensureAdmin({ email: config.admin.email, password: config.admin.password.reveal() });
  }
  await seedDemo(deps, database, services);
  await runtime.start();
  const { bodyLimitBytes } = config;
  const app = createHttpApp({ ...deps, routes: allRoutes(services), authenticate, bodyLimitBytes });
  return {
    ...app,
    findSetupToken: services.accounts.findSetupToken,
    async close() {
      await runtime.close();
      await database.close();
    },
  };
}

async function createServices(deps: PlatformDeps, database: Database) {
  const { config, clock, ids, logger } = deps;
  const cache = createIdentityCache(clock);
  const tokens = createTokens({ key: await loadTokenKey(config.dataDir), ttlMs: config.jwtTtlMs, clock, ids });
  const apiKeys = createApiKeyService({ database, clock, ids, logger, forgetIdentities: () => cache.clear() });
  const accounts = createAccountService({ database, tokens, cache, clock, ids });
  const messages = createChatMessageService({ database, clock });
  const agents = createAgentService({
    database,
    clock,
    ids,
    checkFlow: (flowData) => [...compileFlow(flowData, nodeRegistry).findings],
    findApiKeyId: apiKeys.findApiKeyId,
    onDelete: [messages.removeOfAgent, (tx, agentId) => runtime.runs.cancelOfAgent(tx, agentId)],
  });
  const secretBox = createSecretBox(await loadEncryptionKeys(config.dataDir));
  const credentials = createCredentialService({ database, clock, ids, secretBox });
  const runtime = createRuntime({ ...deps, database, agents, credentials, messages });
  const services: Services = {
    accounts,
    apiKeys,
    agents,
    credentials,
    messages,
    executions: runtime.executions,
    prediction: {
      predictions: runtime.predictions,
      runs: runtime.runs,
      isPublic: (id) => isPublic(config, agents, id),
      findApiKeyId: apiKeys.findApiKeyId,
    },
    health: { version, assertReady: () => database.ping(), logger },
  };
  const authenticate = createAuthenticator({ database, tokens, cache, identifyApiKey: apiKeys.identify });
  return { services, runtime, authenticate };
}

async function isPublic(config: Config, agents: Services["agents"], id: string): Promise<boolean> {
  if (!config.allowPublicFlows) return false;
  const runnable = await agents.getForRun(id).catch(() => undefined);
  return runnable?.agent.isPublic === 1;
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
