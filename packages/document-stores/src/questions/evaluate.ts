import { meanReciprocalRank, recallAtK } from "@weft/knowledge/fuse-ranks";
import { documentName, judgePassages } from "@weft/knowledge/judge-passages";
import {
  recallMargin,
  type StoreEvaluation,
  type StoreOutcome,
  type StoreQuestion,
  type VectorQuery,
} from "@weft/schema";
import type { SearchService } from "../search/index.ts";

/** Number of passages that each question searches. */
export const evaluatedDepth = 20;
/** Number of passages kept of each question's results, and the length kept of each. */
const keptPassages = 5;
const keptCharacters = 300;
/** Concurrent questions: the embedding model and the database serve others, too. */
const atOnce = 4;

export type EvaluatedOutcome = Omit<StoreOutcome, "previousRank">;
/** Recall@5 of each question, by its id. */
export type Recalls = Readonly<Record<string, number>>;
export type EvaluationNumbers = Pick<StoreEvaluation, "questions" | "recallAt1" | "recallAt5" | "meanReciprocalRank">;

type Evaluating = {
  search: SearchService;
  questions: readonly StoreQuestion[];
  /** Absent: the store's setting. */
  mode?: VectorQuery["mode"];
  onProgress(done: number): void;
  signal: AbortSignal;
};

/** Asks every question, a few at a time. Rejects with any search's error: half an evaluation cannot be compared. */
export async function evaluate({ search, questions, mode, onProgress, signal }: Evaluating) {
  const cases: (Case | undefined)[] = questions.map(() => undefined);
  const queue = questions.entries();
  let done = 0;
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const work = async () => {
    for (const [index, question] of queue) {
      either.throwIfAborted();
      cases[index] = await ask(search, question, { mode, signal: either });
      done += 1;
      onProgress(done);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } catch (cause) {
    failed.abort(cause);
    throw cause;
  }
  const asked = cases.filter((one) => one !== undefined);
  return {
    numbers: toNumbers(asked),
    outcomes: asked.map(({ outcome }) => outcome),
    recalls: Object.fromEntries(asked.map((one) => [one.outcome.questionId, recallAtK(one.relevant, one.ranked, 5)])),
    warnings: warningsOf(asked),
  };
}

/**
 * The drop in recall@5 since the last evaluation, over the questions asked both times with the same meaning; null if it
 * is within the margin.
 */
export function dropOf(now: Recalls, before: Recalls, isSame: (questionId: string) => boolean): number | null {
  const shared = Object.keys(now).filter((id) => before[id] !== undefined && isSame(id));
  const sum = (recalls: Recalls) => shared.reduce((total, id) => total + (recalls[id] ?? 0), 0);
  const drop = (sum(before) - sum(now)) / Math.max(1, shared.length);
  return drop > recallMargin ? drop : null;
}

type Case = {
  relevant: ReadonlySet<string>;
  ranked: string[];
  outcome: EvaluatedOutcome;
  warnings: readonly string[];
};

const mostWarnings = 10;

/** Steps of the searches that failed: unmentioned, they would make the numbers misleading. */
function warningsOf(cases: readonly Case[]): string[] {
  return [...new Set(cases.flatMap(({ warnings }) => warnings))].slice(0, mostWarnings);
}

async function ask(
  search: SearchService,
  { id: questionId, storeId, question, relevant, words }: StoreQuestion,
  { mode, signal }: { mode: Evaluating["mode"]; signal: AbortSignal },
): Promise<Case> {
  const { docs, warnings } = await search.query({ storeId, query: question, topK: evaluatedDepth, mode }, signal);
  const passages = docs.map(({ metadata, pageContent }) => ({ document: documentName(metadata), text: pageContent }));
  const { isRight, ranked } = judgePassages({ relevant, words }, passages);
  const first = ranked.findIndex((name) => relevant.includes(name));
  const found = passages.slice(0, keptPassages).map(({ document, text }, index) => ({
    document,
    chunkNo: docs[index]?.chunkNo ?? -1,
    text: text.slice(0, keptCharacters),
    isRight: isRight[index] ?? false,
  }));
  const rank = first === -1 ? null : first + 1;
  return {
    relevant: new Set(relevant),
    ranked,
    outcome: { questionId, question, relevant, words, rank, found },
    warnings,
  };
}

function toNumbers(cases: readonly Case[]): EvaluationNumbers {
  const recall = (k: number) =>
    cases.reduce((sum, { relevant, ranked }) => sum + recallAtK(relevant, ranked, k), 0) / Math.max(1, cases.length);
  return {
    questions: cases.length,
    recallAt1: recall(1),
    recallAt5: recall(5),
    meanReciprocalRank: meanReciprocalRank(cases),
  };
}
