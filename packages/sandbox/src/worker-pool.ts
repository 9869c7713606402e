import { Worker } from "node:worker_threads";
import type { FromWorker, WorkerSettings } from "./protocol.ts";

export type PoolOptions = { size: number; idleMs: number; settings: WorkerSettings };

export type WorkerPool = {
  /** A worker that is ready, for the caller alone; waits its turn when all are taken. Rejects with the signal's reason. */
  acquire(signal: AbortSignal): Promise<Worker>;
  /** Gives a healthy worker back. */
  release(worker: Worker): void;
  /** Ends a worker whatever it is doing. Another is started when one is wanted. */
  discard(worker: Worker): void;
  /** Ends all workers; who waits, and who comes later, is rejected. */
  close(): Promise<void>;
};

/**
 * Workers started on demand, kept while in use and `idleMs` longer. Invariants:
 * - A worker in `all` is starting, idle or taken; there are at most `size`.
 * - Somebody waits only while none is idle, and a start is under way for each who waits as far as `size` allows.
 * - An idle worker does not keep the process alive.
 */
export function createWorkerPool({ size, idleMs, settings }: PoolOptions): WorkerPool {
  const all = new Set<Worker>();
  const idle = new Map<Worker, NodeJS.Timeout>();
  const queue = createQueue();
  let starting = 0;
  let isClosed = false;

  const discard = (worker: Worker) => {
    clearTimeout(idle.get(worker));
    idle.delete(worker);
    if (all.delete(worker)) void worker.terminate();
    startWanted();
  };

  const release = (worker: Worker) => {
    if (!all.has(worker) || queue.next()?.resolve(worker)) return;
    worker.unref();
    idle.set(worker, setTimeout(discard, idleMs, worker).unref());
  };

  const start = async () => {
    const worker = createWorker(settings);
    all.add(worker);
    worker.once("exit", () => discard(worker));
    starting += 1;
    const error = await untilReady(worker);
    starting -= 1;
    if (error === undefined) return release(worker);
    queue.next()?.reject(error);
    discard(worker);
  };

  const startWanted = () => {
    while (!isClosed && queue.size() > starting && all.size < size) void start();
  };

  const takeIdle = () => {
    const worker = [...idle.keys()].at(-1);
    if (worker === undefined) return undefined;
    clearTimeout(idle.get(worker));
    idle.delete(worker);
    worker.ref();
    return worker;
  };

  return {
    async acquire(signal) {
      signal.throwIfAborted();
      if (isClosed) throw closedError();
      const worker = takeIdle();
      if (worker !== undefined) return worker;
      const turn = queue.wait(signal);
      startWanted();
      return turn;
    },
    release,
    discard,
    async close() {
      isClosed = true;
      for (let next = queue.next(); next !== undefined; next = queue.next()) next.reject(closedError());
      const workers = [...all];
      for (const worker of workers) discard(worker);
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

type Waiting = { resolve(worker: Worker): true; reject(error: unknown): void };

/** Who waits for a worker, first come first served. */
function createQueue() {
  const entries = new Set<Waiting>();
  return {
    size: () => entries.size,
    next(): Waiting | undefined {
      const [first] = entries;
      if (first !== undefined) entries.delete(first);
      return first;
    },
    wait(signal: AbortSignal): Promise<Worker> {
      const { promise, resolve, reject } = Promise.withResolvers<Worker>();
      const leave = () => {
        entries.delete(entry);
        reject(signal.reason);
      };
      const entry: Waiting = {
        resolve(worker) {
          signal.removeEventListener("abort", leave);
          resolve(worker);
          return true;
        },
        reject(error) {
          signal.removeEventListener("abort", leave);
          reject(error);
        },
      };
      entries.add(entry);
      signal.addEventListener("abort", leave, { once: true });
      return promise;
    },
  };
}

function closedError(): Error {
  return new Error("The sandbox is closed.");
}

/** Its own heap, no environment, no arguments of this process. */
function createWorker(settings: WorkerSettings): Worker {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), {
    workerData: settings,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
  });
  // Without a listener a crash in a worker would be one of this process. Every crash is followed by `exit`.
  worker.on("error", () => {});
  return worker;
}

/** Resolves with the reason when the worker ends instead. */
async function untilReady(worker: Worker): Promise<Error | undefined> {
  const { promise, resolve } = Promise.withResolvers<Error | undefined>();
  const ready = (message: FromWorker) => {
    if (message.type === "ready") resolve(undefined);
  };
  const failed = (cause: unknown) => resolve(new Error("A sandbox worker could not start.", { cause }));
  worker.on("message", ready).once("error", failed).once("exit", failed);
  const outcome = await promise;
  worker.off("message", ready).off("error", failed).off("exit", failed);
  return outcome;
}
