import { Worker } from "node:worker_threads";
import { toCharset } from "@weft/knowledge/encoding";
import { noShare, type Share, WeftError } from "@weft/schema";
import { createWorkerPool, threadEnvironment } from "@weft/workers";
import { isArchive } from "./detect-format.ts";
import type { DocumentContent, DocumentFormat, DocumentInput, DocumentParts } from "./document.ts";
import { type DocumentLimits, standardLimits } from "./limits.ts";
import type { FromReader, ReadJob, ReadReply, ToReader } from "./read-context.ts";
import { requireFormat, unreadableError, unsupportedError } from "./require-format.ts";
import { createTextCount } from "./text-count.ts";
import { tooLong } from "./unreadable.ts";

export type ReadOptions = {
  signal: AbortSignal;
  /** The caller, for fair queueing: no share keeps the others waiting. Absent: nobody's. */
  share?: Share;
};

export type DocumentReader = {
  /**
   * The text of a file. Raises `document-unsupported`, `document-unreadable` with the reason, `documents-at-capacity`,
   * and the signal's reason. Bytes stay the caller's. Of a file in parts nothing is held in this thread, and what can be
   * refused by its size, its first part or the length of its text is refused before a worker begins.
   */
  read(input: DocumentInput | DocumentParts, options: ReadOptions): Promise<DocumentContent>;
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
    async read(input, { signal, share = noShare }) {
      const source = toParts(input);
      const { name, mimeType, sizeBytes } = source;
      const { format, parts } = await surveyDocument(source, limits);
      const job = { name, ...(mimeType && { mimeType }), format, label: toCharset(mimeType), sizeBytes };
      const seat = await pool.take({ share, signal });
      const end = await readOnWorker(seat.worker, { job, parts }, { signal, limits });
      if (typeof end !== "object" || "failure" in end) seat.discard();
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
  if ("failure" in end) throw end.failure;
  if ("isUnsupported" in end) throw unsupportedError(name);
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

/** `failure`: that of the parts. */
type ReadEnd = ReadReply | { failure: unknown } | "overrun" | "out-of-memory" | "died" | "aborted";

/** Reads one document on a worker, which gets its parts as it asks for them. It must be ended unless it replies. */
async function readOnWorker(
  worker: Worker,
  { job, parts }: { job: ReadJob; parts: Surveyed["parts"] },
  { signal, limits }: { signal: AbortSignal; limits: DocumentLimits },
): Promise<ReadEnd> {
  const { promise, resolve } = Promise.withResolvers<ReadEnd>();
  const post = (message: ToReader, moved: ArrayBuffer[] = []) => worker.postMessage(message, moved);
  const sendPart = async () => {
    const { value } = await parts.next();
    if (value === undefined) throw unreadableError(job.name, "a part of it is missing; upload it again");
    const part = isWholeBuffer(value) ? value : new Uint8Array(value);
    post({ part }, [part.buffer]);
  };
  const sendNext = () => void sendPart().catch((failure: unknown) => resolve({ failure }));
  const hear = (message: FromReader) => ("more" in message ? sendNext() : resolve(message));
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
  worker.on("message", hear).on("error", fail).on("exit", die);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  else {
    post(job);
    sendNext();
  }
  try {
    return await promise;
  } finally {
    clearInterval(watch);
    worker.off("message", hear).off("error", fail).off("exit", die);
    signal.removeEventListener("abort", abort);
  }
}

/** Otherwise the rest of it may belong to someone else. */
function isWholeBuffer(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
}

/** How often a worker's time and memory are checked. No limit of the engine counts its buffers. */
const watchMs = 50;

/** A process that was stalled for longer (frozen, or its machine slept) gave the worker no more time than this. */
const longestCountedMs = 250;

function isOutOfMemory(error: { code?: unknown }): boolean {
  return error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

/** The bytes of a file that may be read, from the first. `format` is undefined for an archive, whose end tells it. */
type Surveyed = { format: DocumentFormat | undefined; parts: AsyncIterator<Uint8Array> };

/**
 * Looks at a file before any of it is kept: at its size, at its first part for its format, and at the others only where
 * its text may be too long. Raises `document-unsupported` and `document-unreadable`.
 */
async function surveyDocument(source: DocumentParts, limits: DocumentLimits): Promise<Surveyed> {
  const { name, sizeBytes } = source;
  if (sizeBytes === 0) throw unreadableError(name, "it is empty");
  const parts = source.parts()[Symbol.asyncIterator]();
  // Of a file that is not stored, its store knows why.
  const { value: first = new Uint8Array() } = await parts.next();
  if (sizeBytes > limits.inputBytes) {
    throw unreadableError(name, `it is larger than ${limits.inputBytes} bytes; split it`);
  }
  const format = isArchive(first) ? undefined : requireFormat({ ...source, bytes: first });
  const mostCharacters = longestText(format, limits);
  if (sizeBytes <= mostCharacters) return { format, parts: joined(first, parts) };
  const count = createTextCount();
  for (let part: Uint8Array | undefined = first; part !== undefined; part = (await parts.next()).value) {
    if (count(part) <= mostCharacters) continue;
    await parts.return?.();
    throw unreadableError(name, tooLong(limits.textCharacters));
  }
  return { format, parts: source.parts()[Symbol.asyncIterator]() };
}

/** Of the file as it is decoded, in which up to half is markup. Formats that are not text as a whole have no limit here. */
function longestText(format: DocumentFormat | undefined, { textCharacters }: DocumentLimits): number {
  if (format !== undefined && verbatim.has(format)) return textCharacters;
  return format !== undefined && marked.has(format) ? 2 * textCharacters : Number.POSITIVE_INFINITY;
}

const verbatim: ReadonlySet<DocumentFormat> = new Set(["text", "markdown", "csv", "json", "jsonl", "xml", "yaml"]);
const marked: ReadonlySet<DocumentFormat> = new Set(["html", "subtitles", "notebook"]);

async function* joined(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

const partBytes = 256 * 1_024;

/** Parts of a file that is in memory, and stays as it is. */
function toParts(file: DocumentInput | DocumentParts): DocumentParts {
  if (!("bytes" in file)) return file;
  const { bytes, ...named } = file;
  return {
    ...named,
    sizeBytes: bytes.length,
    async *parts() {
      for (let start = 0; start < bytes.length; start += partBytes)
        yield new Uint8Array(bytes.subarray(start, start + partBytes));
    },
  };
}
