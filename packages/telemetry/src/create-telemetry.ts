import type { Database } from "@weft/database";
import { createEgressClient, toAllowEntry } from "@weft/egress";
import type { Clock } from "@weft/engine/ports/clock";
import type { HttpClient } from "@weft/engine/ports/http-client";
import type { Route } from "@weft/http";
import type { Logger } from "@weft/http/logger";
import { type ActiveRun, allOf, type BudgetRefusal, type Role, type RunWatcher } from "@weft/run-host";
import type { RunEvent, RunTrace, VectorIndex } from "@weft/schema";
import { createDatabaseMetrics } from "./metrics/database-metrics.ts";
import { metricsRoutes } from "./metrics/metrics.routes.ts";
import { createProcessMetrics, createVectorMetrics } from "./metrics/process-metrics.ts";
import { createRegistry, type Registry } from "./metrics/registry.ts";
import { createRunMetrics } from "./metrics/run-metrics.ts";
import type { ModelPrices } from "./prices/model-prices.ts";
import { createSystem, type SystemParts, type SystemView } from "./system/create-system.ts";
import { type AgentTraceSources, createAgentExporters } from "./traces/agent-exporters.ts";
import type { TraceSettings } from "./traces/settings.ts";
import { isSampled, traceOfChild } from "./traces/trace-context.ts";
import { createTraceExporter, createTraceMeters, type EndedRun } from "./traces/trace-exporter.ts";

export type TelemetryDeps = {
  database: Database;
  clock: Clock;
  logger: Logger;
  /** Of the platform. */
  version: string;
  /** What this process does. */
  role: Role;
  /** Undefined: no traces. */
  traces: TraceSettings | undefined;
  prices: ModelPrices;
};

/** Parts created after the telemetry that observes others. */
export type ShownParts = AgentTraceSources & {
  /** For traces sent to agents' own services. */
  http: HttpClient;
  /** Calls waiting for a worker thread, by pool name. */
  workerQueues: Readonly<Record<string, () => number>>;
  vectorIndex(): VectorIndex;
};

const storeCheckOutcomes = ["kept", "dropped", "failed"] as const;
export type StoreCheckOutcome = (typeof storeCheckOutcomes)[number];

export type Telemetry = {
  /** Replaces the database: its writes are timed. */
  database: Database;
  /** Observes the runs of this process: see `RunHooks.watch`. */
  watch(runs: ReadonlyMap<string, ActiveRun>): RunWatcher;
  /**
   * The trace of a run called by a run of this process, by the idempotency key of the calling effect. Undefined without
   * traces.
   */
  traceOfChild(parentRunId: string, idempotencyKey: string): RunTrace | undefined;
  /** Counts a check of a document store's questions after an upsert. */
  storeChecked(outcome: StoreCheckOutcome): void;
  /** Counts a refusal, or the end of a run, due to a spent budget. */
  budgetRefused(refusal: BudgetRefusal): void;
  /** Operators' endpoints, and the background work for them. */
  serve(parts: ShownParts): { routes: Route[]; start(): void; stop(): Promise<void> };
  /** The operators' view of all processes on the database. Announces this one while started. */
  system(parts: SystemParts): SystemView;
};

