import { Worker } from "node:worker_threads";
import { toCharset } from "@weft/knowledge/encoding";
import { noShare, type Share, WeftError } from "@weft/schema";
import { createWorkerPool, threadEnvironment } from "@weft/workers";
import type { DocumentContent, DocumentInput } from "./document.ts";
import { type DocumentLimits, standardLimits } from "./limits.ts";
import type { ReadJob, ReadReply } from "./read-context.ts";
import { requireFormat } from "./require-format.ts";
import { unreadableError } from "./unreadable-error.ts";

export type ReadOptions = {
  signal: AbortSignal;
  takesBytes?: boolean;
  /** The caller, for fair queueing: no share keeps the others waiting. Absent: nobody's. */
  share?: Share;
};

export type DocumentReader = {
  /**
   * The text of a file. Raises `document-unsupported`, `document-unreadable` with the reason, `documents-at-capacity`,
   * and the signal's reason. The bytes are copied and stay the caller's; with `takesBytes` they are moved if possible,
   * which empties the caller's view.
   */
  read(input: DocumentInput, options: ReadOptions): Promise<DocumentContent>;
  /** Documents waiting for a worker. */
  waiting(): number;
  /** Ends all workers. Rejects documents in progress, waiting or new ones with `shutting-down`. */
  close(): Promise<void>;
};

/**
 * Reads documents in worker threads, started on demand and ended when idle. Whatever a document does to its worker, the
 * next one gets a healthy worker.
 */
export function createDocumentReader(overrides: Partial<DocumentLimits> = {}): DocumentReader {
  const limits = { ...standardLimits, ...overrides };
  let isClosed = false;
  const pool = createWorkerPool({
    size: limits.workers,
    maxWaiting: limits.waiting,
    idleMs: limits.idleMs,
    start: () => createWorker(limits),
    fullError: () => new WeftError("documents-at-capacity", { params: { retryAfterSeconds: 5 } }),
    closedError,
  });
  return {
    async read(input, { signal, takesBytes = false, share = noShare }) {
      const { name, bytes } = input;
      if (bytes.length > limits.inputBytes) {
        throw unreadableError(name, `it is larger than ${limits.inputBytes} bytes; split it`);
      }
      if (bytes.length === 0) throw unreadableError(name, "it is empty");
      const format = requireFormat(input);
      const seat = await pool.take({ share, signal });
      const own = takesBytes && isWholeBuffer(bytes) ? bytes : await copyOf(bytes);
      const end = await readOnWorker(
        seat.worker,
        { bytes: own, format, label: toCharset(input.mimeType) },
        { signal, limits },
      );
      if (typeof end !== "object") seat.discard();
      seat.leave();
      if (end === "aborted") throw signal.reason;
      if (end === "died" && isClosed) throw closedError();
      return toContent(name, end, limits);
    },
    waiting: pool.waiting,
    close() {
      isClosed = true;
      return pool.close();
    },
  };
}

const closedError = () => new WeftError("shutting-down");

/** A reader that reads all documents on behalf of one share. */
export function inNameOf<I, O extends { share?: Share }, T>(share: Share, { read }: Reads<I, O, T>): Reads<I, O, T> {
  return { read: (input, options) => read(input, { share, ...options }) };
}

type Reads<I, O, T> = { read(input: I, options: O): Promise<T> };

function toContent(name: string, end: Exclude<ReadEnd, "aborted">, limits: DocumentLimits): DocumentContent {
  if (end === "overrun") throw unreadableError(name, `it takes longer than ${limits.timeoutMs} ms; split it`);
  if (end === "out-of-memory") throw unreadableError(name, "it needs more memory than it may; split it");
  if (end === "died") throw unreadableError(name, "its reader ended unexpectedly");
  if (!end.ok) throw unreadableError(name, end.reason);
  return end.content;
}

/**
 * With its own heap, without this process's environment and arguments. The engine's heap limit is far above
 * `memoryBytes`, which is monitored while a document is read: at its own limit the engine may end the whole process.
 */
function createWorker(limits: DocumentLimits): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), {
    workerData: limits,
    env: threadEnvironment(),
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 8 * 1024 },
  });
}

/** Yields to this thread's other work: writing to fresh memory is slow. */
async function copyOf(bytes: Uint8Array): Promise<Uint8Array> {
  const copy = new Uint8Array(bytes.length);
  for (let start = 0; start < bytes.length; start += copiedAtOnce) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve));
    copy.set(bytes.subarray(start, start + copiedAtOnce), start);
  }
  return copy;
}

const copiedAtOnce = 1024 * 1024;

/** Otherwise the rest of it may belong to someone else. */
function isWholeBuffer(bytes: Uint8Array): boolean {
  return bytes.byteLength === bytes.buffer.byteLength;
}

type ReadEnd = ReadReply | "overrun" | "out-of-memory" | "died" | "aborted";

/** Reads one document on a worker. The worker must be ended unless it replies. */
async function readOnWorker(
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

/** How often a worker's time and memory are checked. No limit of the engine counts its buffers. */
const watchMs = 50;

/** A process that was stalled for longer (frozen, or its machine slept) gave the worker no more time than this. */
const longestCountedMs = 250;

function isOutOfMemory(error: { code?: unknown }): boolean {
  return error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
