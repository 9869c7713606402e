import type { EmbeddingModel } from "@weft/engine/ports/embedding-model";
import type { RerankModel } from "@weft/engine/ports/rerank-model";
import { WeftError } from "@weft/schema";
import { createWorkerClient, WorkerEnded } from "@weft/workers";
import type { FolderRequest } from "./folder-worker.ts";
import {
  embeddingManifestSchema,
  ModelFolderError,
  readModelFolder,
  rerankerManifestSchema,
} from "./read-model-folder.ts";

/** A larger model takes seconds to open, and an operator who names a folder uses it. */
const defaultIdleMs = 600_000;
/** Limit for a request, including those queued before it. */
const answerMs = 300_000;

/**
 * The embedding model in a folder of the operator, in a separate process that ends when idle. Runs a trial first:
 * rejects with a `ModelFolderError` if something is missing or incompatible. Later failures are `embedding-failed`.
 */
export async function openFolderEmbeddings(path: string, { idleMs = defaultIdleMs } = {}): Promise<EmbeddingModel> {
  const source = { variable: "EMBEDDING_MODEL_DIR", path };
  const folder = await readModelFolder(source, embeddingManifestSchema);
  const { queryPrefix, passagePrefix } = folder.manifest;
  const worker = await openWorker(source, { trial: { embed: folder, texts: ["a"] }, idleMs });
  return {
    id: folder.id,
    maxBatch: 32,
    async embed({ texts, purpose, signal }) {
      if (texts.length === 0) return [];
      const prefix = purpose === "query" ? queryPrefix : passagePrefix;
      const asked = { embed: folder, texts: texts.map((text) => prefix + text) };
      return worker.ask(asked, { signal }).catch((error: unknown) => {
        throw error instanceof WorkerEnded ? embeddingFailed(error) : error;
      });
    },
    close: worker.close,
  };
}

/** The reranker in a folder of the operator, as `openFolderEmbeddings`. Later failures are `model-unavailable`. */
export async function openFolderReranker(path: string): Promise<RerankModel> {
  const source = { variable: "RERANKER_MODEL_DIR", path };
  const folder = await readModelFolder(source, rerankerManifestSchema);
  const trial = { rerank: folder, query: "a", passages: ["a"] };
  const worker = await openWorker(source, { trial, idleMs: defaultIdleMs });
  return {
    id: folder.id,
    maxPassages: 200,
    async rerank({ query, passages, signal }) {
      if (passages.length === 0) return { scores: [] };
      const found = await worker.ask({ rerank: folder, query, passages }, { signal }).catch((error: unknown) => {
        throw error instanceof WorkerEnded ? rerankerFailed(error) : error;
      });
      return { scores: found.map(([score = 0]) => score) };
    },
    close: worker.close,
  };
}

function embeddingFailed(error: Error): WeftError {
  return new WeftError("embedding-failed", { params: { reason: reasonOf(error) } });
}

function rerankerFailed(error: Error): WeftError {
  const message = `The reranker on this server failed: ${reasonOf(error)}. Try again.`;
  return new WeftError("model-unavailable", { message });
}

const reasonOf = ({ message }: Error): string => message.replace(/\.$/, "");

/** A worker that has passed the trial. */
async function openWorker(
  source: { variable: string; path: string },
  { trial, idleMs }: { trial: FolderRequest; idleMs: number },
) {
  const url = new URL("./folder-worker.ts", import.meta.url);
  const worker = createWorkerClient<FolderRequest, Float32Array[]>({ url, idleMs, answerMs, isProcess: () => true });
  try {
    await worker.ask(trial, { signal: new AbortController().signal });
    return worker;
  } catch (cause) {
    await worker.close();
    const reason = reasonOf(cause as Error);
    throw new ModelFolderError(`${source.variable}: the model in ${source.path} cannot be used: ${reason}.`);
  }
}
