import { type EmbeddingFormat, jsonWire } from "../../testing/embedding-format.ts";

type EmbeddingsRequest = { model: string; input: string[]; dimensions?: number };

export const openAiEmbeddingFormat: EmbeddingFormat<EmbeddingsRequest> = {
  wire: jsonWire({
    basePath: "/v1",
    isAnswerPath: (path) => path === "/embeddings",
    toError: (message) => ({ error: { message, type: "invalid_request_error", param: null, code: null } }),
  }),
  textsOf: ({ input }) => input,
  /** Last first: clients go by the index. */
  toAnswer: (vectors) => ({
    object: "list",
    data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })).toReversed(),
    model: "scripted",
    usage: { prompt_tokens: 1, total_tokens: 1 },
  }),
  keyOf: ({ authorization }) => authorization?.replace("Bearer ", ""),
};
