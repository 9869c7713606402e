import type { AnswerStep, ScriptStep } from "./script-step.ts";
import { toTestVector } from "./test-vectors.ts";
import { parseJsonBody, type WireFormat } from "./wire-format.ts";

/** One vendor's embeddings API: its wire format, the texts of a request, and a true answer with the given vectors. */
export type EmbeddingFormat<Request = unknown> = {
  wire: WireFormat<Request>;
  textsOf(request: Request): string[];
  toAnswer(vectors: number[][]): object;
  keyOf(headers: Record<string, string>): string | undefined;
  /** What says in a request that its texts are questions, where the vendor wants to know. */
  queryMark?: RegExp;
};

/** What all formats have in common: JSON in one piece. A step's `text` is a whole answer. */
export function jsonWire<Request>(
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

/** What a vendor answers when nothing is wrong: `toTestVector` of every text. */
export function answerWithVectors<Request>(format: EmbeddingFormat<Request>, request: Request): ScriptStep {
  const vectors = format.textsOf(request).map((text) => [...toTestVector(text)]);
  return { status: 200, body: format.toAnswer(vectors) };
}
