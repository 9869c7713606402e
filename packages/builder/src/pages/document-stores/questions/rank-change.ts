import type { StoreEvaluationDetail, StoreQuestion } from "@weft/client";

export type Outcome = StoreEvaluationDetail["outcomes"][number];

/** Whether a question is answered worse or better than the time before; undefined where nothing changed or is known. */
export function rankChange({
  rank,
  previousRank,
}: Pick<Outcome, "rank" | "previousRank">): "worse" | "better" | undefined {
  if (previousRank === undefined || rank === previousRank) return undefined;
  const [now, before] = [rank ?? Number.POSITIVE_INFINITY, previousRank ?? Number.POSITIVE_INFINITY];
  return now > before ? "worse" : "better";
}

export type QuestionRow = { question: StoreQuestion; outcome: Outcome | undefined };

/** The questions with their last outcome, those to look at first: what got worse, then what was not found. */
export function toQuestionRows(questions: readonly StoreQuestion[], outcomes: readonly Outcome[]): QuestionRow[] {
  const byId = new Map(outcomes.map((outcome) => [outcome.questionId, outcome]));
  const rows = questions.map((question) => ({ question, outcome: byId.get(question.id) }));
  return rows.sort((a, b) => urgency(a) - urgency(b));
}

function urgency({ outcome }: QuestionRow): number {
  if (outcome === undefined) return 2;
  if (rankChange(outcome) === "worse") return 0;
  return outcome.rank === null ? 1 : 2;
}
