import { serveWorker } from "@weft/workers";
import type { EmbeddedRequest } from "./embedded-model.ts";
import { hasRuntime } from "./runtime.ts";
import type { EmbedWindows } from "./windows.ts";
import { toWindows } from "./windows.ts";

// Entry of the embedding worker, a process for native code, otherwise a thread. Weights and vocabulary are files of the
// package; nothing is downloaded.

const embedWindows = await openModel();
let turn: Promise<unknown> = Promise.resolve();

/** One batch at a time: two at once are no faster, and take twice the memory. */
serveWorker<EmbeddedRequest, Float32Array[]>(({ texts }, { signal }) => {
  const own = turn.then(() => embed(texts, signal));
  turn = own.catch(() => {});
  return own;
});

async function openModel(): Promise<EmbedWindows> {
  try {
    if (hasRuntime()) return await (await import("./native-model.ts")).openNativeModel();
  } catch (error) {
    process.emitWarning(`the embedded model runs on WebAssembly, because the native runtime failed: ${error}`, "Weft");
  }
  return (await import("./wasm-model.ts")).openWasmModel();
}

/** The vector of a text is the mean of its windows' vectors. */
async function embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
  const windows = texts.map(toWindows);
  const found = await embedWindows(windows.flat(), signal);
  let next = 0;
  return windows.map(({ length }) => {
    next += length;
    return toMean(found.slice(next - length, next));
  });
}

function toMean(vectors: readonly ArrayLike<number>[]): Float32Array {
  const [first = [], ...others] = vectors;
  const sum = Float32Array.from(first);
  for (const vector of others) for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0);
  return sum.map((value) => value / vectors.length);
}
