import type { VectorCollection, VectorMatch } from "@weft/engine/ports/vector-store";
import type { JudgedQuestion } from "./judged-questions.ts";
import { type RankingFigures, toFigures } from "./ranking-figures.ts";

export const modes = ["keyword", "vector", "hybrid", "reranked"] as const;
/** `reranked`: 30 passages of a hybrid search in the order of a reranker that is never wrong, the ten best of them. */
export type Mode = (typeof modes)[number];

/** What each mode achieves on one question. */
export type QuestionFigures = Record<Mode, RankingFigures>;

export type AskedQuestion = JudgedQuestion & { vector: Float32Array };

const passageCount = 10;
const rerankedCount = 30;
const now = { signal: new AbortController().signal };

/** Asks for ten passages in every mode, and judges the pages that they are from. */
export async function judgeQuestion(
  collection: VectorCollection,
  { text, vector, pages }: AskedQuestion,
): Promise<QuestionFigures> {
  const search = async (mode: "keyword" | "vector" | "hybrid", topK = passageCount) =>
    (await collection.search({ vector, text, mode, topK, ...now })).map(pageOf);
  const judge = (found: readonly string[]) => toFigures({ found: [...new Set(found)], relevant: pages });
  const candidates = await search("hybrid", rerankedCount);
  const isRelevant = (page: string) => pages.includes(page);
  const reranked = [...candidates.filter(isRelevant), ...candidates.filter((page) => !isRelevant(page))];
  return {
    keyword: judge(await search("keyword")),
    vector: judge(await search("vector")),
    hybrid: judge(await search("hybrid")),
    reranked: judge([...new Set(reranked)].slice(0, passageCount)),
  };
}

function pageOf({ metadata }: VectorMatch): string {
  return String(metadata.source);
}
