import { jsonWire } from "../../testing/embedding-format.ts";
import type { RerankFormat } from "../../testing/rerank-format.ts";
import type { VendorWire } from "../../testing/vendor-wire.ts";

const rerank: RerankFormat<{ documents: string[] }> = {
  wire: jsonWire({
    basePath: "/v1",
    isAnswerPath: (path) => path === "/rerank",
    toError: (detail) => ({ detail }),
  }),
  passagesOf: ({ documents }) => documents,
  toAnswer: (scores) => ({
    model: "scripted",
    usage: { total_tokens: 7 },
    results: scores.map((relevance_score, index) => ({ index, relevance_score })).toReversed(),
  }),
  tokens: 7,
};

export const wires: Record<string, VendorWire> = { jina: { rerank } };
