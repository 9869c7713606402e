import type { EmbeddingModel } from "@weft/engine/ports/embedding-model";
import { WeftError } from "@weft/schema";
import { createWorkerClient, WorkerEnded } from "@weft/workers";
import { hasRuntime } from "./runtime.ts";

export type EmbeddedRequest = { texts: readonly string[] };

/** An embedding model with a worker thread, which `close` ends. */
export type EmbeddedModel = EmbeddingModel & { close(): Promise<void> };

/** How long a worker without work is kept; it holds some 200 MB. */
const defaultIdleMs = 120_000;
/** How long a batch may take, those before it included. */
const defaultAnswerMs = 300_000;

/**
 * Google's Universal Sentence Encoder lite, English: on a native runtime in a process of its own where one is installed,
 * else on WebAssembly in a thread. Either starts with the first text and ends when idle. Of a text it reads the first
 * 3,600 characters. Rejects with `embedding-failed` when the worker fails; the next request starts another.
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
 * The model with one worker for everyone in this process. Nobody closes it: it ends when idle, and keeps no process alive.
 */
export function shareEmbeddedModel(): EmbeddingModel {
  shared ??= createEmbeddedModel();
  const { close: _, ...model } = shared;
  return model;
}
