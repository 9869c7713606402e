import { openAiTraits } from "../../openai/testing/wire.ts";
import { type EmbeddingFormat, jsonWire } from "../../testing/embedding-format.ts";
import type { RerankFormat } from "../../testing/rerank-format.ts";
import type { RecordedRequest } from "../../testing/script-step.ts";
import { defineChatWire, type ReadRequest, type VendorWire } from "../../testing/vendor-wire.ts";
import { type CohereRequest, cohereFormat } from "./cohere-format.ts";

type EmbedRequest = { model: string; texts: string[]; input_type: string };

const cohereEmbeddingFormat: EmbeddingFormat<EmbedRequest> = {
  wire: jsonWire({
    basePath: "/v2",
    isAnswerPath: (path) => path === "/embed",
    toError: (message) => ({ id: "e1", message }),
  }),
  textsOf: ({ texts }) => texts,
  toAnswer: (float) => ({ id: "e1", embeddings: { float }, meta: { billed_units: { input_tokens: 1 } } }),
  keyOf: ({ authorization }) => authorization?.replace("Bearer ", ""),
  queryMark: /"search_query"/,
};

const rerank: RerankFormat<{ documents: string[] }> = {
  wire: jsonWire({
    basePath: "/v2",
    isAnswerPath: (path) => path === "/rerank",
    toError: (message) => ({ id: "e1", message }),
  }),
  passagesOf: ({ documents }) => documents,
  toAnswer: (scores) => ({
    id: "e1",
    results: scores.map((relevance_score, index) => ({ index, relevance_score })).toReversed(),
    meta: { billed_units: { search_units: 1 } },
  }),
};

export const wires: Record<string, VendorWire> = {
  cohere: {
    embeddings: cohereEmbeddingFormat,
    rerank,
    chat: defineChatWire({
      read: readCohereRequest,
      format: cohereFormat,
      model: "command-a-03-2025",
      marksToolErrors: false,
      lengthReason: "MAX_TOKENS",
      toError: (message) => ({ id: "e1", message }),
      streamError(message) {
        const data = { type: "message-end", delta: { finish_reason: "ERROR", error: message } };
        return { event: `event: message-end\ndata: ${JSON.stringify(data)}\n\n`, status: 500 };
      },
      unreadableEvent: "event: message-start\ndata: {oops\n\n",
    }),
  },
};

/** In OpenAI's words, which differ little. */
function readCohereRequest({ body, ...request }: RecordedRequest<CohereRequest>): ReadRequest {
  const format = body.response_format as { json_schema: unknown } | undefined;
  const messages = body.messages.map(({ tool_plan, ...message }) => ({ content: tool_plan ?? "", ...message }));
  const tools = body.tools?.map((tool) => ({ type: "function" as const, ...tool }));
  const read = openAiTraits.read({
    ...request,
    body: { model: body.model, messages, max_tokens: body.max_tokens, temperature: body.temperature, top_p: body.p },
  });
  return {
    ...read,
    tools: (tools ?? []).map(({ function: { name, description, parameters } }) => {
      return { name, description, schema: parameters };
    }),
    mayCallTools: tools !== undefined && body.tool_choice !== "NONE",
    schema: format?.json_schema,
  };
}
