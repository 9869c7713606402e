import { buildGraph, dimension, maxTokens } from "./graph/build-graph.ts";
import { createTokenizer } from "./graph/tokenizer.ts";
import { readVocabulary, readWeights } from "./graph/weights.ts";
import { loadRuntime, sessionOptions, type Tensor } from "./runtime.ts";
import { type EmbedWindows, maxAtOnce, toWindowText } from "./windows-model.ts";

/**
 * The model on the native runtime, about eight times as fast as on WebAssembly; the cosine of its vectors to that model's is
 * 0.999 or more. It belongs in a process of its own: a thread that is ended while it computes ends the process. Rejects when
 * the runtime is not installed or cannot run here.
 */
export async function openNativeModel(): Promise<EmbedWindows> {
  const runtime = loadRuntime();
  const tokenize = createTokenizer(await readVocabulary());
  const session = await runtime.InferenceSession.create(buildGraph(await readWeights()), sessionOptions);

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
    // A batch is as wide as its longest text.
    all.sort((one, other) => one.tokens.length - other.tokens.length);
    const vectors: Float32Array[] = [];
    for (let start = 0; start < all.length; start += maxAtOnce) {
      signal.throwIfAborted();
      const batch = all.slice(start, start + maxAtOnce);
      const found = await run(batch.map(({ tokens }) => tokens));
      for (const [at, { index }] of batch.entries()) vectors[index] = found[at] as Float32Array;
    }
    return vectors;
  };
}
