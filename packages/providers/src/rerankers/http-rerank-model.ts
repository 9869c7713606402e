import type { RerankModel, RerankRequest } from "@weft/engine/ports/rerank-model";
import { parseJson } from "@weft/schema";
import { z } from "zod";
import { callVendor } from "../call-vendor.ts";
import type { RerankModelOptions } from "../define-provider.ts";
import { invalidAnswer, unreadable } from "../failure/model-failure.ts";

/** The wire format of one vendor's reranking API. */
export type RerankWire = {
  vendor: string;
  maxPassages: number;
  url: string;
  body(request: Omit<RerankRequest, "signal">, model: string): object;
  /** Undefined if the response violates the API. */
  read(answer: unknown): RerankResults | undefined;
};

/** The judged passages in any order, by their index in the request. */
type RerankResults = { results: z.infer<typeof rerankResults>; tokens?: number | undefined };

/** The format that the vendors have in common. */
export const rerankResults = z.array(z.object({ index: z.number().int(), relevance_score: z.number() }));

/** A vendor's model over HTTP. Failures are `WeftError`s of `model-*` codes; none contains the key. */
export function createHttpRerankModel(
  wire: RerankWire,
  { model, apiKey = "", fetch }: RerankModelOptions,
): RerankModel {
  const id = `${wire.vendor}/${model}`;
  const context = { id, secrets: apiKey === "" ? [] : [apiKey] };
  return {
    id,
    maxPassages: wire.maxPassages,
    async rerank({ query, passages, signal }) {
      if (passages.length === 0) return { scores: [] };
      // Some vendors refuse an empty text.
      const sent = passages.map((text) => (text.trim() === "" ? "." : text));
      const body = JSON.stringify(wire.body({ query, passages: sent }, model));
      const headers = { "content-type": "application/json", authorization: `Bearer ${apiKey}` };
      return callVendor({ url: wire.url, headers, body, signal, fetch }, context, async (response) => {
        const text = await response.text();
        const answer = parseJson(text);
        if (answer === undefined) throw unreadable(text);
        const read = wire.read(answer);
        if (read === undefined) throw invalidAnswer("it is not what the API promises");
        const scores = toScores(read.results, passages.length);
        const { tokens } = read;
        if (tokens === undefined) return { scores };
        return { scores, usage: { inputTokens: tokens, outputTokens: 0, totalTokens: tokens } };
      });
    },
  };
}

/** One score per passage, from 0 to 1. */
function toScores(results: RerankResults["results"], count: number): number[] {
  const known = new Map(results.map(({ index, relevance_score }) => [index, relevance_score]));
  const scores = Array.from({ length: count }, (_, index) => known.get(index));
  const judged = scores.filter((score) => score !== undefined);
  if (judged.length < count) throw invalidAnswer(`it has ${judged.length} scores for ${count} passages`);
  return judged.map((score) => Math.min(1, Math.max(0, score)));
}
