import { requireFormat } from "./detect-format.ts";
import type { DocumentContent, DocumentInput } from "./document.ts";
import { type DocumentLimits, standardLimits } from "./limits.ts";
import { type ReadEnd, readOnWorker } from "./read-on-worker.ts";
import { unreadableError } from "./unreadable.ts";
import { createWorkerPool } from "./worker-pool.ts";

export type ReadOptions = { signal: AbortSignal; takesBytes?: boolean };

export type DocumentReader = {
  /**
   * The text of a file. Raises `document-unsupported`, `document-unreadable` with the reason, `documents-at-capacity`,
   * and the signal's reason. The bytes are copied and stay the caller's; with `takesBytes` they are moved where that
   * can be, and the caller's view of them is empty afterwards.
   */
  read(input: DocumentInput, options: ReadOptions): Promise<DocumentContent>;
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
    async read(input, { signal, takesBytes = false }) {
      const { name, bytes } = input;
      if (bytes.length > limits.inputBytes) {
        throw unreadableError(name, `it is larger than ${limits.inputBytes} bytes; split it`);
      }
      if (bytes.length === 0) throw unreadableError(name, "it is empty");
      const format = requireFormat(input);
      const worker = await pool.acquire(signal);
      const own = takesBytes && isWholeBuffer(bytes) ? bytes : new Uint8Array(bytes);
      const end = await readOnWorker(worker, { bytes: own, format }, { signal, limits });
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

/** Otherwise the rest of it may be somebody else's. */
function isWholeBuffer(bytes: Uint8Array): boolean {
  return bytes.byteLength === bytes.buffer.byteLength;
}
