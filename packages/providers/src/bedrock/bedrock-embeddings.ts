import type { EmbeddingModel } from "@weft/engine/ports/embedding-model";
import { z } from "zod";
import type { EmbeddingModelOptions } from "../define-provider.ts";
import { createHttpEmbeddingModel, type EmbeddingWire, vectorSchema } from "../http-embedding-model.ts";
import { toBedrockCall } from "./bedrock-call.ts";

/** Concurrent requests, each for one text. */
const atOnce = 8;

/** An embedding model on Amazon Bedrock, by `InvokeModel` in the format of the model's vendor. */
export function createBedrockEmbeddingModel(options: EmbeddingModelOptions): EmbeddingModel {
  if (!/(^|[./])amazon\.titan/.test(options.model)) return createHttpEmbeddingModel(createCohereWire(options), options);
  const single = createHttpEmbeddingModel(createTitanWire(options), options);
  return {
    ...single,
    maxBatch: 32,
    async embed({ texts, ...request }) {
      const vectors: Float32Array[] = [];
      for (let first = 0; first < texts.length; first += atOnce) {
        const part = texts.slice(first, first + atOnce).map((text) => single.embed({ ...request, texts: [text] }));
        vectors.push(...(await Promise.all(part)).flat());
      }
      return vectors;
    },
  };
}

function createWire(
  options: EmbeddingModelOptions,
  own: Pick<EmbeddingWire, "maxBatch" | "body" | "read">,
): EmbeddingWire {
  const path = `/model/${encodeURIComponent(options.model)}/invoke`;
  return {
    ...own,
    vendor: "bedrock",
    url: () => toBedrockCall(options, path, "").url,
    headers: (_, body) => toBedrockCall(options, path, body).headers,
  };
}

const titanSchema = z.object({ embedding: vectorSchema });

/** Titan takes one text per request. Its first version has vectors of a fixed length. */
function createTitanWire(options: EmbeddingModelOptions): EmbeddingWire {
  return createWire(options, {
    maxBatch: 1,
    body: ({ texts: [text = ""] }, { dimensions }) => ({ inputText: text === "" ? " " : text, dimensions }),
    read(answer) {
      const { embedding } = titanSchema.safeParse(answer).data ?? {};
      return embedding && [embedding];
    },
  });
}

/** A list, or one per requested number type. */
const cohereSchema = z.object({
  embeddings: z.array(vectorSchema).or(z.object({ float: z.array(vectorSchema) }).transform(({ float }) => float)),
});

function createCohereWire(options: EmbeddingModelOptions): EmbeddingWire {
  return createWire(options, {
    maxBatch: 96,
    body: ({ texts, purpose }, { dimensions }) => ({
      texts: texts.map((text) => (text === "" ? " " : text)),
      input_type: purpose === "query" ? "search_query" : "search_document",
      embedding_types: ["float"],
      output_dimension: dimensions,
    }),
    read: (answer) => cohereSchema.safeParse(answer).data?.embeddings,
  });
}
