import { join } from "node:path";
import { loadRuntime, type Session, sessionOptions } from "../embedded/runtime.ts";
import type { Sequence } from "./tokenizer.ts";

/** A graph's output for a batch, row by row. `shape` starts with the number of sequences. */
export type Output = { data: Float32Array; shape: readonly number[] };

/** Sequences that run at once, each padded to the width of the longest. */
export type Batch = { sequences: readonly Sequence[]; width: number };

export type FolderSession = {
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
export async function openSession(
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
