import { serveWorker } from "@weft/workers";
import { type Batch, type FolderSession, type Output, openSession } from "./folder-session.ts";
import { type EmbeddingManifest, lastChange, type ModelFolder, type RerankerManifest } from "./read-model-folder.ts";
import { type FolderTokenizer, openTokenizer } from "./tokenizer.ts";

// Entry of the process that runs a folder's model: one process per folder, which every request names.

/** Texts to be embedded, including their prefix, or passages to be scored against a query. */
export type FolderRequest =
  | { embed: ModelFolder<EmbeddingManifest>; texts: readonly string[] }
  | { rerank: ModelFolder<RerankerManifest>; query: string; passages: readonly string[] };

type Opened = { tokenizer: FolderTokenizer; session: FolderSession };

let opened: Promise<Opened> | undefined;
let turn: Promise<unknown> = Promise.resolve();

/**
 * Each text's vector, or each passage's score as a vector of length one. One request at a time, as in the embedded
 * model.
 */
serveWorker<FolderRequest, Float32Array[]>((request, { signal }) => {
  const own = turn.then(() => answer(request, signal));
  turn = own.catch(() => {});
  return own;
});

async function answer(request: FolderRequest, signal: AbortSignal): Promise<Float32Array[]> {
  signal.throwIfAborted();
  opened ??= open("embed" in request ? request.embed : request.rerank);
  opened.catch(() => {
    opened = undefined;
  });
  const { tokenizer, session } = await opened;
  if ("embed" in request) {
    const { manifest } = request.embed;
    const toRows = (output: Output, batch: Batch) => toVectors(output, batch, manifest);
    return session.run(request.texts.map(tokenizer.toSequence), { signal, toRows });
  }
  const { query, passages, rerank } = request;
  const { pair, score } = rerank.manifest;
  const sequences = passages.map((passage) =>
    pair === undefined ? tokenizer.toPair(query, passage) : tokenizer.toSequence(fillPair(pair, query, passage)),
  );
  return session.run(sequences, { signal, toRows: (output) => toScores(output, score) });
}

async function open({ path, manifest, changedAtMs }: ModelFolder<EmbeddingManifest | RerankerManifest>) {
  if ((await lastChange(path)) !== changedAtMs)
    throw new Error("its files changed since the server started; restart the server");
  const tokenizer = await openTokenizer(path, manifest.maxTokens);
  return { tokenizer, session: await openSession(path, { output: manifest.output, padId: tokenizer.padId }) };
}

function fillPair(pair: string, query: string, passage: string): string {
  return pair.replace(/\{(query|passage)\}/g, (_, name) => (name === "query" ? query : passage));
}

function toVectors({ data, shape }: Output, { sequences, width }: Batch, manifest: EmbeddingManifest): Float32Array[] {
  const { dimension, pooling, normalise } = manifest;
  const expected = pooling === "none" ? [sequences.length, dimension] : [sequences.length, width, dimension];
  if (shape.join() !== expected.join()) {
    const wanted = pooling === "none" ? "texts × dimension" : "texts × tokens × dimension";
    throw new Error(
      `its graph gives ${shape.join(" × ")} numbers where the manifest's pooling "${pooling}" and dimension ${dimension} mean ${expected.join(" × ")} (${wanted})`,
    );
  }
  return sequences.map(({ ids }, row) => {
    const tokens = pooling === "mean" ? ids.length : 1;
    const start = row * (pooling === "none" ? 1 : width) * dimension;
    const vector = new Float32Array(dimension);
    for (let at = 0; at < tokens * dimension; at += 1)
      vector[at % dimension] = (vector[at % dimension] as number) + (data[start + at] as number) / tokens;
    if (!vector.every(Number.isFinite)) throw new Error("its graph gives numbers that are not finite");
    return normalise ? toUnit(vector) : vector;
  });
}

function toUnit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

function toScores({ data, shape }: Output, score: RerankerManifest["score"]): Float32Array[] {
  if (data.length !== shape[0])
    throw new Error(`its graph gives ${shape.join(" × ")} numbers where one score a passage is expected`);
  return Array.from(data, (value) => {
    const found = score === "logit" ? 1 / (1 + Math.exp(-value)) : Math.min(1, Math.max(0, value));
    return Float32Array.of(Number.isNaN(found) ? 0 : found);
  });
}
