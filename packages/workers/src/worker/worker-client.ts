import { Worker } from "node:worker_threads";
import { WeftError } from "@weft/schema";
import type { FromWorker, ToWorker } from "./serve-worker.ts";
import { type Started, startProcess } from "./start-process.ts";

export type WorkerClientOptions<Note = unknown> = {
  /** A module that calls `serveWorker`. */
  url: URL;
  workerData?: unknown;
  /**
   * Asked at each start whether the worker is a process of its own in place of a thread, without `workerData` and
   * transfers. Native code needs one that would take the server with it when it fails or its thread is ended.
   */
  isProcess?(): boolean;
  /** How long a worker without work is kept. */
  idleMs: number;
  /** How long an answer may take, measured from the request. A worker that takes longer is ended. Default: any time. */
  answerMs?: number;
  /** Called with what the worker tells by itself. */
  onNote?(note: Note): void;
  /** Called when a worker has ended, whatever the reason; nothing that it told holds any more. */
  onEnd?(): void;
};

/** The worker ended, or failed in a way that is no expected failure, before it answered. The next request starts another. */
export class WorkerEnded extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "WorkerEnded";
  }
}

export type WorkerClient<Request, Answer> = {
  /**
   * Rejects with the `WeftError` that the worker raised, with `WorkerEnded`, or at once with the signal's reason: then the
   * worker is told, and finishes what it cannot interrupt.
   */
  ask(request: Request, options: { signal: AbortSignal; transfer?: ArrayBuffer[] }): Promise<Answer>;
  /** Ends the worker; requests under way fail, and so do later ones. */
  close(): Promise<void>;
};

/** What workers compute with is outside of their heap, and what they read is garbage at once: docs/decisions/0045-memory.md. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 };

/**
 * A worker thread that is started by the first request and ends when idle. Invariants:
 * 1. There is at most one worker, and every pending request was sent to it.
 * 2. A worker without pending requests keeps no process alive.
 * 3. When the worker ends, whatever the reason, every pending request is rejected.
 */
export function createWorkerClient<Request, Answer, Note = never>(
  options: WorkerClientOptions<Note>,
): WorkerClient<Request, Answer> {
  type Pending = { resolve(answer: Answer): void; reject(error: unknown): void };
  const pending = new Map<number, Pending>();
  let worker: Started | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  let isClosed = false;

  function start(): Started {
    const started = options.isProcess?.() ? startProcess(options.url) : startThread(options);
    let reason = "it ended";
    started.on("message", (message) => {
      // What is on its way from a worker that has ended holds no more.
      if (started === worker) settle(message as FromWorker<Answer, Note>);
    });
    started.on("error", (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    started.on("exit", () => end(started, reason));
    return started;
  }

  function settle(message: FromWorker<Answer, Note>): void {
    if ("note" in message) {
      options.onNote?.(message.note);
      return;
    }
    const request = pending.get(message.id);
    if ("answer" in message) request?.resolve(message.answer);
    else {
      const { code, retryable, message: words } = message.failure;
      request?.reject(code === undefined ? new WorkerEnded(words) : new WeftError(code, { message: words, retryable }));
    }
  }

  function end(ended: Started, reason: string): void {
    if (worker !== ended) return;
    worker = undefined;
    clearTimeout(idle);
    for (const { reject } of pending.values()) reject(new WorkerEnded(reason));
    void ended.terminate();
    options.onEnd?.();
  }

  function rest(): void {
    const resting = worker;
    if (pending.size > 0 || resting === undefined) return;
    resting.unref();
    idle = setTimeout(() => end(resting, "it was idle"), options.idleMs).unref();
  }

  return {
    async ask(request, { signal, transfer = [] }) {
      signal.throwIfAborted();
      if (isClosed) throw new WorkerEnded("it is closed");
      clearTimeout(idle);
      worker ??= start();
      const asked = worker;
      asked.ref();
      lastId += 1;
      const id = lastId;
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      pending.set(id, { resolve, reject });
      const cancel = () => {
        asked.postMessage({ cancel: id } satisfies ToWorker<Request>, []);
        reject(signal.reason);
      };
      const overrun = () => end(asked, `it took longer than ${options.answerMs} ms`);
      const deadline = options.answerMs === undefined ? undefined : setTimeout(overrun, options.answerMs);
      signal.addEventListener("abort", cancel, { once: true });
      asked.postMessage({ id, request } satisfies ToWorker<Request>, transfer);
      try {
        return await promise;
      } finally {
        clearTimeout(deadline);
        signal.removeEventListener("abort", cancel);
        pending.delete(id);
        rest();
      }
    },
    async close() {
      isClosed = true;
      const open = worker;
      if (open !== undefined) end(open, "it is closed");
      await open?.terminate();
    },
  };
}

function startThread({ url, workerData }: Pick<WorkerClientOptions, "url" | "workerData">): Started {
  return new Worker(url, { workerData, env: {}, execArgv: [], resourceLimits });
}
