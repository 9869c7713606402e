import { z } from "zod";
import { type EmbeddingWire, vectorSchema } from "../http-embedding-model.ts";

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