/** Counts, measures and traces the platform. Neither delays nor fails what it observes. */
export function createTelemetry(deps: TelemetryDeps): Telemetry {
  const { database, clock } = deps;
  const registry = createRegistry();
  const storage = createDatabaseMetrics(registry, database, clock.now);
  const delays = createProcessMetrics(registry, deps);
  const tracing = createTracing(deps, registry);
  const storeChecks = registry.counter({
    name: "weft_store_checks_total",
    help: "Checks of document stores' questions after upserts: recall was kept, it dropped, or the check failed.",
    labels: ["outcome"],
  });
  // Present from the start, so that the first of each is an increase.
  for (const outcome of storeCheckOutcomes) storeChecks.add(0, outcome);
  const budgetRefusals = registry.counter({
    name: "weft_budget_refusals_total",
    help: "Runs that did not begin or that ended because a budget was spent: of a run, or of a day of an agent, its visitors, a chat or an address.",
    labels: ["scope", "amount"],
  });
  let runsHere: ReadonlyMap<string, ActiveRun> = new Map();
  const beginOf = (runId: string) => runsHere.get(runId)?.handle.state.started;

  return {
    database: storage.timed,
    watch(runs) {
      runsHere = runs;
      registry.gauge({
        name: "weft_runs_active",
        help: "Runs of this process, those that wait for their turn included.",
        read: () => [{ value: runs.size }],
      });
      const stepTypeOf = (runId: string, nodeId: string) => runs.get(runId)?.flow.graph.nodes.get(nodeId)?.type.type;
      const metrics = createRunMetrics(registry, {
        runs: { agentOf: (runId) => beginOf(runId)?.agentId, stepTypeOf },
        prices: deps.prices,
        now: clock.now,
      });
      return { ...metrics, ...allOf(metrics, tracing.observe(runs)) };
    },
    traceOfChild: (parentRunId, idempotencyKey) =>
      deps.traces && traceOfChild(beginOf(parentRunId)?.trace, parentRunId, idempotencyKey),
    storeChecked: (outcome) => storeChecks.add(1, outcome),
    budgetRefused: ({ scope, amount }) => budgetRefusals.add(1, scope, amount),
    serve({ workerQueues, vectorIndex, http, ...sources }) {
      createVectorMetrics(registry, vectorIndex);
      registry.gauge({
        name: "weft_worker_calls_waiting",
        help: "Calls that wait for a worker thread.",
        labels: ["pool"],
        read: () => Object.entries(workerQueues).map(([pool, waiting]) => ({ value: waiting(), labels: [pool] })),
      });
      return {
        routes: metricsRoutes(async () => {
          await storage.refresh();
          return registry.write();
        }),
        start() {
          delays.start();
          tracing.start(http, sources);
        },
        async stop() {
          delays.stop();
          await tracing.stop();
        },
      };
    },
    system: (parts) => createSystem(deps, parts),
  };
}

/** Sends runs to the operator's collector, and to services of their agents, when they end or wait. */
function createTracing({ clock, logger, version, traces: settings }: TelemetryDeps, registry: Registry) {
  const meters = createTraceMeters(registry);
  const operator = settings && openOperator(settings);
  let agents: ReturnType<typeof createAgentExporters> | undefined;

  function openOperator(given: TraceSettings) {
    const http = createEgressClient({ allow: [toAllowEntry(given.url)] });
    const exporter = createTraceExporter({ settings: given, version, http, clock, meters, logger });
    return {
      start: exporter.start,
      take(run: EndedRun, trace: RunTrace | undefined) {
        if (isSampled(given.sampling, run.runId, trace)) exporter.take(run);
      },
      async stop() {
        await exporter.stop();
        await http.close();
      },
    };
  }

  return {
    start(http: HttpClient, sources: AgentTraceSources) {
      operator?.start(sources);
      agents = createAgentExporters({ version, http, clock, meters, logger });
      agents.start(sources);
    },
    observe: (runs: ReadonlyMap<string, ActiveRun>) => ({
      committed(runId: string, events: readonly RunEvent[]) {
        const last = events.at(-1);
        const run = runs.get(runId);
        if (last === undefined || run === undefined || !isEnd(last)) return;
        const { handle, flow } = run;
        const { started } = handle.state;
        if (started === null) return;
        const stepOf = (nodeId: string) => {
          const node = flow.graph.nodes.get(nodeId);
          return node && { type: node.type.type, label: node.label };
        };
        const ended = { runId, agentId: started.agentId, lastSeq: last.seq, stepOf };
        operator?.take(ended, started.trace);
        agents?.take(ended);
      },
      delta: () => undefined,
    }),
    async stop() {
      await Promise.all([operator?.stop(), agents?.stop()]);
    },
  };
}

function isEnd({ type }: RunEvent): boolean {
  return type === "run-completed" || type === "run-failed" || type === "run-cancelled" || type === "run-suspended";
}
