import { requireFormat } from "./detect-format.ts";
import type { DocumentContent, DocumentInput } from "./document.ts";
import { type DocumentLimits, standardLimits } from "./limits.ts";
import { type ReadEnd, readOnWorker } from "./read-on-worker.ts";
import { unreadableError } from "./unreadable.ts";
import { createWorkerPool } from "./worker-pool.ts";

export type DocumentReader = {
  /**
   * The text of a file. Raises `document-unsupported`, `document-unreadable` with the reason, `documents-at-capacity`,
   * and the signal's reason. The bytes stay the caller's.
   */
  read(input: DocumentInput, options: { signal: AbortSignal }): Promise<DocumentContent>;
  /** Ends all workers; who waits, and who comes later, is refused. */
  close(): Promise<void>;
};

/**
 * Reads documents in worker threads, which are started when needed and end when they are not. Whatever a document
 * does to its worker, the next one gets a worker in good health.
 */
export function createDocumentReader(overrides: Partial<DocumentLimits> = {}): DocumentReader {
  const limits = { ...standardLimits, ...overrides };
  const pool = createWorkerPool(limits);
  return {
    async read(input, { signal }) {
      const { name, bytes } = input;
      if (bytes.length > limits.inputBytes) throw unreadableError(name, `it is larger than ${limits.inputBytes} bytes`);
      if (bytes.length === 0) throw unreadableError(name, "it is empty");
      const format = requireFormat(input);
      const worker = await pool.acquire(signal);
      const end = await readOnWorker(worker, { bytes: new Uint8Array(bytes), format }, { signal, limits });
      if (typeof end === "object") pool.release(worker);
      else pool.discard(worker);
      if (end === "aborted") throw signal.reason;
      return toContent(name, end, limits);
    },
    close: pool.close,
  };
}

function toContent(name: string, end: Exclude<ReadEnd, "aborted">, limits: DocumentLimits): DocumentContent {
  if (end === "overrun") throw unreadableError(name, `it takes longer than ${limits.timeoutMs} ms; split it`);
  if (end === "out-of-memory") throw unreadableError(name, "it needs more memory than it may; split it");
  if (end === "died") throw unreadableError(name, "its reader ended unexpectedly");
  if (!end.ok) throw unreadableError(name, end.reason);
  return end.content;
}
