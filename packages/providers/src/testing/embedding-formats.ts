import type { AnswerStep, ScriptStep } from "./script-step.ts";
import { toTestVector } from "./test-vectors.ts";
import { parseJsonBody, type WireFormat } from "./wire-format.ts";

/** One vendor's embeddings API: its wire format, the texts of a request, and a true answer with the given vectors. */
export type EmbeddingFormat<Request = unknown> = {
  wire: WireFormat<Request>;
  textsOf(request: Request): string[];
  toAnswer(vectors: number[][]): object;
};

type OpenAiRequest = { model: string; input: string[]; dimensions?: number };
type GoogleRequest = { requests: { content: { parts: { text: string }[] }; taskType: string }[] };
type OllamaRequest = { model: string; input: string[] };

/** What all have in common: JSON in one piece. A step's `text` is a whole answer. */
function jsonWire<Request>(
  traits: Pick<WireFormat<Request>, "basePath" | "isAnswerPath" | "toError">,
): WireFormat<Request> {
  const parse = ({ text = "{}" }: AnswerStep): object => JSON.parse(text);
  return {
    ...traits,
    parse: parseJsonBody,
    wantsStream: () => false,
    render: parse,
    renderStream: () => ({ events: [], end: [] }),
    streamType: "text/plain",
  };
}

const openai: EmbeddingFormat<OpenAiRequest> = {
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
};

const google: EmbeddingFormat<GoogleRequest> = {
  wire: jsonWire({
    basePath: "/v1beta",
    isAnswerPath: (path) => /^\/models\/[^/]+:batchEmbedContents$/.test(path),
    toError: (message) => ({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }),
  }),
  textsOf: ({ requests }) => requests.map(({ content }) => content.parts.map(({ text }) => text).join("")),
  toAnswer: (vectors) => ({ embeddings: vectors.map((values) => ({ values })) }),
};

const ollama: EmbeddingFormat<OllamaRequest> = {
  wire: jsonWire({
    basePath: "",
    isAnswerPath: (path) => path === "/api/embed",
    toError: (message) => ({ error: message }),
  }),
  textsOf: ({ input }) => input,
  toAnswer: (embeddings) => ({ model: "scripted", embeddings, total_duration: 1_000_000 }),
};

export const embeddingFormats = { openai, google, ollama } as const;

/** What a vendor answers when nothing is wrong: `toTestVector` of every text. */
export function answerWithVectors<Request>(format: EmbeddingFormat<Request>, request: Request): ScriptStep {
  const vectors = format.textsOf(request).map((text) => [...toTestVector(text)]);
  return { status: 200, body: format.toAnswer(vectors) };
}
