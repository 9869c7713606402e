import { bootstrap, type Interval } from "./bootstrap.ts";
import type { Half, QuestionKind } from "./judged-questions.ts";
import { modes, type QuestionFigures } from "./rank-pages.ts";
import { figureNames } from "./ranking-figures.ts";

export type JudgedGroup = { half: Half; kind: QuestionKind; questions: readonly QuestionFigures[] };

/** One line on the questions of one manual. */
export function printManual(manual: string, questions: readonly QuestionFigures[]): void {
  const figures = modes.map((mode) => `${mode} ${mean(questions, mode, "mrrAt10").toFixed(3)}`);
  const ratio = show(bootstrap(questions, ratioToBetter));
  console.log(`${manual}, ${questions.length}: MRR of ${figures.join(", ")}; hybrid / better ${ratio}`);
}

/** A table of one group, with 95 % intervals, and how hybrid search compares with the better of the two methods. */
export function printReport({ half, kind, questions }: JudgedGroup): void {
  console.log(`\n${half}, ${questions.length} ${kind}`);
  console.log("".padEnd(10), ...figureNames.map((name) => name.padEnd(18)));
  for (const mode of modes) {
    const cells = figureNames.map((name) => bootstrap(questions, (sample) => mean(sample, mode, name)));
    console.log(mode.padEnd(10), ...cells.map((cell) => show(cell).padEnd(18)));
  }
  console.log("MRR of hybrid / better of keyword and vector:", show(bootstrap(questions, ratioToBetter)));
  console.log("MRR of hybrid / keyword:", show(bootstrap(questions, ratioToKeyword)));
}

function mean(
  questions: readonly QuestionFigures[],
  mode: (typeof modes)[number],
  name: (typeof figureNames)[number],
): number {
  return questions.reduce((total, figures) => total + figures[mode][name], 0) / questions.length;
}

/** The better of keyword and vector search is chosen again in each sample, because it is not known in advance. */
function ratioToBetter(sample: readonly QuestionFigures[]): number {
  const [keyword, vector, hybrid] = (["keyword", "vector", "hybrid"] as const).map((mode) =>
    mean(sample, mode, "mrrAt10"),
  );
  return (hybrid ?? 0) / Math.max(keyword ?? 0, vector ?? 0);
}

function ratioToKeyword(sample: readonly QuestionFigures[]): number {
  return mean(sample, "hybrid", "mrrAt10") / mean(sample, "keyword", "mrrAt10");
}

function show({ value, low, high }: Interval): string {
  return `${value.toFixed(3)} ${low.toFixed(3)}–${high.toFixed(3)}`;
}
