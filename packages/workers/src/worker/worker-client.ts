import { Worker } from "node:worker_threads";
import { WeftError } from "@weft/schema";
import type { FromWorker, ToWorker } from "./serve-worker.ts";
import { type Connection, type ProcessOptions, type Started, startProcess } from "./start-process.ts";
import { threadEnvironment } from "./thread-environment.ts";

export type WorkerClientOptions<Note = unknown> = {
  /** A module that calls `serveWorker`. */
  url: URL;
  workerData?: unknown;
  /**
   * Called at each start: whether the worker is a process instead of a thread, without `workerData` and transfers.
   * Required for native code that would crash the server when it fails or its thread is ended.
   */
  isProcess?(): boolean;
  /** For a worker that is a process. */
  process?: ProcessOptions;
  /** How long an idle worker is kept. */
  idleMs: number;
  /** How long an answer may take, measured from the request. A worker that takes longer is ended. Default: no limit. */
  answerMs?: number;
  /**
   * How much processor time an answer of a thread may take, for answers that are computed: a machine with other work to
   * do then refuses nothing that an idle one reads. On the clock ten times as much. Default: no limit.
   */
  computeMs?: number;
  /** Most memory that a thread may hold, beyond which it is ended. Default: that of the process. */
  heapMb?: number;
  /** Called with the worker's unsolicited notes. */
  onNote?(note: Note): void;
  /** Called when a worker has ended, for any reason; its earlier notes no longer hold. */
  onEnd?(): void;
};

/** The worker ended, or failed unexpectedly, before it answered. The next request starts another. */
export class WorkerEnded extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "WorkerEnded";
  }
}

export type AskOptions<Part = unknown> = {
  signal: AbortSignal;
  transfer?: ArrayBuffer[];
  /** Passed to the worker, which must be a process. Nobody may have read from it. */
  connection?: Connection;
  /** Overrides the client's for this request. */
  answerMs?: number;
  /** Called with each part of the answer that precedes it. */
  onPart?(part: Part): void;
};

export type WorkerClient<Request, Answer, Part = unknown> = {
  /**
   * Rejects with the `WeftError` that the worker raised, with `WorkerEnded`, or at once with the signal's reason: then
   * the worker is notified, and finishes what it cannot interrupt.
   */
  ask(request: Request, options: AskOptions<Part>): Promise<Answer>;
  /** Ends the worker; requests in progress fail. The next one starts another. */
  end(): void;
  /** Ends the worker; requests in progress and later ones fail. */
  close(): Promise<void>;
};

/** Workers compute outside of their heap, and their input is garbage at once: docs/decisions/0045-memory.md. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 };

/**
 * A worker thread that is started by the first request and ends when idle. Invariants:
 * 1. There is at most one worker, and every pending request was sent to it.
 * 2. A worker without pending requests keeps no process alive.
 * 3. When the worker ends, whatever the reason, every pending request is rejected.
 */
export function createWorkerClient<Request, Answer, Note = never, Part = unknown>(
  options: WorkerClientOptions<Note>,
): WorkerClient<Request, Answer, Part> {
  type Pending = {
    resolve(answer: Answer): void;
    reject(error: unknown): void;
    onPart: ((part: Part) => void) | undefined;
  };
  const pending = new Map<number, Pending>();
  let worker: Started | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  let isClosed = false;

  function start(): Started {
    const started = options.isProcess?.() ? startProcess(options.url, options.process) : startThread(options);
    let reason = "it ended";
    started.on("message", (message) => {
      // A message in transit from a worker that has ended no longer counts.
      if (started === worker) settle(message as FromWorker<Answer, Note, Part>);
    });
    started.on("error", (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    started.on("exit", () => end(started, reason));
    return started;
  }

  function settle(message: FromWorker<Answer, Note, Part>): void {
    if ("note" in message) {
      options.onNote?.(message.note);
      return;
    }
    const request = pending.get(message.id);
    if ("part" in message) request?.onPart?.(message.part);
    else if ("answer" in message) request?.resolve(message.answer);
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
    async ask(request, { signal, transfer = [], connection, answerMs = options.answerMs, onPart }) {
      signal.throwIfAborted();
      if (isClosed) throw new WorkerEnded("it is closed");
      clearTimeout(idle);
      worker ??= start();
      const asked = worker;
      asked.ref();
      lastId += 1;
      const id = lastId;
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      pending.set(id, { resolve, reject, onPart });
      const cancel = () => {
        asked.postMessage({ cancel: id } satisfies ToWorker<Request>, []);
        reject(signal.reason);
      };
      const overrun = () => end(asked, `it took longer than ${answerMs} ms`);
      const deadline = answerMs === undefined ? undefined : setTimeout(overrun, answerMs);
      const stopWatching = watchComputing(asked, options.computeMs, (tookMs) =>
        end(asked, `it computed for longer than ${tookMs} ms`),
      );
      signal.addEventListener("abort", cancel, { once: true });
      asked.postMessage({ id, request } satisfies ToWorker<Request>, transfer, connection);
      try {
        return await promise;
      } finally {
        clearTimeout(deadline);
        stopWatching();
        signal.removeEventListener("abort", cancel);
        pending.delete(id);
        rest();
      }
    },
    end() {
      if (worker !== undefined) end(worker, "it was ended");
    },
    async close() {
      isClosed = true;
      const open = worker;
      if (open !== undefined) end(open, "it is closed");
      await open?.terminate();
    },
  };
}

/** How much longer than its processor time an answer may take. */
const clockFactor = 10;

/** Calls back once a thread has computed for longer than this, unless it is stopped before. */
function watchComputing(thread: Started, mostMs: number | undefined, overrun: (mostMs: number) => void): () => void {
  if (mostMs === undefined) return () => undefined;
  const computedMs = async () => {
    const { user, system } = (await thread.cpuUsage?.()) ?? { user: Number.POSITIVE_INFINITY, system: 0 };
    return (user + system) / 1_000;
  };
  let isOver = false;
  const before = computedMs();
  const look = async () => {
    const restMs = mostMs - ((await computedMs()) - (await before));
    if (isOver) return;
    if (restMs <= 0) overrun(mostMs);
    else timer = setTimeout(again, Math.max(restMs, mostMs / 20));
  };
  // A thread that ends while it is asked has no usage; its end is reported elsewhere.
  const again = () => void look().catch(() => undefined);
  let timer = setTimeout(again, mostMs);
  // What computes without ever being interrupted cannot be asked.
  const last = setTimeout(overrun, mostMs * clockFactor, mostMs);
  before.catch(() => undefined);
  return () => {
    isOver = true;
    clearTimeout(timer);
    clearTimeout(last);
  };
}

function startThread({ url, workerData, heapMb }: WorkerClientOptions): Started {
  const limits = { ...resourceLimits, ...(heapMb !== undefined && { maxOldGenerationSizeMb: heapMb }) };
  return new Worker(url, { workerData, env: threadEnvironment(), execArgv: [], resourceLimits: limits });
}
