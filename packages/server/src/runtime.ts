import type { Database } from "@weft/database";
import { createDocumentStores, type DocumentStores, type UpsertHistoryService } from "@weft/document-stores";
import { createDocumentReader, type DocumentReader } from "@weft/documents";
import { createAllowList, createEgressClient, type EgressClient, type SecretVault, toAllowEntry } from "@weft/egress";
import {
  type Clock,
  type CompiledFlow,
  defaultRunLimits,
  type EngineDeps,
  type IdSource,
  type NodeRegistry,
} from "@weft/engine";
import type { Logger } from "@weft/http";
import { createToolResolver, integrations } from "@weft/integrations";
import { createModelResolver } from "@weft/providers";
import {
  type ActiveRun,
  bothOf,
  createAnswerService,
  createExecutionControl,
  createExecutionService,
  createRetention,
  createRunBroadcast,
  createRunService,
  createRunStore,
  createRunTail,
  createRunTailStore,
  createSessionTurns,
  createTurnstile,
  type ExecutionControl,
  type ExecutionService,
  isBuiltIn,
  type RunHooks,
  type RunService,
  type RunStore,
  readFlowState,
  readRunInput,
  runLeaseMs,
  type SessionTurns,
  toSummary,
} from "@weft/run-host";
import { createSandbox } from "@weft/sandbox";
import type { RunInput } from "@weft/schema";
import { createVectorStores } from "@weft/vector-stores";
import { createFlowCache, type FlowCache } from "./agents/index.ts";
import { parseAbandonedRuns } from "./chat-client/parse-settings.ts";
import { type ChatMessageService, createMemory, createRunProjection } from "./chat-messages/index.ts";
import type { Config } from "./config.ts";
import {
  type CredentialService,
  concealIn,
  concealInSandbox,
  redactResolvers,
  withoutSecrets,
} from "./credentials/index.ts";
import type { FileService } from "./files/index.ts";
import type { RunningCommands } from "./mcp/index.ts";
import { toModelDefaults } from "./model-defaults.ts";
import type { DefaultModelService } from "./models/default-model.service.ts";
import {
  type AttachService,
  createAttachService,
  createChildRuns,
  createOpenStreams,
  createPredictionService,
  createTranscriber,
  type PredictionService,
  type Runnables,
  withNodeConfig,
} from "./predictions/index.ts";
import type { ToolService } from "./tools/tool.service.ts";
import { createToolTrialService, type ToolTrialService } from "./tools/tool-trial.service.ts";
import type { VariableService } from "./variables/variable.service.ts";

export type RuntimeDeps = RunHooks & {
  config: Config;
  database: Database;
  nodeTypes: NodeRegistry;
  agents: Runnables;
  credentials: CredentialService;
  vault: SecretVault;
  defaultModel: Pick<DefaultModelService, "applyTo">;
  messages: ChatMessageService;
  variables: VariableService;
  tools: ToolService;
  files: FileService;
  upsertHistory: UpsertHistoryService;
  commandServers: RunningCommands;
  clock: Clock;
  ids: IdSource;
  logger: Logger;
};

/** The part of the platform that runs flows. */
export type Runtime = {
  runs: RunService;
  predictions: PredictionService;
  attach: AttachService;
  executions: ExecutionService & ExecutionControl;
  documentStores: DocumentStores;
  toolTrials: ToolTrialService;
  documents: DocumentReader;
  /** What leaves the process. */
  http: EgressClient;
  compile: FlowCache["compile"];
  /** What nodes use, for checks of flows and trials of their requests: with a sandbox apart from the one of runs. */
  nodeServices: Pick<EngineDeps["services"], "models" | "tools" | "readCredential" | "http" | "sandbox">;
  /** As flows reach models. */
  models: EngineDeps["services"]["models"];
  /** Takes over what was left unfinished, and keeps doing so. */
  start(): Promise<void>;
  /** Lets go of running flows, resumable, and closes what they used. */
  close(): Promise<void>;
};

