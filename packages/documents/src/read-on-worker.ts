import type { Worker } from "node:worker_threads";
import type { DocumentLimits } from "./limits.ts";
import type { ReadJob, ReadReply } from "./protocol.ts";

export type ReadEnd = ReadReply | "overrun" | "out-of-memory" | "died" | "aborted";

/** Has a worker read one document. Unless it replies, the worker must be ended. */
export async function readOnWorker(
  worker: Worker,
  job: ReadJob,
  { signal, limits }: { signal: AbortSignal; limits: DocumentLimits },
): Promise<ReadEnd> {
  const { promise, resolve } = Promise.withResolvers<ReadEnd>();
  const abort = () => resolve("aborted");
  const fail = (error: { code?: unknown }) => resolve(isOutOfMemory(error) ? "out-of-memory" : "died");
  const die = () => resolve("died");
  let leftMs = limits.timeoutMs;
  let lookedAt = performance.now();
  const watch = setInterval(async () => {
    const sinceMs = performance.now() - lookedAt;
    lookedAt += sinceMs;
    leftMs -= Math.min(sinceMs, longestCountedMs);
    if (leftMs <= 0) return resolve("overrun");
    const used = await worker.getHeapStatistics().catch(() => undefined);
    if (used !== undefined && used.used_heap_size + used.external_memory > limits.memoryBytes) resolve("out-of-memory");
  }, watchMs);
  worker.on("message", resolve).on("error", fail).on("exit", die);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  else worker.postMessage(job, [job.bytes.buffer as ArrayBuffer]);
  try {
    return await promise;
  } finally {
    clearInterval(watch);
    worker.off("message", resolve).off("error", fail).off("exit", die);
    signal.removeEventListener("abort", abort);
  }
}

/** How often the time and the memory of a worker are looked at. No limit of the engine counts its buffers. */
const watchMs = 50;

/** A process that stood still for longer (it was frozen, its machine slept) gave the worker no more time than this. */
const longestCountedMs = 250;

function isOutOfMemory(error: { code?: unknown }): boolean {
  return error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
