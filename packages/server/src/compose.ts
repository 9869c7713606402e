import {
  type AgentService,
  createAgentReader,
  createAgentService,
  createAssistantReader,
  createAssistantService,
  createDraftRuns,
  createDraftService,
} from "@weft/agents";
import { createChats } from "@weft/chats";
import { createReadiness, type Database } from "@weft/database";
import { overrideOwnStores, ownStoresOf } from "@weft/dialects";
import { createUpsertHistoryService, createVectorUpsertService } from "@weft/document-stores";
import { createIdempotencyStore, ifFound, type Limits } from "@weft/http";
import { createIdentity } from "@weft/identity";
import { integrations } from "@weft/integrations";
import { createPersonalRuns } from "@weft/run-host";
import { budgetOf, readBudget } from "@weft/schema";
import { createChatClientGate } from "./access/index.ts";
import { createAttachmentService } from "./attachments/attachment.service.ts";
import { createAgentPolicies, keepByText } from "./chat-client/agent-policies.ts";
import { createChatClientService } from "./chat-client/chat-client.service.ts";
import type { Context } from "./context.ts";
import { createCredentialUses, createDestinations, openCredentials } from "./credentials/index.ts";
import type { Services } from "./feature.ts";
import type { FeatureEvents } from "./feature-events.ts";
import { createFlowService, type FlowService } from "./flows/flow.service.ts";
import { createFlowImportService, type FlowImportService } from "./flows/import-flow.ts";
import { createHostedChatService } from "./hosted-chat/hosted-chat.service.ts";
import { openCommandServers, type RunningCommands } from "./mcp/index.ts";
import { createDefaultModelService } from "./models/default-model.service.ts";
import { keepingStores } from "./own-stores.ts";
import { type CarriedKey, createRunnables } from "./predictions/index.ts";
import { createPrivacyService } from "./privacy/privacy.service.ts";
import { createProtocols } from "./protocols.ts";
import { createReachCheck, createStoredReferences } from "./references/index.ts";
import { createRequestTrialService } from "./request-trials/request-trial.service.ts";
import { createVisitorRetention } from "./retention/visitor-retention.ts";
import { createRuntime, type Runtime } from "./runtime.ts";
import { createToolService } from "./tools/tool.service.ts";
import { createExportService, createImportService } from "./transfer/index.ts";
import { createTriggers, type Triggers } from "./triggers.ts";
import { allowsPlainEntry, createPlainRule } from "./vault.ts";
import { version } from "./version.ts";

/** Every part of the platform. */
export type Parts = Awaited<ReturnType<typeof compose>>;

/** Makes every part after those that it needs: what is stored can be read before anything can change it. */
export async function compose(base: Context, services: Services) {
  const { config, database, clock, ids, logger, vault, nodeTypes, limits, isShared, events, hooks, redis } = base;
  const readers = createReaders(database);
  const { runnables } = readers;
  const { exists: agentExists } = runnables;
  const identity = await createIdentity({ ...config, database, clock, ids, logger, agentExists, isShared, limits });
  const findApiKey = identity.apiKeys.find;
  const material = await createMaterial(base, services);
  const { credentials, variables, tools, defaultModel } = material;
  const holds = { holdAgent: readers.agents.hold, holdAgentOrAssistant: runnables.hold, isThere: runnables.isThere };
  const chats = createChats({ database, clock, ids, logger, limits: config, ...holds });
  const { messages, files } = chats;
  const upsertHistory = createUpsertHistoryService({ database, clock, ids });
  const commandServers = await openCommandServers(config, { vault, logger });
  const runtime = createRuntime({
    hooks,
    telemetry: base.telemetry,
    costOf: material.prices.costOf,
    budgetIn: keepByText((apiConfig) => budgetOf(readBudget(apiConfig), config.budgetCeilings)),
    config,
    database,
    http: base.http,
    modelHttp: base.modelHttp,
    modelDefaults: base.modelDefaults,
    redis,
    clock,
    ids,
    logger,
    vault,
    nodeTypes,
    agents: runnables,
    drafts: createDraftRuns({ database, clock, ids }),
    credentials,
    defaultModel,
    messages,
    variables,
    tools,
    files,
    upsertHistory,
    commandServers,
    runEnded: events.runEnded,
  });
  const running = { readers, material, runtime, findApiKey };
  const triggers = createAgentTriggers(base, running);
  const flows = createFlows(base, { ...running, commandServers, triggers });
  const agents = createAgents(base, { events, flows, findApiKey, runtime });
  const assistants = createAssistants(base, { readers, material, events });
  const exporter = createExportService({ read: database.read, config, now: clock.now });
  return {
    base,
    events,
    readers,
    identity,
    findApiKey,
    material,
    chats,
    upsertHistory,
    runtime,
    triggers,
    flows,
    agents,
    drafts: createDraftService({ database, clock, checkFlow: flows.check }),
    imports: createImports(base, { flows, agents, readers, material, runtime }),
    assistants,
    exporter,
    importer: createImportService({
      read: database.read,
      exporter,
      variables,
      tools,
      documentStores: runtime.documentStores.stores,
      agents,
      assistants,
    }),
    ...createDoors(base, running, limits),
    ...createPrivacy(base, { chats, readers, runtime, triggers, limits }),
    attachments: createAttachmentService({ files, documents: runtime.documents, getForRun: runnables.getForRun }),
    health: { version, assertReady: createReadiness({ database, now: () => performance.now() }), logger },
  };
}

