import type { Database } from "@weft/database";
import type { Clock } from "@weft/engine/ports/clock";
import type { Route } from "@weft/http";
import type { ActiveRun, RunWatcher } from "@weft/run-host";
import { createDatabaseMetrics } from "./metrics/database-metrics.ts";
import { metricsRoutes } from "./metrics/metrics.routes.ts";
import { createProcessMetrics } from "./metrics/process-metrics.ts";
import { createRegistry } from "./metrics/registry.ts";
import { createRunMetrics } from "./metrics/run-metrics.ts";

export type TelemetryDeps = {
  database: Database;
  clock: Pick<Clock, "now">;
  /** Of the platform. */
  version: string;
};

/** What is shown of parts that are made after the telemetry that watches others. */
export type ShownParts = {
  /** Calls that wait for a worker thread, by the name of the pool. */
  workerQueues: Readonly<Record<string, () => number>>;
};

export type Telemetry = {
  /** In place of the database: its writes are timed. */
  database: Database;
  /** Hears of the runs of this process: see `RunHooks.watch`. */
  watch(runs: ReadonlyMap<string, ActiveRun>): RunWatcher;
  /** What operators ask for, and what goes on for it. */
  serve(parts: ShownParts): { routes: Route[]; start(): void; stop(): Promise<void> };
};

/** Counts and measures what the platform does. It neither delays nor fails what it watches. */
export function createTelemetry({ database, clock, version }: TelemetryDeps): Telemetry {
  const registry = createRegistry();
  const storage = createDatabaseMetrics(registry, database, clock.now);
  const delays = createProcessMetrics(registry, version);

  return {
    database: storage.timed,
    watch(runs) {
      registry.gauge({
        name: "weft_runs_active",
        help: "Runs of this process, those that wait for their turn included.",
        read: () => [{ value: runs.size }],
      });
      const known = {
        agentOf: (runId: string) => runs.get(runId)?.handle.state.started?.agentId,
        stepTypeOf: (runId: string, nodeId: string) => runs.get(runId)?.flow.graph.nodes.get(nodeId)?.type.type,
      };
      return createRunMetrics(registry, known, clock.now);
    },
    serve({ workerQueues }) {
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
        start: delays.start,
        async stop() {
          delays.stop();
        },
      };
    },
  };
}
