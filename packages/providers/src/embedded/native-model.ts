import { buildGraph, dimension, maxTokens } from "./graph/build-graph.ts";
import { createGraphBuilder } from "./graph/graph-builder.ts";
import { addLinear, addSmallLinear, type Linear } from "./graph/linear.ts";
import { toOnnx } from "./graph/onnx.ts";
import { createTokenizer } from "./graph/tokenizer.ts";
import { readVocabulary, readWeights } from "./graph/weights.ts";
import { loadRuntime, type Runtime, sessionOptions, type Tensor } from "./runtime.ts";
import { type EmbedWindows, toWindowText } from "./windows-model.ts";

/** Tokens per run of the graph: the intermediate results of more do not fit the processor's cache. */
const tokensAtOnce = 256;

/**
 * The model on the native runtime, about fifteen times as fast as on WebAssembly; the cosine of its vectors to that
 * model's is 0.999 or more. Run it in a separate process: terminating a thread while it computes ends the process.
 * Rejects if the runtime is not installed or cannot run here.
 */
export async function openNativeModel({ linear }: { linear?: Linear | undefined } = {}): Promise<EmbedWindows> {
  const runtime = loadRuntime();
  const small = linear ?? ((await isExact(runtime)) ? addSmallLinear : addLinear);
  const tokenize = createTokenizer(await readVocabulary());
  const session = await runtime.InferenceSession.create(buildGraph(await readWeights(), small), sessionOptions);

  async function run(batch: readonly (readonly number[])[]): Promise<Float32Array[]> {
    const width = Math.max(...batch.map(({ length }) => length));
    const shape = [batch.length, width];
    const ids = new Int32Array(batch.length * width);
    const present = new Float32Array(ids.length);
    for (const [row, tokens] of batch.entries()) {
      ids.set(tokens, row * width);
      present.fill(1, row * width, row * width + tokens.length);
    }
    const found = await session.run({
      ids: new runtime.Tensor("int32", ids, shape),
      present: new runtime.Tensor("float32", present, shape),
      positions: new runtime.Tensor(
        "int32",
        Int32Array.from({ length: width }, (_, at) => at),
        [width],
      ),
    });
    const { data } = found.vectors as Tensor;
    return batch.map((_, row) => data.slice(row * dimension, (row + 1) * dimension));
  }

  return async (windows, signal) => {
    const all = windows.map((text, index) => ({ index, tokens: tokenize(toWindowText(text)).slice(0, maxTokens) }));
    // A batch is as wide as its longest text, its last.
    all.sort((one, other) => one.tokens.length - other.tokens.length);
    const vectors: Float32Array[] = [];
    for (let start = 0, end = 0; start < all.length; start = end) {
      signal.throwIfAborted();
      do end += 1;
      while (end < all.length && (all[end]?.tokens.length ?? 0) * (end + 1 - start) <= tokensAtOnce);
      const batch = all.slice(start, end);
      const found = await run(batch.map(({ tokens }) => tokens));
      for (const [at, { index }] of batch.entries()) vectors[index] = found[at] as Float32Array;
    }
    return vectors;
  };
}

/**
 * Whether this processor multiplies bytes exactly (VNNI on x64, dot products on ARM). Others saturate, which lowers
 * cosines to 0.96 from 0.999, so they use the weights unquantised.
 */
async function isExact({ InferenceSession, Tensor }: Runtime): Promise<boolean> {
  const [rows, columns] = [64, 32];
  const graph = createGraphBuilder();
  // All bytes at their maximum.
  const matrix = { rows, columns, values: new Float32Array(rows * columns).fill(1) };
  const product = addSmallLinear(graph, "ones", { matrix, bias: new Float32Array(columns) });
  graph.give("sums", "Identity", [product], {});
  const { nodes, tensors } = graph;
  const inputs = [{ name: "ones", type: "float32", shape: ["rows", rows] }] as const;
  const outputs = [{ name: "sums", type: "float32", shape: ["rows", columns] }] as const;
  const session = await InferenceSession.create(
    toOnnx({ name: "trial", nodes, tensors, inputs, outputs }),
    sessionOptions,
  );
  const ones = new Tensor("float32", new Float32Array(2 * rows).fill(1), [2, rows]);
  const { data } = (await session.run({ ones })).sums as Tensor;
  return data.every((sum) => Math.abs(sum - rows) < 0.01);
}
