import { type GenerateContentRequest, googleFormat } from "../../google/testing/google-format.ts";
import { googleTraits } from "../../google/testing/wire.ts";
import { type EmbeddingFormat, jsonWire } from "../../testing/embedding-format.ts";
import { defineChatWire, type VendorWire } from "../../testing/vendor-wire.ts";
import type { WireFormat } from "../../testing/wire-format.ts";

type PredictRequest = { instances: { content: string; task_type: string }[] };

const place = "/v1(/projects/[^/]+/locations/[^/]+)?/publishers/google/models/[^/]+";
const isAnswer = new RegExp(`^${place}:(generateContent|streamGenerateContent\\?alt=sse)$`);
const isPredict = new RegExp(`^${place}:predict$`);

/** Gemini's format where Vertex AI has it. */
export const vertexFormat: WireFormat<GenerateContentRequest> = {
  ...googleFormat,
  basePath: "",
  isAnswerPath: (path) => isAnswer.test(path),
};

const vertexEmbeddingFormat: EmbeddingFormat<PredictRequest> = {
  wire: jsonWire({ basePath: "", isAnswerPath: (path) => isPredict.test(path), toError: googleFormat.toError }),
  textsOf: ({ instances }) => instances.map(({ content }) => content),
  toAnswer: (vectors) => ({ predictions: vectors.map((values) => ({ embeddings: { values } })) }),
  keyOf: (headers) => headers["x-goog-api-key"],
  queryMark: /RETRIEVAL_QUERY/,
};

export const wires: Record<string, VendorWire> = {
  vertex: {
    embeddings: vertexEmbeddingFormat,
    chat: defineChatWire({ ...googleTraits, format: vertexFormat, sendsCallIds: false }),
  },
};
