import { randomUUID } from "node:crypto";
import type { EmbeddingModel } from "@weft/engine/ports/embedding-model";
import type { VectorCollection, VectorSearch } from "@weft/engine/ports/vector-store";
import type { Question, QuestionSet } from "./question-set.ts";

export type Mode = VectorSearch["mode"];

/** Shares from 0 to 1: the answer was the first hit, was among the first five; and the mean of 1 / its rank, up to rank 10. */
export type Quality = { first: number; amongFive: number; meanReciprocalRank: number };

export type QualityReport = Record<"paraphrases" | "identifiers" | "all", Record<Mode, Quality>>;

const modes = ["vector", "keyword", "hybrid"] as const;
const now = { signal: new AbortController().signal };

/** Puts the passages into an empty collection, asks every question in every mode, and says how well the answers rank. */
export async function measureQuality(
  model: EmbeddingModel,
  collection: VectorCollection,
  { passages, paraphrases, identifiers }: QuestionSet,
): Promise<QualityReport> {
  const vectors = await embed(model, passages, "document");
  const records = passages.map((text, index) => {
    return { id: randomUUID(), text, metadata: { number: index }, vector: vectors[index] as Float32Array };
  });
  await collection.upsert(records, now);
  const ranks = {
    paraphrases: await rankAll(model, collection, paraphrases),
    identifiers: await rankAll(model, collection, identifiers),
  };
  const all = Object.fromEntries(modes.map((mode) => [mode, [...ranks.paraphrases[mode], ...ranks.identifiers[mode]]]));
  return {
    paraphrases: toQualities(ranks.paraphrases),
    identifiers: toQualities(ranks.identifiers),
    all: toQualities(all as Ranks),
  };
}

/** Of each question, the rank of its answer from 1; infinite when it is not among the first ten. */
type Ranks = Record<Mode, number[]>;

async function rankAll(
  model: EmbeddingModel,
  collection: VectorCollection,
  questions: readonly Question[],
): Promise<Ranks> {
  const ranks: Ranks = { vector: [], keyword: [], hybrid: [] };
  const texts = questions.map(({ text }) => text);
  const vectors = await embed(model, texts, "query");
  for (const [index, { text, answer }] of questions.entries()) {
    for (const mode of modes) {
      const vector = vectors[index] as Float32Array;
      const matches = await collection.search({ vector, text, mode, topK: 10, ...now });
      const at = matches.findIndex(({ metadata }) => metadata.number === answer);
      ranks[mode].push(at === -1 ? Number.POSITIVE_INFINITY : at + 1);
    }
  }
  return ranks;
}

async function embed(
  model: EmbeddingModel,
  texts: readonly string[],
  purpose: "document" | "query",
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let start = 0; start < texts.length; start += model.maxBatch) {
    const batch = texts.slice(start, start + model.maxBatch);
    vectors.push(...(await model.embed({ texts: batch, purpose, ...now })));
  }
  return vectors;
}

function toQualities(ranks: Ranks): Record<Mode, Quality> {
  const toQuality = (list: number[]): Quality => {
    const share = (limit: number) => list.filter((rank) => rank <= limit).length / list.length;
    const meanReciprocalRank = list.reduce((sum, rank) => sum + 1 / rank, 0) / list.length;
    return { first: share(1), amongFive: share(5), meanReciprocalRank };
  };
  return { vector: toQuality(ranks.vector), keyword: toQuality(ranks.keyword), hybrid: toQuality(ranks.hybrid) };
}
