import { join } from "node:path";
import { serveWorker } from "@weft/workers";
import { loadRuntime, type Session, sessionOptions } from "../embedded/runtime.ts";
import { type EmbeddingManifest, lastChange, type ModelFolder, type RerankerManifest } from "./read-model-folder.ts";
import { type FolderTokenizer, openTokenizer, type Sequence } from "./tokenizer.ts";

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
      vector[at % dimension] = (vector[at % dimension] ?? 0) + (data[start + at] ?? 0) / tokens;
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

/** A graph's output for a batch, row by row. `shape` starts with the number of sequences. */
type Output = { data: Float32Array; shape: readonly number[] };

/** Sequences that run at once, each padded to the width of the longest. */
type Batch = { sequences: readonly Sequence[]; width: number };

type FolderSession = {
  /**
   * Runs sequences in batches, shortest first, and takes a row per sequence from every batch's output. Returns the rows
   * in the order of the sequences. Stops between two batches if the signal aborts.
   */
  run(
    sequences: readonly Sequence[],
    options: { signal: AbortSignal; toRows(output: Output, batch: Batch): Float32Array[] },
  ): Promise<Float32Array[]>;
};

/** The inputs of encoder graphs. Positions after the end of a sequence are padding. */
const inputs: Record<string, (sequence: Sequence, at: number, padId: number) => number> = {
  input_ids: ({ ids }, at, padId) => ids[at] ?? padId,
  attention_mask: ({ ids }, at) => (at < ids.length ? 1 : 0),
  token_type_ids: ({ types }, at) => types[at] ?? 0,
  position_ids: (_, at) => at,
};

/** Sequences and tokens per batch, including padding: more take more memory and are no faster. */
const maxSequences = 16;
const maxTokensAtOnce = 4_096;

/** Opens the graph of a folder. Rejects with a reason if its inputs or outputs are not an encoder's. */
async function openSession(
  path: string,
  { output, padId }: { output?: string | undefined; padId: number },
): Promise<FolderSession> {
  const { InferenceSession, Tensor } = loadRuntime();
  const session = await InferenceSession.create(join(path, "model.onnx"), sessionOptions);
  assertInputs(session);
  const name = output ?? session.outputNames[0] ?? "";
  if (!session.outputNames.includes(name))
    throw new Error(`its graph has no output "${name}"; it has ${quote(session.outputNames)}`);

  async function runBatch({ sequences, width }: Batch): Promise<Output> {
    const shape = [sequences.length, width];
    const given = session.inputMetadata.map(({ name, type }) => {
      const valueAt = inputs[name] as (typeof inputs)[string];
      const columns = Array.from({ length: width }, (_, at) => at);
      const values = sequences.flatMap((sequence) => columns.map((at) => valueAt(sequence, at, padId)));
      if (type === "int32") return [name, new Tensor("int32", Int32Array.from(values), shape)] as const;
      return [name, new Tensor("int64", BigInt64Array.from(values, BigInt), shape)] as const;
    });
    const found = (await session.run(Object.fromEntries(given)))[name];
    if (found?.type !== "float32")
      throw new Error(`its graph's output "${name}" is ${found?.type}; export the model with float32 outputs`);
    return { data: found.data, shape: found.dims };
  }

  return {
    async run(sequences, { signal, toRows }) {
      const order = sequences
        .map((sequence, index) => ({ sequence, index }))
        .sort((one, other) => one.sequence.ids.length - other.sequence.ids.length);
      const rows: Float32Array[] = [];
      for (let start = 0; start < order.length; ) {
        signal.throwIfAborted();
        const part = order.slice(start, findEnd(order, start));
        const batch = { sequences: part.map(({ sequence }) => sequence), width: part.at(-1)?.sequence.ids.length ?? 0 };
        const found = toRows(await runBatch(batch), batch);
        for (const [at, { index }] of part.entries()) rows[index] = found[at] as Float32Array;
        start += part.length;
      }
      return rows;
    },
  };
}

function assertInputs({ inputMetadata }: Session): void {
  const names = inputMetadata.map(({ name }) => name);
  const unknown = names.find((name) => !Object.hasOwn(inputs, name));
  if (unknown !== undefined)
    throw new Error(
      `its graph takes an input "${unknown}", which is not known; known are ${quote(Object.keys(inputs))}`,
    );
  const other = inputMetadata.find(({ type }) => type !== "int32" && type !== "int64");
  if (other !== undefined)
    throw new Error(`its graph's input "${other.name}" is ${other.type}; it must be int64 or int32`);
  if (!names.includes("input_ids")) throw new Error('its graph takes no input "input_ids"');
}

const quote = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");

function findEnd(order: readonly { sequence: Sequence }[], start: number): number {
  let end = start + 1;
  while (
    end < Math.min(order.length, start + maxSequences) &&
    (order[end]?.sequence.ids.length ?? 0) * (end + 1 - start) <= maxTokensAtOnce
  )
    end += 1;
  return end;
}
