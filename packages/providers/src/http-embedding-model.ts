import type { EmbeddingModel, EmbeddingRequest } from "@weft/engine/ports/embedding-model";
import { parseJson } from "@weft/schema";
import { z } from "zod";
import { callVendor } from "./call-vendor.ts";
import type { EmbeddingModelOptions } from "./define-provider.ts";
import { invalidAnswer, unreadable } from "./failure/model-failure.ts";

/** The wire format of one vendor's embeddings API. */
export type EmbeddingWire = {
  vendor: string;
  maxBatch: number;
  url(model: string): string;
  /** `body`: the text sent, for vendors that require a signature of it. */
  headers(apiKey: string | undefined, body: string): Record<string, string>;
  body(request: EmbeddingRequest, options: Pick<EmbeddingModelOptions, "model" | "dimensions">): object;
  /** The vectors of an answer in the order of the texts; undefined if the response violates the API. */
  read(answer: unknown): number[][] | undefined;
};

/** A vendor's model over HTTP. Failures are `WeftError`s of `embedding-*` codes; none contains the key. */
export function createHttpEmbeddingModel(wire: EmbeddingWire, options: EmbeddingModelOptions): EmbeddingModel {
  const { model, apiKey, dimensions, fetch } = options;
  const id = dimensions === undefined ? `${wire.vendor}:${model}` : `${wire.vendor}:${model}@${dimensions}`;
  const context = { id, family: "embedding" as const, secrets: apiKey === undefined ? [] : [apiKey] };
  return {
    id,
    maxBatch: wire.maxBatch,
    async embed(request) {
      const { texts, signal } = request;
      if (texts.length === 0) return [];
      const body = JSON.stringify(wire.body(request, options));
      const headers = { "content-type": "application/json", ...wire.headers(apiKey, body) };
      return callVendor({ url: wire.url(model), headers, body, signal, fetch }, context, async (response) => {
        const text = await response.text();
        const answer = parseJson(text);
        if (answer === undefined) throw unreadable(text, "embedding");
        return toVectors(wire.read(answer), texts.length);
      });
    },
  };
}

/** One vector per text, all of the same length, of numbers that fit a 32-bit float. */
function toVectors(found: number[][] | undefined, count: number): Float32Array[] {
  if (found === undefined) throw invalidAnswer("it is not what the API promises", "embedding");
  if (found.length !== count) throw invalidAnswer(`it has ${found.length} vectors for ${count} texts`, "embedding");
  const [first = []] = found;
  if (first.length === 0 || found.some(({ length }) => length !== first.length)) {
    throw invalidAnswer("its vectors are empty or of several lengths", "embedding");
  }
  return found.map((vector) => Float32Array.from(vector));
}

/** One vector, as JSON. */
export const vectorSchema = z.array(z.number());

/** Config fields that several providers share. */
export const embeddingConfigFields = {
  model: (example: string) => z.string().max(200).optional().meta({ title: "Model", placeholder: example }),
  credential: z
    .string()
    .max(100)
    .optional()
    .meta({
      title: "Credential",
      widget: "credential",
      ref: "credential",
      goesTo: [{ address: "baseUrl" }, { provider: null }],
    }),
  baseUrl: (placeholder: string) =>
    z.string().max(2_000).optional().meta({ title: "Base URL", ref: "address", placeholder, advanced: true }),
  dimensions: z.coerce.number().int().min(1).max(16_000).optional().meta({
    title: "Dimensions",
    help: "Length of the vectors, for models that support choosing it. If empty, the model's default.",
    advanced: true,
  }),
};

const answerSchema = z.object({ data: z.array(z.object({ index: z.number().int(), embedding: vectorSchema })) });

/** OpenAI's `POST /embeddings`, which compatible servers share. Vectors carry the index of their text. */
export function createOpenAiWire(vendor: string, baseUrl: string, dimensionsKey = "dimensions"): EmbeddingWire {
  return {
    vendor,
    maxBatch: 128,
    url: () => `${baseUrl}/embeddings`,
    headers: (apiKey) => (apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    body: ({ texts }, { model, dimensions }) => ({
      model,
      input: texts.map(toInput),
      encoding_format: "float",
      ...(dimensions === undefined ? {} : { [dimensionsKey]: dimensions }),
    }),
    read(answer) {
      const { data } = answerSchema.safeParse(answer).data ?? {};
      return data?.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding);
    },
  };
}

/** An empty text is refused, a space is not. */
function toInput(text: string): string {
  return text === "" ? " " : text;
}
