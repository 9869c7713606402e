import type { EmbeddingModel } from "@weft/engine/ports/embedding-model";
import { WeftError } from "@weft/schema";
import { createWorkerClient, WorkerEnded } from "@weft/workers";
import type { FolderRequest } from "./folder-worker.ts";
import { embeddingManifestSchema, ModelFolderError, readModelFolder } from "./read-model-folder.ts";

/** A larger model takes seconds to open, and who names a folder uses it. */
const defaultIdleMs = 600_000;
/** How long a request may take, those before it included. */
const answerMs = 300_000;

/**
 * The embedding model in a folder of the operator, in a process of its own that ends when idle. It has been tried: rejects with
 * a `ModelFolderError` when something is missing or does not fit. Its own failures are `embedding-failed`.
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
        throw error instanceof WorkerEnded ? failed(error) : error;
      });
    },
    close: worker.close,
  };
}

function failed({ message }: Error): WeftError {
  return new WeftError("embedding-failed", { params: { reason: message.replace(/\.$/, "") } });
}

/** A worker that has answered the trial. */
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
    const reason = (cause as Error).message.replace(/\.$/, "");
    throw new ModelFolderError(`${source.variable}: the model in ${source.path} cannot be used: ${reason}.`);
  }
}
