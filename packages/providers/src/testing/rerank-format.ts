import type { ScriptStep } from "./script-step.ts";
import type { WireFormat } from "./wire-format.ts";

/** One vendor's API for reranking: its wire format, and a true answer with the given scores. */
export type RerankFormat<Request = unknown> = {
  wire: WireFormat<Request>;
  passagesOf(request: Request): string[];
  toAnswer(scores: number[]): object;
  /** Tokens that `toAnswer` counts; undefined where the vendor counts none. */
  tokens?: number;
};

/** What a vendor answers when nothing is wrong: the share of the passage's words that say "good". */
export function answerWithScores<Request>(format: RerankFormat<Request>, request: Request): ScriptStep {
  return { status: 200, body: format.toAnswer(format.passagesOf(request).map(toTestScore)) };
}

export function toTestScore(passage: string): number {
  const words = passage.split(/\s+/);
  return words.filter((word) => word === "good").length / words.length;
}
