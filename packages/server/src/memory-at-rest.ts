import { getHeapStatistics, setFlagsFromString } from "node:v8";

/** How often the process is examined: it is at rest if its event loop did next to nothing since the last time. */
const defaultEveryMs = 10_000;
const maxUtilization = 0.02;

/** Memory that the process must have allocated since then, to be worth a pause of some 100 ms. */
const worthBytes = 24 * 1_024 ** 2;

/** A larger heap would pause for too long. */
const maxHeapBytes = 128 * 1_024 ** 2;

/**
 * Returns the memory of a load peak to the system when the process is at rest: V8 collects garbage by itself then, but
 * keeps the pages (docs/benchmarks.md, "Where the memory goes"). Needs `--expose-gc`. Returns a function that stops it.
 */
export function giveBackMemoryAtRest({ everyMs = defaultEveryMs } = {}): () => void {
  // Compilations would wait for a background thread to be freed: 45 MB, too scattered for malloc to return.
  setFlagsFromString("--no-maglev-destroy-on-background");
  let lowestBytes = process.memoryUsage.rss();
  let lastLook = performance.eventLoopUtilization();

  function look(): void {
    const { utilization } = performance.eventLoopUtilization(lastLook);
    lastLook = performance.eventLoopUtilization();
    const residentBytes = process.memoryUsage.rss();
    lowestBytes = Math.min(lowestBytes, residentBytes);
    if (utilization > maxUtilization || residentBytes < lowestBytes + worthBytes) return;
    if (getHeapStatistics().used_heap_size > maxHeapBytes) return;
    // Only the last resort returns the pages that it leaves empty.
    globalThis.gc?.({ type: "major", flavor: "last-resort" });
    lowestBytes = process.memoryUsage.rss();
  }

  const timer = setInterval(look, everyMs).unref();
  return () => clearInterval(timer);
}
