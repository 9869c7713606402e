import { createFlowCache, type DraftRuns, type FlowCache } from "@weft/agents";
import { type ChatMessageService, createMemory, type FileService } from "@weft/chats";
import type { Database } from "@weft/database";
import { createDocumentStores, type DocumentStores, type UpsertHistoryService } from "@weft/document-stores";
import { createDocumentReader, type DocumentReader } from "@weft/documents";
import { createAllowList, type EgressClient, type SecretVault } from "@weft/egress";
import type { CompiledFlow, EngineDeps } from "@weft/engine";
import type { NodeRegistry } from "@weft/engine/node";
import type { Clock, IdSource } from "@weft/engine/ports/clock";
import type { Logger } from "@weft/http/logger";
import { createToolResolver, integrations } from "@weft/integrations";
import { createModelResolver, createSpeaker, createTranscriber, type ModelDefaults } from "@weft/providers";
import {
  type CostOf,
  createRunHost,
  type ProjectRun,
  type RedisDispatch,
  type RunHooks,
  type RunHost,
  readFlowState,
  readRunInput,
} from "@weft/run-host";
import { createSandbox } from "@weft/sandbox";
import { type Budget, chatOwnerOf, type RunInput } from "@weft/schema";
import { createForeignPool, createSqlClient } from "@weft/sql";
import type { Telemetry } from "@weft/telemetry";
import { createVectorStores } from "@weft/vector-stores";
import { parseAbandonedRuns } from "./chat-client/agent-policies.ts";
import type { Config } from "./config.ts";
import { type CredentialService, concealing } from "./credentials/index.ts";
import { findStopping } from "./flows/check-needs.ts";
import type { RunningCommands } from "./mcp/index.ts";
import type { DefaultModelService } from "./models/default-model.service.ts";
import { readOperatorSettings } from "./models/model-defaults.ts";
import {
  type AttachService,
  createAutoPlay,
  createChildRuns,
  createFollowUps,
  createPredictions,
  type PredictionService,
  type Runnables,
  readDraft,
  withNodeConfig,
} from "./predictions/index.ts";
import { createTextToSpeechService, type TextToSpeechService } from "./text-to-speech/text-to-speech.service.ts";
import type { ToolService } from "./tools/tool.service.ts";
import { createToolTrialService, type ToolTrialService } from "./tools/tool-trial.service.ts";
import type { VariableService } from "./variables/variable.service.ts";

export type RuntimeDeps = {
  config: Config;
  database: Database;
  redis: RedisDispatch | undefined;
  nodeTypes: NodeRegistry;
  agents: Runnables;
  drafts: DraftRuns;
  credentials: CredentialService;
  vault: SecretVault;
  defaultModel: Pick<DefaultModelService, "applyTo">;
  messages: ChatMessageService;
  variables: VariableService;
  tools: ToolService;
  files: FileService;
  upsertHistory: UpsertHistoryService;
  commandServers: RunningCommands;
  telemetry: Pick<Telemetry, "traceOfChild" | "storeChecked" | "budgetRefused">;
  /** What follows from the end of a run, by its kind. */
  runEnded: { chat: ProjectRun; upsert: ProjectRun };
  hooks: RunHooks;
  costOf: CostOf;
  /** What an agent's `apiConfig` allows its runs to take, within what the operator allows. */
  budgetIn(apiConfig: string): Budget;
  clock: Clock;
  ids: IdSource;
  logger: Logger;
  http: EgressClient;
  modelHttp: EgressClient;
  modelDefaults: ModelDefaults;
};

/** The part of the platform that runs flows. */
export type Runtime = {
  host: RunHost;
  predictions: PredictionService;
  attach: AttachService;
  textToSpeech: TextToSpeechService;
  documentStores: DocumentStores;
  toolTrials: ToolTrialService;
  documents: DocumentReader;
  /** What leaves the process. */
  http: EgressClient;
  compile: FlowCache["compile"];
  /** What nodes use, for checks of flows and trials of their requests: with a sandbox apart from the one of runs. */
  nodeServices: NodeServices;
  /** Calls that wait for a thread. */
  workerQueues: { sandbox(): number; documents(): number };
  /** As flows reach models. */
  models: NodeServices["models"];
  /** Takes over what was left unfinished, and keeps doing so. */
  start(): Promise<void>;
  /** Lets go of running flows, resumable, and closes what they used. */
  close(): Promise<void>;
};

