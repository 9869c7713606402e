import { createDocumentReader, type DocumentReader } from "@weft/documents";
import { createEgressClient, type EgressClient, toAllowEntry } from "@weft/egress";
import { type Clock, defaultRunLimits, type EngineDeps, type IdSource, type Retrieval } from "@weft/engine";
import { createToolResolver, integrations } from "@weft/integrations";
import { nodeRegistry } from "@weft/nodes";
import { createModelResolver } from "@weft/providers";
import { createSandbox } from "@weft/sandbox";
import { type RunInput, WeftError } from "@weft/schema";
import { type ChatMessageService, createMemory } from "./chat-messages/chat-message.service.ts";
import type { Config } from "./config.ts";
import type { CredentialService } from "./credentials/credential.service.ts";
import type { FileService } from "./files/file.service.ts";
import type { Logger } from "./logger.ts";
import type { RunningCommands } from "./mcp/command-servers.ts";
import { toModelDefaults } from "./model-defaults.ts";
import { type AttachService, createAttachService } from "./predictions/attach.service.ts";
import { createPredictionService, type PredictionService } from "./predictions/prediction.service.ts";
import { withNodeConfig } from "./predictions/resolve-input.ts";
import { createTranscriber } from "./predictions/transcriber.ts";
import { createAnswerService } from "./runs/answer.service.ts";
import { createChildRuns } from "./runs/child-runs.ts";
import { createExecutionService, type ExecutionService } from "./runs/execution.service.ts";
import { createExecutionControl, type ExecutionControl } from "./runs/execution-control.ts";
import { createFlowCache, type FlowCache } from "./runs/flow-cache.ts";
import { readFlowState } from "./runs/flow-state.store.ts";
import { createRetention } from "./runs/retention.ts";
import { createRunService, type RunService, runLeaseMs } from "./runs/run.service.ts";
import { createRunStore } from "./runs/run.store.ts";
import { createRunBroadcast } from "./runs/run-broadcast.ts";
import { bothOf, type RunHooks } from "./runs/run-hooks.ts";
import { createRunProjection } from "./runs/run-projection.ts";
import { toSummary } from "./runs/run-summary.ts";
import { createRunTailStore } from "./runs/run-tail.store.ts";
import { createRunTail } from "./runs/run-tail.ts";
import type { ActiveRun } from "./runs/run-tracker.ts";
import type { Runnables } from "./runs/runnables.ts";
import { createTurnstile } from "./runs/turnstile.ts";
import type { Database } from "./storage/database.ts";
import type { ToolService } from "./tools/tool.service.ts";
import { createToolTrialService, type ToolTrialService } from "./tools/tool-trial.service.ts";
import type { VariableService } from "./variables/variable.service.ts";

export type RuntimeDeps = RunHooks & {
  config: Config;
  database: Database;
  agents: Runnables;
  credentials: CredentialService;
  messages: ChatMessageService;
  variables: VariableService;
  tools: ToolService;
  files: FileService;
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
  toolTrials: ToolTrialService;
  documents: DocumentReader;
  /** What leaves the process. */
  http: EgressClient;
  compile: FlowCache["compile"];
  /** Takes over what was left unfinished, and keeps doing so. */
  start(): Promise<void>;
  /** Lets go of running flows, resumable, and closes what they used. */
  close(): Promise<void>;
};

