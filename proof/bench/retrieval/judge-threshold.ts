import type { VectorCollection } from "@weft/engine/ports/vector-store";
import { toRelevances } from "../../../packages/document-stores/src/search/relevance.ts";
import type { AskedQuestion } from "./rank-pages.ts";

const thresholds = [0.3, 0.4, 0.45, 0.5, 0.6, 0.7];
const passageCount = 8;
const shownCount = 4;
const now = { signal: new AbortController().signal };

/** The relevance of the best passage of each question. */
export type BestRelevances = {
  /** Where a passage of a judged page is among the four that an agent gets. */
  answered: number[];
  /** The same questions, of which nothing that answers them is searched. */
  removed: number[];
};

export async function bestRelevances(
  collection: Pick<VectorCollection, "search">,
  questions: readonly AskedQuestion[],
): Promise<BestRelevances> {
  const result: BestRelevances = { answered: [], removed: [] };
  for (const { text, vector, pages } of questions) {
    const search = async (filter?: { source: { $nin: string[] } }) =>
      collection.search({ vector, text, mode: "hybrid", topK: passageCount, filter, ...now });
    const best = (found: Awaited<ReturnType<typeof search>>) => toRelevances(text, found)[0] ?? 0;
    const found = await search();
    const isAnswered = found.slice(0, shownCount).some(({ metadata }) => pages.includes(String(metadata.source)));
    if (isAnswered) result.answered.push(best(found));
    result.removed.push(best(await search({ source: { $nin: pages } })));
  }
  return result;
}

/** What a threshold keeps of what is answered, and rejects of what is not. */
export function printThresholds({ answered, removed }: BestRelevances): void {
  const share = (values: readonly number[], test: (value: number) => boolean) =>
    (values.filter(test).length / values.length).toFixed(3);
  console.log("threshold:               ", thresholds.map((threshold) => String(threshold).padEnd(6)).join(" "));
  const kept = thresholds.map((threshold) => share(answered, (value) => value >= threshold).padEnd(6));
  const rejected = thresholds.map((threshold) => share(removed, (value) => value < threshold).padEnd(6));
  console.log("answered, kept:          ", kept.join(" "));
  console.log("without answers, rejected:", rejected.join(" "));
}