export function createRuntime(deps: RuntimeDeps): Runtime {
  const { config, database, agents, messages, ids, logger, vault } = deps;
  const active = new Map<string, ActiveRun>();
  const broadcast = createRunBroadcast();
  const flows = createFlowCache(deps.nodeTypes);
  const owner = ids.uuid();
  const world = openWorld(deps);
  const { egress, documents } = world;
  const tailStore = createRunTailStore(database.read);
  const documentStores = createDocumentStores({
    ...deps,
    ...world,
    http: egress,
    modelHttp: world.models,
    events: tailStore,
    runs: () => runs,
  });
  const turns = createSessionTurns(database);
  const store = openRunStore(deps, { active, documentStores, turns });
  const flowOfRun = createFlowOfRun(deps, { flows, documentStores });
  const engine: EngineDeps = {
    ...deps,
    journal: store.journalOf({ owner, leaseMs: runLeaseMs }),
    observer: bothOf(broadcast, deps.observer),
    conceal: (body) => concealIn(body, vault),
    services: {
      ...nodeServices(deps, world),
      ...documentStores.services,
      childRuns: { run: (request) => childRuns.run(request) },
    },
    memory: memoryOf(deps),
    limits: { ...defaultRunLimits, wallTimeMs: config.runTimeoutMs },
    onBug: (cause) => logger.error("run-bug", { cause }),
  };
  const streams = createOpenStreams(config.maxStreams);
  const running = { ...deps, ...turnstilesOf(config), signals: database.signals, store, turns, engine };
  const runs = createRunService({ ...running, active, broadcast, flowOfRun, owner, patienceMs: patienceOf(agents) });
  const conceal = <T>(shown: T): T => withoutSecrets(shown, vault);
  const executions = createExecutionService({ ...database, store: { ...store, ...tailStore }, flowOfRun, conceal });
  const tail = createRunTail({ store: tailStore, broadcast, isHere: (id) => active.has(id), logger });
  const stopping = new AbortController();
  const asking = { ids, messages, registry: deps.nodeTypes, compile: flows.compile, getForRun: agents.getForRun };
  const childRuns = createChildRuns({ ...asking, runs, tail, store: tailStore, stopping: stopping.signal });
  const answers = createAnswerService({ store, runs, flowOfRun, logger });
  const control = createExecutionControl({ ...deps, runs, answers, executions, forgetRuns: messages.forgetRuns });
  const retention = createRetention({ ...deps, ...config, control });
  const attach = createAttachService({ executions, tail, streams, getForRun: agents.getForRun });
  return {
    runs,
    documentStores,
    executions: { ...executions, ...control },
    attach,
    compile: flows.compile,
    nodeServices: { ...engine.services, sandbox: world.trialSandbox },
    models: engine.services.models,
    documents,
    http: egress,
    toolTrials: createToolTrialService({ getTool: deps.tools.get, http: egress, sandbox: world.trialSandbox }),
    predictions: createPredictionService({
      ...asking,
      runs,
      broadcast,
      attach,
      streams,
      answers,
      executions,
      files: deps.files,
      documents,
      http: egress,
      transcribe: transcriberOf(deps, world),
    }),
    async start() {
      await runs.start();
      await documentStores.start();
      retention.start();
    },
    async close() {
      stopping.abort();
      await retention.stop();
      await documentStores.stop();
      await runs.shutDown();
      tail.close();
      await deps.commandServers.close();
      await documentStores.close();
      await world.close();
    },
  };
}

type Parts = { active: Map<string, ActiveRun>; flows: FlowCache; documentStores: DocumentStores; turns: SessionTurns };

/** Runs, and what follows from their ends: the messages of a chat, or the state of a document store. */
function openRunStore(
  { database, messages, agents }: RuntimeDeps,
  { active, documentStores, turns }: Pick<Parts, "active" | "documentStores" | "turns">,
): RunStore {
  const project = createRunProjection({
    active,
    messages,
    agentExists: agents.exists,
    journalOf: (tx, runId) => createRunTailStore(tx).eventsAfter(runId, 0),
  });
  return createRunStore({
    database,
    turns,
    async project(tx, run, events) {
      await project(tx, run, events);
      await documentStores.settle(tx, run, events);
    },
    summarise(runId, end) {
      const run = active.get(runId);
      return run && toSummary({ flow: run.flow, state: run.handle.state }, end);
    },
  });
}

/** Finds the flow that a run began with, with its own overrides. */
function createFlowOfRun(
  { agents, nodeTypes }: RuntimeDeps,
  { flows, documentStores }: Pick<Parts, "flows" | "documentStores">,
) {
  return async (agentVersionId: string, input: RunInput): Promise<CompiledFlow | undefined> => {
    if (isBuiltIn(agentVersionId)) return documentStores.builtInFlows.get(agentVersionId);
    const flowData = await agents.flowOfVersion(agentVersionId);
    if (flowData === undefined) return undefined;
    const flow = flows.compile(agentVersionId, flowData);
    return withNodeConfig(flow, input.nodeConfig ?? {}, nodeTypes).flow;
  };
}

