import { hash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { EmbeddingModel } from "@weft/engine/ports/embedding-model";

const hashBytes = 32;
const now = { signal: new AbortController().signal };

export type Embed = (texts: readonly string[], purpose: "document" | "query") => Promise<Float32Array[]>;

/**
 * Embeds what has not been embedded before: vectors are kept in a file in the folder, known by what was embedded, and
 * written batch by batch, so that a run that was ended is taken up again. All vectors of a model have the same length.
 */
export function createVectorCache(folder: string, model: EmbeddingModel, dimension: number): Embed {
  const file = join(folder, `${model.id.replace(/\W+/g, "-")}.vectors`);
  const known = readVectors(file, dimension);
  return async (texts, purpose) => {
    const keyOf = (text: string) => hash("sha256", `${purpose}\n${text}`);
    const missing = [...new Set(texts)].filter((text) => !known.has(keyOf(text)));
    for (let start = 0; start < missing.length; start += model.maxBatch) {
      const batch = missing.slice(start, start + model.maxBatch);
      const vectors = await model.embed({ texts: batch, purpose, ...now });
      for (const [index, text] of batch.entries()) {
        const vector = vectors[index];
        if (vector?.length !== dimension) throw new Error(`${model.id} gave no vector of ${dimension} numbers.`);
        known.set(keyOf(text), vector);
        appendFileSync(file, Buffer.concat([Buffer.from(keyOf(text), "hex"), new Uint8Array(vector.slice().buffer)]));
      }
      if (missing.length > 100) process.stderr.write(`\rembedded ${start + batch.length} of ${missing.length}`);
    }
    if (missing.length > 100) process.stderr.write("\n");
    return texts.map((text) => known.get(keyOf(text)) ?? new Float32Array(dimension));
  };
}

/** By the hash of what was embedded. What was cut off at the end of the file is removed from it. */
function readVectors(file: string, dimension: number): Map<string, Float32Array> {
  const vectors = new Map<string, Float32Array>();
  if (!existsSync(file)) return vectors;
  const bytes = readFileSync(file);
  const size = hashBytes + dimension * 4;
  const rest = bytes.length % size;
  if (rest > 0) truncateSync(file, bytes.length - rest);
  for (let start = 0; start + size <= bytes.length; start += size) {
    const key = bytes.toString("hex", start, start + hashBytes);
    const own = bytes.buffer.slice(bytes.byteOffset + start + hashBytes, bytes.byteOffset + start + size);
    vectors.set(key, new Float32Array(own));
  }
  return vectors;
}
