import { createEgressClient, type EgressClient } from "@weft/egress";
import { type Clock, defaultRunLimits, type EngineDeps, type IdSource } from "@weft/engine";
import { createToolResolver, integrations } from "@weft/integrations";
import { nodeRegistry } from "@weft/nodes";
import { createModelResolver } from "@weft/providers";
import { createSandbox } from "@weft/sandbox";
import type { RunInput } from "@weft/schema";
import type { AgentService } from "./agents/agent.service.ts";
import { type ChatMessageService, createMemory } from "./chat-messages/chat-message.service.ts";
import type { Config } from "./config.ts";
import type { CredentialService } from "./credentials/credential.service.ts";
import type { Logger } from "./logger.ts";
import { createPredictionService, type PredictionService } from "./predictions/prediction.service.ts";
import { withNodeConfig } from "./predictions/resolve-input.ts";
import { createExecutionService, type ExecutionService } from "./runs/execution.service.ts";
import { createFlowCache } from "./runs/flow-cache.ts";
import { type ActiveRun, createRunService, type RunService, runLeaseMs } from "./runs/run.service.ts";
import { createRunStore } from "./runs/run.store.ts";
import { createRunBroadcast } from "./runs/run-broadcast.ts";
import { toChatTurn } from "./runs/run-projection.ts";
import { createTurnstile } from "./runs/turnstile.ts";
import type { Database } from "./storage/database.ts";

export type RuntimeDeps = {
  config: Config;
  database: Database;
  agents: AgentService;
  credentials: CredentialService;
  messages: ChatMessageService;
  clock: Clock;
  ids: IdSource;
  logger: Logger;
};

/** The part of the platform that runs flows. */
export type Runtime = {
  runs: RunService;
  predictions: PredictionService;
  executions: ExecutionService;
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
    async project(tx, row, events) {
      const run = active.get(row.id);
      const end = events.at(-1);
      const turn = run && end && toChatTurn({ ...run, runId: row.id, state: run.handle.state }, end);
      // What belongs to an agent goes with it: a run that ends later leaves no messages behind.
      if (turn && (await agents.exists(tx, turn.agentId))) await messages.recordTurn(tx, turn);
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
  const engine: EngineDeps = {
    ...deps,
    journal: store.journalOf({ owner, leaseMs: runLeaseMs }),
    observer: broadcast,
    services: nodeServices(deps, egress, sandbox),
    memory: createMemory(messages),
    variables: { all: async () => ({}) },
    limits: { ...defaultRunLimits, wallTimeMs: config.runTimeoutMs },
    onBug: (cause) => logger.error("run-bug", { cause }),
  };
  const turnstile = createTurnstile({ maxRunning: config.maxConcurrentRuns, maxWaiting: config.maxQueuedRuns });
  const runs = createRunService({ store, engine, turnstile, active, flowOfRun, owner, logger });
  return {
    runs,
    executions: createExecutionService({ store, flowOfRun }),
    predictions: createPredictionService({
      runs,
      broadcast,
      ids,
      registry: nodeRegistry,
      compile: flows.compile,
      getForRun: agents.getForRun,
    }),
    async start() {
      await store.voidLeases();
      await runs.recover();
      runs.startSweeping();
    },
    async close() {
      await runs.shutDown();
      await sandbox.close();
      await egress.close();
    },
  };
}

function nodeServices(
  { config, credentials }: RuntimeDeps,
  egress: EgressClient,
  sandbox: EngineDeps["services"]["sandbox"],
): EngineDeps["services"] {
  const defaults = {
    apiKey: config.openAiApiKey.reveal(),
    baseUrl: config.openAiBaseUrl,
    model: config.defaultModel,
  };
  const models = createModelResolver({ defaults, readCredential: modelCredential, fetch: egress.fetch });

  /** Existing OpenAI credentials name their key `openAIApiKey`. */
  async function modelCredential(id: string): Promise<Record<string, string>> {
    const { openAIApiKey, ...fields } = await credentials.readSecret(id);
    return openAIApiKey === undefined ? fields : { apiKey: openAIApiKey, ...fields };
  }

  return {
    models,
    tools: createToolResolver(integrations),
    http: egress,
    sandbox,
    readCredential: credentials.readSecret,
  };
}

/** Hosts that the operator's own configuration names, as `host:port`. */
function allowedHosts({ egressAllow, openAiBaseUrl, eventApiPort }: Config): string[] {
  const eventApi = eventApiPort === undefined ? [] : [`127.0.0.1:${eventApiPort}`, `localhost:${eventApiPort}`];
  return [...egressAllow, ...eventApi, ...(openAiBaseUrl === "" ? [] : [hostAndPort(new URL(openAiBaseUrl))])];
}

function hostAndPort({ hostname, port, protocol }: URL): string {
  const standard = protocol === "https:" ? "443" : "80";
  return `${hostname}:${port === "" ? standard : port}`;
}