export function createRuntime(deps: RuntimeDeps): Runtime {
  const { config, agents, ids, messages, files, nodeTypes } = deps;
  const world = openWorld(deps);
  const { egress: http, documents, trialSandbox } = world;
  const { compile } = createFlowCache(nodeTypes, (flow) => findStopping(flow, integrations));
  const host = openHost(deps, compile);
  const { runs, broadcast, tail, journals, answers, executions } = host;
  const services = nodeServices(deps, world);
  const documentStores = openDocumentStores(deps, { world, host, chatModels: services.models });
  const stopping = new AbortController();
  const { getForRun } = agents;
  const childRuns = createChildRuns({
    runs,
    tail,
    journals,
    ids,
    registry: nodeTypes,
    compile,
    getForRun,
    traceOfChild: deps.telemetry.traceOfChild,
    stopping: stopping.signal,
  });
  const { clock, logger } = deps;
  const { models } = services;
  const { transcribe, speaker } = speechOf(deps, world);
  const textToSpeech = createTextToSpeechService({ getForRun, speaker, messages, budgets: host.budgets, logger });
  const { predictions, attach } = createPredictions({
    autoPlay: createAutoPlay({ executions, readAloud: textToSpeech.autoPlay, logger, stopping: stopping.signal }),
    followUps: createFollowUps({ executions, models, budgets: host.budgets, clock, logger, stopping: stopping.signal }),
    runs,
    broadcast,
    executions,
    tail,
    answers,
    maxStreams: config.maxStreams,
    budgets: host.budgets,
    budgetIn: deps.budgetIn,
    getForRun,
    drafts: deps.drafts,
    compile,
    ids,
    messages,
    registry: nodeTypes,
    files,
    documents,
    http,
    transcribe,
  });
  return {
    host,
    predictions,
    attach,
    textToSpeech,
    documentStores,
    documents,
    http,
    compile,
    nodeServices: { ...services, sandbox: trialSandbox },
    models: services.models,
    workerQueues: { sandbox: world.sandboxWaiting, documents: documents.waiting },
    toolTrials: createToolTrialService({ getTool: deps.tools.get, http, sql: services.sql, sandbox: trialSandbox }),
    async start() {
      await documentStores.openModels();
      await host.start({
        services: { ...services, files, ...documentStores.services, childRuns },
        memory: memoryOf(deps),
        variables: deps.variables,
        conceal: concealing(deps.vault).event,
        builtInFlows: documentStores.builtInFlows,
        ...(deps.hooks.recorder && { recorder: deps.hooks.recorder }),
      });
      await documentStores.start();
    },
    async close() {
      stopping.abort();
      // In the same turn: a run that waits for a child run must be released before the wait is aborted, or it would fail.
      await Promise.all([documentStores.stop(), host.close()]);
      await deps.commandServers.close();
      await documentStores.close();
      await world.close();
    },
  };
}

/** Of the session, the last ones before the run that is replayed. */
const messagesInReplay = 200;

function openHost(deps: RuntimeDeps, compile: FlowCache["compile"]): RunHost {
  const { config, database, redis, clock, ids, logger, agents, messages, nodeTypes, vault, runEnded } = deps;
  return createRunHost({
    database,
    redis,
    clock,
    ids,
    logger,
    limits: config,
    timings: { leaseMs: config.runLeaseMs },
    runEnded,
    observer: deps.hooks.observer,
    watch: deps.hooks.watch,
    conceal: concealing(vault).value,
    costOf: deps.costOf,
    async forgetRuns(tx, forgotten) {
      await messages.forgetRuns(tx, forgotten);
      await deps.drafts.forgetVersions(tx, [...new Set(forgotten.map(({ agentVersionId }) => agentVersionId))]);
    },
    async flowOfAgent(versionId: string, input: RunInput): Promise<CompiledFlow | undefined> {
      const flowData = await agents.flowOfVersion(versionId);
      if (flowData === undefined) return undefined;
      return withNodeConfig(compile(versionId, flowData), input.nodeConfig ?? {}, nodeTypes).flow;
    },
    replays: {
      draftOf: (agentId) => readDraft({ drafts: deps.drafts, getForRun: agents.getForRun }, agentId),
      async messagesBefore(runId, started) {
        const { agentId, sessionId } = started;
        const session = { agentId, sessionId, owner: chatOwnerOf(started) };
        const said = await memoryOf(deps).messages({ ...session, beforeRun: runId, limit: messagesInReplay });
        return said.map(({ role, content }) => ({ role, content }));
      },
    },
    budgetOf: async (agentId) => deps.budgetIn((await agents.findSettings(agentId))?.apiConfig ?? "{}"),
    budgetRefused: deps.telemetry.budgetRefused,
    patienceMs: async (agentId) => parseAbandonedRuns((await agents.findSettings(agentId))?.apiConfig ?? "{}"),
  });
}