/** How long a visitor's run goes on alone; see `createAbandonedRuns`. */
function patienceOf(agents: Runnables) {
  return async (agentId: string) => parseAbandonedRuns((await agents.findSettings(agentId))?.apiConfig ?? "{}");
}

function turnstilesOf({ maxConcurrentRuns: maxRunning, maxQueuedRuns: maxWaiting, maxAnonymousRuns }: Config) {
  return {
    turnstile: createTurnstile({ maxRunning, maxWaiting, maxAnonymous: maxAnonymousRuns }),
    builtInTurnstile: createTurnstile({ maxRunning: maxOpenUpserts, maxWaiting: 0 }),
  };
}

function transcriberOf({ credentials }: RuntimeDeps, { models, modelDefaults: defaults }: World) {
  return createTranscriber({ defaults, readCredential: credentials.lend, fetch: models.fetch });
}

function memoryOf({ messages, database }: RuntimeDeps): EngineDeps["memory"] {
  return createMemory(messages, {
    flowState: (runId) => readFlowState(database.read, runId),
    input: (runId) => readRunInput(database.read, runId),
  });
}

type World = ReturnType<typeof openWorld>;

/** What leaves the process, and what works beside it. */
function openWorld({ config, database, credentials, vault }: RuntimeDeps) {
  const egress = createEgressClient({ allow: hostsForFlows(config), vault });
  const { firstTokenMs, betweenTokensMs } = config.modelLimits;
  const models = createEgressClient({
    allow: [...config.egressAllow, ...hostsForModels(config)],
    vault,
    // The models' own limits say better what was waited for.
    defaults: { fetchIdleMs: Math.max(120_000, firstTokenMs, betweenTokensMs) + 5_000 },
  });
  const maxTimeoutMs = config.maxFunctionTimeoutMs;
  const threads = createSandbox({ maxTimeoutMs });
  const trialSandbox = createSandbox({ workers: 4, maxTimeoutMs });
  const documents = createDocumentReader();
  const allow = createAllowList(config.egressAllow);
  const vectors = createVectorStores({
    database,
    databaseUrl: config.databaseUrl.reveal(),
    dataDir: config.dataDir,
    readCredential: credentials.lend,
    reveal: vault.reveal,
    fetch: egress.fetch,
    permitsHost: allow.permits,
  });
  return {
    egress,
    models,
    modelDefaults: toModelDefaults(config, vault),
    vectors,
    sandbox: concealInSandbox(threads, vault),
    trialSandbox,
    documents,
    async close() {
      await vectors.close();
      await threads.close();
      await trialSandbox.close();
      await documents.close();
      await egress.close();
      await models.close();
    },
  };
}

function nodeServices(
  { config, credentials, vault, defaultModel, tools, files, commandServers, clock, wrapResolvers }: RuntimeDeps,
  { egress, models: modelHttp, modelDefaults: defaults, sandbox }: World,
): Omit<EngineDeps["services"], "childRuns" | "retriever" | "documentWriter"> {
  const patience = { limits: config.modelLimits, clock };
  const models = createModelResolver({ defaults, readCredential: credentials.lend, fetch: modelHttp.fetch, patience });
  const resolvers = {
    models: defaultModel.applyTo(models),
    tools: createToolResolver(integrations, { clock, storedTools: tools, fetch: egress.fetch, commandServers }),
  };
  return {
    ...redactResolvers(wrapResolvers?.(resolvers) ?? resolvers, vault),
    http: egress,
    sandbox,
    readCredential: credentials.lend,
    files,
  };
}

/** Upserts that this process has begun, most of which wait for those before them. More are refused. */
const maxOpenUpserts = 200;

/** Hosts, as `host:port`, that every flow may call: what the operator allows to all, and the demonstration API. */
function hostsForFlows({ egressAllow, eventApiPort }: Config): string[] {
  const eventApi = eventApiPort === undefined ? [] : [`127.0.0.1:${eventApiPort}`, `localhost:${eventApiPort}`];
  return [...egressAllow, ...eventApi];
}

/** Hosts that the operator named for models: for calls of models, speech and embeddings alone. */
function hostsForModels({ openAiBaseUrl, ollamaUrl }: Config): string[] {
  return [openAiBaseUrl, ollamaUrl].filter((url) => url !== "").map(toAllowEntry);
}
