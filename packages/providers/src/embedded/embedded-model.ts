import type { EmbeddingModel } from "@weft/engine/ports/embedding-model";
import { WeftError } from "@weft/schema";
import { createWorkerClient, WorkerEnded } from "@weft/workers";
import { hasRuntime } from "./runtime.ts";

export type EmbeddedRequest = { texts: readonly string[] };

/** An embedding model with a worker thread; `close` ends it. */
export type EmbeddedModel = EmbeddingModel & { close(): Promise<void> };

/** How long an idle worker is kept; it takes some 200 MB. */
const defaultIdleMs = 120_000;
/** Limit for a batch, including those queued before it. */
const defaultAnswerMs = 300_000;

/**
 * Google's Universal Sentence Encoder lite, English: on a native runtime in a separate process if one is installed,
 * otherwise on WebAssembly in a thread. Either starts with the first text and ends when idle. Reads the first 3,600
 * characters of a text. Rejects with `embedding-failed` if the worker fails; the next request starts another.
 */
export function createEmbeddedModel({ idleMs = defaultIdleMs, answerMs = defaultAnswerMs } = {}): EmbeddedModel {
  const url = new URL("./embedded-worker.ts", import.meta.url);
  const worker = createWorkerClient<EmbeddedRequest, Float32Array[]>({ url, idleMs, answerMs, isProcess: hasRuntime });
  return {
    id: "embedded:use-lite-en",
    maxBatch: 16,
    async embed({ texts, signal }) {
      if (texts.length === 0) return [];
      return worker.ask({ texts }, { signal }).catch((error: unknown) => {
        if (!(error instanceof WorkerEnded)) throw error;
        throw new WeftError("embedding-failed", { params: { reason: error.message.replace(/\.$/, "") } });
      });
    },
    close: worker.close,
  };
}

let shared: EmbeddedModel | undefined;

/**
 * The model with one worker shared by the whole process. Nobody closes it: it ends when idle, and keeps no process
 * alive.
 */
export function shareEmbeddedModel(): EmbeddingModel {
  shared ??= createEmbeddedModel();
  const { close: _, ...model } = shared;
  return model;
}