function openDocumentStores(
  deps: RuntimeDeps,
  { world, host, chatModels }: { world: World; host: RunHost; chatModels: NodeServices["models"] },
): DocumentStores {
  const { config, database, clock, ids, logger, credentials, nodeTypes, upsertHistory } = deps;
  const { documents, egress, models, modelDefaults, vectors } = world;
  return createDocumentStores({
    config,
    database,
    clock,
    ids,
    logger,
    credentials,
    nodeTypes,
    chatModels,
    upsertHistory,
    documents,
    http: egress,
    modelHttp: models,
    modelDefaults,
    vectors,
    runs: host.runs,
    events: host.journals,
    operatorSettings: readOperatorSettings(config),
    onChecked: deps.telemetry.storeChecked,
  });
}

/** What asks vendors about speech. */
function speechOf({ credentials }: RuntimeDeps, { models, modelDefaults: defaults }: World) {
  const deps = { defaults, readCredential: credentials.lend, fetch: models.fetch };
  return { transcribe: createTranscriber(deps), speaker: createSpeaker(deps) };
}

function memoryOf({ messages, database }: RuntimeDeps): EngineDeps["memory"] {
  return createMemory(messages, {
    flowState: (runId) => readFlowState(database.read, runId),
    input: (runId) => readRunInput(database.read, runId),
  });
}

type World = ReturnType<typeof openWorld>;

/** What leaves the process, and what works beside it. */
function openWorld(deps: RuntimeDeps) {
  const { config, database, credentials, vault, logger, http: egress, modelHttp: models, modelDefaults } = deps;
  const sql = createSqlClient({ connect: egress.connect, reveal: egress.reveal, filesDir: config.sqlFilesDir });
  const maxTimeoutMs = config.maxFunctionTimeoutMs;
  const threads = createSandbox({ maxTimeoutMs });
  const trialSandbox = createSandbox({ workers: 4, maxTimeoutMs });
  const documents = createDocumentReader();
  const allow = createAllowList(config.egressAllow);
  const vectors = createVectorStores({
    database,
    databaseUrl: config.databaseUrl.reveal(),
    dataDir: config.dataDir,
    memoryBytes: config.vectorMemoryBytes,
    onLoading: ({ collection, done, total }) =>
      logger.info("vectors-read", {
        count: done,
        reason: `${done} of ${total} vectors of ${collection} are in memory.`,
      }),
    readCredential: credentials.lend,
    reveal: vault.reveal,
    fetch: egress.fetch,
    permitsHost: allow.permits,
    openForeign: (place, maxConnections) => createForeignPool(place, { connect: egress.connect, maxConnections }),
  });
  return {
    egress,
    sql,
    models,
    modelDefaults,
    vectors,
    sandbox: concealing(vault).sandbox(threads),
    sandboxWaiting: threads.waiting,
    trialSandbox,
    documents,
    async close() {
      await vectors.close();
      await threads.close();
      await trialSandbox.close();
      await documents.close();
      await sql.close();
    },
  };
}

/** What nodes use, whatever runs them. */
export type NodeServices = Pick<
  EngineDeps["services"],
  "models" | "tools" | "readCredential" | "http" | "sql" | "sandbox"
>;

function nodeServices(
  { config, credentials, vault, defaultModel, tools, commandServers, clock, hooks }: RuntimeDeps,
  { egress, sql, models: modelHttp, modelDefaults: defaults, sandbox }: World,
): NodeServices {
  const patience = { limits: config.modelLimits, clock };
  const answerBytes = config.modelAnswerBytes;
  const readCredential = credentials.lend;
  const models = createModelResolver({ defaults, readCredential, http: modelHttp, patience, answerBytes });
  const resolvers = {
    models: defaultModel.applyTo(models),
    tools: createToolResolver(integrations, { clock, storedTools: tools, fetch: egress.fetch, commandServers }),
  };
  return {
    ...concealing(vault).resolvers(hooks.wrapResolvers?.(resolvers) ?? resolvers),
    http: egress,
    sql,
    sandbox,
    readCredential: credentials.lend,
  };
}
