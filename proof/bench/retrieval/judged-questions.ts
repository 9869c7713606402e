import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";

const judgedQuestion = z.strictObject({ text: z.string().min(1), pages: z.array(z.string()).min(1) });

/** A question as people ask it, and the pages of the documentation that answer it. */
export type JudgedQuestion = z.infer<typeof judgedQuestion>;

/** `natural`: sentences and searches in people's own words; `identifiers`: names of options, functions and the like. */
export type QuestionKind = "natural" | "identifiers";

/** Nothing may be chosen by what the held-out half shows. */
export type Half = "tuning" | "held-out";

/** The questions of a manual. Not every manual has both kinds. */
export function readQuestions(manual: string, { kind, half }: { kind: QuestionKind; half: Half }): JudgedQuestion[] {
  const file = new URL(`./questions/${manual}/${kind}.jsonl`, import.meta.url);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => judgedQuestion.parse(JSON.parse(line))).filter(({ text }) => halfOf(text) === half);
}

/** By a hash of the question, so that a new question changes the half of no other. */
function halfOf(text: string): Half {
  return Number.parseInt(hash("sha256", text).slice(0, 8), 16) % 2 === 0 ? "tuning" : "held-out";
}