export function createRuntime(deps: RuntimeDeps): Runtime {
  const { config, database, agents, messages, ids, logger } = deps;
  const active = new Map<string, ActiveRun>();
  const broadcast = createRunBroadcast();
  const flows = createFlowCache(nodeRegistry);
  const owner = ids.uuid();
  const store = createRunStore({
    database,
    project: createRunProjection({ active, messages, agentExists: agents.exists }),
    summarise(runId, end) {
      const run = active.get(runId);
      return run && toSummary({ flow: run.flow, state: run.handle.state }, end);
    },
  });

  async function flowOfRun(agentVersionId: string, input: RunInput) {
    const flowData = await agents.flowOfVersion(agentVersionId);
    if (flowData === undefined) return undefined;
    const flow = flows.compile(agentVersionId, flowData);
    return withNodeConfig(flow, input.nodeConfig ?? {}, nodeRegistry).flow;
  }

  const egress = createEgressClient({ allow: allowedHosts(config) });
  const sandbox = createSandbox({});
  const trialSandbox = createSandbox({ workers: 2 });
  const documents = createDocumentReader();
  const engine: EngineDeps = {
    ...deps,
    journal: store.journalOf({ owner, leaseMs: runLeaseMs }),
    observer: bothOf(broadcast, deps.observer),
    services: { ...nodeServices(deps, egress, sandbox), childRuns: { run: (request) => childRuns.run(request) } },
    memory: createMemory(messages, (runId) => readFlowState(database.read, runId)),
    limits: { ...defaultRunLimits, wallTimeMs: config.runTimeoutMs },
    onBug: (cause) => logger.error("run-bug", { cause }),
  };
  const turnstile = createTurnstile({ maxRunning: config.maxConcurrentRuns, maxWaiting: config.maxQueuedRuns });
  const runs = createRunService({ store, engine, turnstile, active, broadcast, flowOfRun, owner, logger });
  const tailStore = createRunTailStore(database.read);
  const executions = createExecutionService({ read: database.read, store: { ...store, ...tailStore }, flowOfRun });
  const tail = createRunTail({ store: tailStore, broadcast, isHere: (id) => active.has(id), logger });
  const stopping = new AbortController();
  const asking = { ids, registry: nodeRegistry, compile: flows.compile, getForRun: agents.getForRun };
  const childRuns = createChildRuns({ ...asking, runs, tail, store: tailStore, stopping: stopping.signal });
  const answers = createAnswerService({ store, runs, flowOfRun });
  const control = createExecutionControl({ database, clock: deps.clock, ids, runs, answers, executions, messages });
  const retention = createRetention({ ...deps, control, retentionMs: config.executionRetentionMs });
  const attach = createAttachService({ executions, tail, getForRun: agents.getForRun });
  return {
    runs,
    executions: { ...executions, ...control },
    attach,
    compile: flows.compile,
    documents,
    http: egress,
    toolTrials: createToolTrialService({ getTool: deps.tools.get, http: egress, sandbox: trialSandbox }),
    predictions: createPredictionService({
      ...asking,
      runs,
      broadcast,
      attach,
      answers,
      executions,
      files: deps.files,
      documents,
      http: egress,
      transcribe: createTranscriber({
        defaults: toModelDefaults(config),
        readCredential: deps.credentials.readSecret,
        fetch: egress.fetch,
      }),
    }),
    async start() {
      await store.voidLeases();
      await runs.recover();
      runs.startSweeping();
      retention?.start();
    },
    async close() {
      stopping.abort();
      await retention?.stop();
      await runs.shutDown();
      tail.close();
      await sandbox.close();
      await trialSandbox.close();
      await documents.close();
      await deps.commandServers.close();
      await egress.close();
    },
  };
}

function nodeServices(
  { config, credentials, tools, files, commandServers, clock, wrapResolvers }: RuntimeDeps,
  egress: EgressClient,
  sandbox: EngineDeps["services"]["sandbox"],
): Omit<EngineDeps["services"], "childRuns"> {
  const defaults = toModelDefaults(config);
  const models = createModelResolver({ defaults, readCredential: credentials.readSecret, fetch: egress.fetch });
  const resolvers = {
    models,
    tools: createToolResolver(integrations, { clock, storedTools: tools, fetch: egress.fetch, commandServers }),
  };
  return {
    ...(wrapResolvers?.(resolvers) ?? resolvers),
    http: egress,
    sandbox,
    readCredential: credentials.readSecret,
    files,
    retriever: { retrieve: refuseRetrieval },
  };
}

async function refuseRetrieval({ storeId }: Retrieval): Promise<never> {
  const reason = "this server has no document stores yet. Remove it from the flow.";
  throw new WeftError("retrieval-failed", { params: { storeId, reason } });
}

/** Hosts that the operator's own configuration names, as `host:port`. */
function allowedHosts({ egressAllow, openAiBaseUrl, ollamaUrl, eventApiPort }: Config): string[] {
  const eventApi = eventApiPort === undefined ? [] : [`127.0.0.1:${eventApiPort}`, `localhost:${eventApiPort}`];
  const modelServers = [openAiBaseUrl, ollamaUrl].filter((url) => url !== "");
  return [...egressAllow, ...eventApi, ...modelServers.map(toAllowEntry)];
}
