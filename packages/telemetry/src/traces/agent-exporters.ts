import type { EndedRun, TraceExporter, TraceExporterDeps, TraceSources } from "./trace-exporter.ts";
import { createTraceExporter } from "./trace-exporter.ts";
import type { TraceDestination } from "./tracing-services.ts";

/** Read when an agent's run has ended. */
export type AgentTraceSources = TraceSources & {
  /** Where the agent's settings send its traces. Secrets in it are placeholders. */
  destinationsOf(agentId: string): Promise<readonly TraceDestination[]>;
};

/** Settings are reread after this. */
const freshMs = 10_000;
const mostAgents = 1_000;
/** Per process; the least recently used stops for a new one. */
const mostDestinations = 64;

/**
 * Sends traces of runs to the destinations in their agents' settings, each with its own exporter: an unresponsive one
 * delays no other. Traces include what people, models and tools said.
 */
export function createAgentExporters(shared: Omit<TraceExporterDeps, "settings">): Omit<TraceExporter, "start"> & {
  start(sources: AgentTraceSources): void;
} {
  const { clock, meters, logger } = shared;
  const exporters = new Map<string, TraceExporter>();
  const known = new Map<string, { readMs: number; found: Promise<readonly TraceDestination[]> }>();
  let sources: AgentTraceSources | undefined;

  function destinationsOf(agentId: string, { destinationsOf: read }: AgentTraceSources) {
    const nowMs = clock.elapsed();
    const before = known.get(agentId);
    if (before !== undefined && nowMs - before.readMs < freshMs) return before.found;
    const found = read(agentId);
    known.delete(agentId);
    known.set(agentId, { readMs: nowMs, found });
    if (known.size > mostAgents) known.delete(known.keys().next().value ?? "");
    return found;
  }

  function exporterOf(destination: TraceDestination, given: AgentTraceSources): TraceExporter {
    const key = JSON.stringify(destination);
    const exporter = exporters.get(key) ?? openExporter(destination, given);
    exporters.delete(key);
    exporters.set(key, exporter);
    const [oldest] = exporters;
    if (exporters.size > mostDestinations && oldest !== undefined) {
      exporters.delete(oldest[0]);
      void oldest[1].stop();
    }
    return exporter;
  }

  function openExporter({ url, headers, project }: TraceDestination, given: AgentTraceSources): TraceExporter {
    const openInference = project !== undefined;
    const resource = {
      "service.name": "weft",
      // Phoenix reads the first, Arize either.
      ...(openInference && { "openinference.project.name": project, model_id: project }),
    };
    const sampling = { sampler: "always_on", ratio: 1 } as const;
    const settings = { url, headers: () => headers, resource, sampling, content: true, openInference };
    const exporter = createTraceExporter({ ...shared, settings });
    exporter.start(given);
    return exporter;
  }

  async function send(run: EndedRun, given: AgentTraceSources): Promise<void> {
    for (const destination of await destinationsOf(run.agentId, given)) exporterOf(destination, given).take(run);
  }

  return {
    take(run) {
      if (sources === undefined) return;
      send(run, sources).catch((cause: unknown) => {
        known.delete(run.agentId);
        meters.runDropped("settings");
        logger.warn("trace-not-made", { runId: run.runId, cause });
      });
    },
    start(given) {
      sources = given;
    },
    async stop() {
      sources = undefined;
      await Promise.all([...exporters.values()].map((exporter) => exporter.stop()));
    },
  };
}