type Keepers = {
  chats: ReturnType<typeof createChats>;
  readers: ReturnType<typeof createReaders>;
  runtime: Runtime;
  triggers: Triggers;
  limits: Limits;
};

/** What is kept of a person stands in the tables of all of these. */
function createPrivacy(
  { config, database, clock, logger }: Context,
  { chats: { personal, leads }, readers, runtime, triggers, limits }: Keepers,
) {
  const { host, documentStores } = runtime;
  const runs = createPersonalRuns({ database, control: host.executions, budgets: host.budgets });
  const privacy = createPrivacyService({
    database,
    chats: personal,
    runs,
    executions: host.executions,
    documents: documentStores.personal,
    callbacks: triggers.callbacks,
    answers: createIdempotencyStore(database, clock),
    limits,
    logger,
  });
  const visitorRetention = createVisitorRetention({
    listAgents: readers.agents.listSettings,
    ...{ chats: personal, runs, leads, privacy, clock, logger },
    installation: config.visitorRetention,
  });
  return { privacy, visitorRetention };
}

function createReaders(database: Database) {
  const agents = createAgentReader(database);
  const assistants = createAssistantReader(database, agents);
  return { agents, runnables: createRunnables(agents, assistants) };
}

type Readers = ReturnType<typeof createReaders>;

/** What flows are made with: credentials, variables, tools, and the model that answers where they name none. */
async function createMaterial(
  { config, database, clock, ids, vault, nodeTypes, isShared, modelDefaults }: Context,
  { variables, prices }: Services,
) {
  const { dataDir, encryptionKey: given } = config;
  // A key that is given is meant for every process on a database that others can use.
  const keys = { dataDir, given, isShared: isShared || (!given.isEmpty && database.dialect === "postgres") };
  const credentials = await openCredentials({ database, keys, clock, ids, vault, operator: config });
  const uses = createCredentialUses({ variables, operator: config });
  const references = createStoredReferences(nodeTypes);
  const plain = createPlainRule(config);
  const hasCredential = async (id: string) => (await ifFound(credentials.get(id))) !== undefined;
  return {
    credentials,
    hasCredential,
    variables,
    uses,
    destinations: createDestinations({
      ...{ credentials, uses, references },
      allowsPlain: (host) => allowsPlainEntry(plain, host),
    }),
    references,
    tools: createToolService({ database, clock, ids }),
    prices,
    defaultModel: createDefaultModelService({ database, defaults: modelDefaults, hasCredential }),
  };
}

type Material = Awaited<ReturnType<typeof createMaterial>>;

type Running = {
  readers: Readers;
  material: Material;
  runtime: Runtime;
  findApiKey(key: string): Promise<CarriedKey | undefined>;
};

/** What starts runs by itself, and tells others how they ended. */
function createAgentTriggers(base: Context, { readers, material, runtime }: Running): Triggers {
  const { config, database, clock, ids, logger } = base;
  const { credentials, variables } = material;
  const { http, predictions, host, compile } = runtime;
  return createTriggers({
    database,
    clock,
    ids,
    logger,
    minScheduleIntervalMs: config.minScheduleIntervalMs,
    credentials,
    variables,
    http,
    predictions,
    host,
    getForRun: readers.runnables.getForRun,
    toRunnable: readers.agents.toRunnable,
    compile,
  });
}

