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
    object: "list",
    data: scores.map((relevance_score, index) => ({ index, relevance_score })).toReversed(),
    model: "scripted",
    usage: { total_tokens: 7 },
  }),
  tokens: 7,
};

export const wires: Record<string, VendorWire> = { voyage: { rerank } };
