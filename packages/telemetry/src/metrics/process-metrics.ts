import { readdirSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { VectorIndex } from "@weft/schema";
import type { Reading, Registry } from "./registry.ts";

/** An observer of delays costs one timer per interval; its own share is subtracted from each delay. */
const resolutionMs = 20;
/** Two consecutive scrapers see the same delays. */
const windowMs = 5_000;

/** The standard metrics of a Node.js program, under the names that dashboards use, and event loop delays. */
export function createProcessMetrics(
  registry: Registry,
  { version, role }: { version: string; role: string },
): { start(): void; stop(): void } {
  const delays = createDelays();
  registry.gauge({
    name: "weft_event_loop_delay_seconds",
    help: "How late the event loop was since the last scrape, by quantile; 1 is the longest delay.",
    labels: ["quantile"],
    type: "summary",
    read: delays.read,
  });
  const constant = (labels: string[]): readonly Reading[] => [{ value: 1, labels }];
  registry.gauge({
    name: "weft_build_info",
    help: "The version of the platform, and what this process does: api, worker or all.",
    labels: ["version", "role"],
    read: () => constant([version, role]),
  });
  registry.gauge({
    name: "nodejs_version_info",
    help: "The version of Node.js.",
    labels: ["version"],
    read: () => constant([process.version]),
  });
  const startedAt = Date.now() / 1_000 - process.uptime();
  const cpu = () => process.cpuUsage();
  const readers: [name: string, help: string, read: () => number | undefined, type?: "counter"][] = [
    ["process_start_time_seconds", "When the process started, since the epoch.", () => startedAt],
    ["process_cpu_user_seconds_total", "Processor time in user mode.", () => cpu().user / 1e6, "counter"],
    ["process_cpu_system_seconds_total", "Processor time in system mode.", () => cpu().system / 1e6, "counter"],
    [
      "process_cpu_seconds_total",
      "Processor time.",
      () => {
        const { user, system } = cpu();
        return (user + system) / 1e6;
      },
      "counter",
    ],
    ["process_resident_memory_bytes", "Memory of the process.", () => process.memoryUsage.rss()],
    ["process_open_fds", "Open file descriptors.", countDescriptors],
    ["nodejs_heap_size_used_bytes", "JavaScript heap in use.", () => process.memoryUsage().heapUsed],
    ["nodejs_heap_size_total_bytes", "JavaScript heap.", () => process.memoryUsage().heapTotal],
    [
      "nodejs_external_memory_bytes",
      "Memory of JavaScript objects outside the heap.",
      () => process.memoryUsage().external,
    ],
  ];
  for (const [name, help, read, type = "gauge"] of readers) {
    registry.gauge({
      name,
      help,
      type,
      read: () => {
        const value = read();
        return value === undefined ? [] : [{ value }];
      },
    });
  }
  return delays;
}

function createDelays() {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  let resetAt = 0;
  let readings: Reading[] = [];

  function toSeconds(nanoseconds: number): number {
    return Math.max(0, nanoseconds / 1e6 - resolutionMs) / 1_000;
  }

  return {
    start: () => void histogram.enable(),
    stop: () => void histogram.disable(),
    read(): readonly Reading[] {
      const now = performance.now();
      if (histogram.count === 0 || (readings.length > 0 && now - resetAt < windowMs)) return readings;
      readings = [
        ...[50, 99].map((percent) => ({
          value: toSeconds(histogram.percentile(percent)),
          labels: [String(percent / 100)],
        })),
        { value: toSeconds(histogram.max), labels: ["1"] },
      ];
      histogram.reset();
      resetAt = now;
      return readings;
    },
  };
}

/** Only Linux exposes this without running a program. */
function countDescriptors(): number | undefined {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return undefined;
  }
}

/** Vectors of embedded collections in the memory of this process. */
export function createVectorMetrics(registry: Registry, vectorIndex: () => VectorIndex): void {
  const gauges: [name: string, help: string, read: (index: VectorIndex) => number][] = [
    ["weft_vector_index_bytes", "Memory that vectors take.", ({ memoryBytes }) => memoryBytes],
    ["weft_vector_index_limit_bytes", "Memory that they may take: VECTOR_MEMORY.", ({ limitBytes }) => limitBytes],
    ["weft_vector_index_collections", "Collections in memory.", ({ collections }) => collections],
    [
      "weft_vector_index_loaded_ratio",
      "Share of the vectors that are there, in collections that are being read; 1 while none is.",
      ({ loading }) => (loading === null ? 1 : loading.done / Math.max(1, loading.total)),
    ],
  ];
  for (const [name, help, read] of gauges) registry.gauge({ name, help, read: () => [{ value: read(vectorIndex()) }] });
}