/** Where `npm run builder` leaves the chat client. */
const widgetFolder = new URL("../../widget/dist/", import.meta.url);

/** Agents for chat clients and for programs that speak other protocols, and what their authors try out. */
function createDoors({ config, clock, ids }: Context, running: Running, limits: Limits) {
  const { readers, material, runtime, findApiKey } = running;
  const { publicRateLimit, allowPublicFlows, corsOrigins, bodyLimitBytes } = config;
  const { findSettings, listSettings } = readers.agents;
  const { getForRun, toRunnable } = readers.runnables;
  const { predictions, compile, documentStores, nodeServices } = runtime;
  const policies = createAgentPolicies({ findSettings, allowPublicFlows, publicRateLimit });
  const gate = createChatClientGate({ limits, policies, corsOrigins });
  const served = { listSettings, getForRun, toRunnable, compile, predictions, findApiKey, gate, clock, ids };
  const findDefaultProvider = material.defaultModel.findProvider;
  return {
    gate,
    protocols: createProtocols(served),
    chatClient: createChatClientService({ getForRun, compile, findDefaultProvider, bodyLimitBytes }),
    textToSpeech: runtime.textToSpeech,
    hostedChat: createHostedChatService({ findPolicy: policies.find, folder: widgetFolder }),
    vectorUpserts: createVectorUpsertService({
      upserts: documentStores.upserts,
      own: documentStores.own,
      reader: { storesOf: ownStoresOf, override: overrideOwnStores },
      getForRun,
      compile,
    }),
    requestTrials: createRequestTrialService({ ...nodeServices, newId: ids.uuid }),
  };
}

type FlowParts = Running & { commandServers: RunningCommands; triggers: Triggers };

function createFlows({ database, nodeTypes }: Context, parts: FlowParts): FlowService {
  const { readers, material, runtime, commandServers, triggers, findApiKey } = parts;
  const { tools, variables } = material;
  return createFlowService({
    nodeTypes,
    checkSchedule: triggers.schedules.check,
    checkHosts: material.destinations.check,
    findApiKey,
    integrations,
    storedTools: tools,
    services: runtime.nodeServices,
    variableNames: async () => Object.keys(await variables.all()),
    storeProblems: runtime.documentStores.own.problems,
    known: {
      credential: material.hasCredential,
      tool: async (id) => (await tools.find(id)) !== undefined,
      agent: (id) => readers.runnables.exists(database.read, id),
      "document-store": async (id) => (await ifFound(runtime.documentStores.stores.get(id))) !== undefined,
      "mcp-server": async (name) => commandServers.names.includes(name),
    },
  });
}

type AgentParts = Pick<Running, "findApiKey" | "runtime"> & { events: FeatureEvents; flows: FlowService };

function createAgents({ database, clock, ids }: Context, { events, flows, findApiKey, runtime }: AgentParts) {
  const agents = createAgentService({ database, clock, ids, events, checkFlow: flows.check, findApiKey });
  return keepingStores(agents, runtime.documentStores.own);
}

type ImportParts = { flows: FlowService; agents: AgentService; readers: Readers; material: Material; runtime: Runtime };

function createImports(
  { ids, nodeTypes }: Context,
  { flows, agents, readers, material, runtime }: ImportParts,
): FlowImportService {
  const { credentials } = material;
  const makeStores = runtime.documentStores.own.make;
  const listAgents = readers.agents.listSettings;
  const assertMayName = createReachCheck(nodeTypes);
  return createFlowImportService({ flows, agents, listAgents, credentials, ids, makeStores, assertMayName });
}

type AssistantParts = { readers: Readers; material: Material; events: FeatureEvents };

function createAssistants({ database, clock, ids }: Context, { readers, material, events }: AssistantParts) {
  const { agents } = readers;
  const { tools, hasCredential } = material;
  return createAssistantService({
    database,
    clock,
    ids,
    events,
    flowOfVersion: agents.flowOfVersion,
    hasCredential,
    async kindOf(id) {
      if (await agents.exists(database.read, id)) return "agent";
      if ((await tools.find(id)) !== undefined) return "tool";
      return (await hasCredential(id)) ? "credential" : undefined;
    },
  });
}
