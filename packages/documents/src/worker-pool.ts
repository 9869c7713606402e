import { Worker } from "node:worker_threads";
import { WeftError } from "@weft/schema";
import type { DocumentLimits } from "./limits.ts";

export type WorkerPool = {
  /** A worker for the caller alone; waits its turn when all are taken. */
  acquire(signal: AbortSignal): Promise<Worker>;
  /** Gives a healthy worker back. */
  release(worker: Worker): void;
  /** Ends a worker whatever it is doing. */
  discard(worker: Worker): void;
  close(): Promise<void>;
};

/**
 * Invariants:
 * - A worker in `all` is idle or taken; there are at most `limits.workers`.
 * - Somebody waits only while that many are taken.
 * - An idle worker does not keep the process alive.
 */
export function createWorkerPool(limits: DocumentLimits): WorkerPool {
  const all = new Set<Worker>();
  const idle = new Map<Worker, NodeJS.Timeout>();
  const waiting = new Set<PromiseWithResolvers<Worker>>();
  let isClosed = false;

  const forget = (worker: Worker) => {
    clearTimeout(idle.get(worker));
    idle.delete(worker);
  };
  const start = () => {
    const worker = createWorker(limits);
    all.add(worker);
    worker.once("exit", () => discard(worker));
    return worker;
  };
  const next = () => {
    const [first] = waiting;
    if (first !== undefined) waiting.delete(first);
    return first;
  };
  const discard = (worker: Worker) => {
    forget(worker);
    if (!all.delete(worker)) return;
    void worker.terminate();
    next()?.resolve(start());
  };

  return {
    async acquire(signal) {
      signal.throwIfAborted();
      if (isClosed) throw new WeftError("shutting-down");
      const [free] = idle.keys();
      if (free !== undefined) {
        forget(free);
        free.ref();
        return free;
      }
      if (all.size < limits.workers) return start();
      if (waiting.size >= limits.waiting) {
        throw new WeftError("documents-at-capacity", { params: { retryAfterSeconds: 5 } });
      }
      return waitForTurn(waiting, signal);
    },
    release(worker) {
      if (!all.has(worker)) return;
      const first = next();
      if (first !== undefined) return first.resolve(worker);
      worker.unref();
      idle.set(worker, setTimeout(discard, limits.idleMs, worker).unref());
    },
    discard,
    async close() {
      isClosed = true;
      for (let first = next(); first !== undefined; first = next()) first.reject(new WeftError("shutting-down"));
      const workers = [...all];
      all.clear();
      for (const worker of workers) forget(worker);
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

async function waitForTurn(waiting: Set<PromiseWithResolvers<Worker>>, signal: AbortSignal): Promise<Worker> {
  const turn = Promise.withResolvers<Worker>();
  const leave = () => {
    if (waiting.delete(turn)) turn.reject(signal.reason);
  };
  waiting.add(turn);
  signal.addEventListener("abort", leave);
  try {
    return await turn.promise;
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

/**
 * Its own heap, no environment, no arguments of this process. The engine's limit of the heap is far above
 * `memoryBytes`, which is watched while a document is read: at its own limit the engine may end the whole process.
 */
function createWorker(limits: DocumentLimits): Worker {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), {
    workerData: limits,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 8 * 1024 },
  });
  // Without a listener a crash in a worker would be one of this process. Every crash is followed by `exit`.
  worker.on("error", () => {});
  return worker;
}
