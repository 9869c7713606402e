import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";

const judgedQuestion = z.strictObject({ text: z.string().min(1), pages: z.array(z.string()).min(1) });

/** A question as people ask it, and the pages of the documentation that answer it. */
export type JudgedQuestion = z.infer<typeof judgedQuestion>;

/** `natural`: sentences and searches in people's own words; `identifiers`: names of options, functions and the like. */
export type QuestionKind = "natural" | "identifiers";

/** Nothing may be chosen by what the held-out half shows. */
export type Half = "tuning" | "held-out";

export function readQuestions(kind: QuestionKind, half: Half): JudgedQuestion[] {
  const lines = readFileSync(new URL(`./questions/postgresql/${kind}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => judgedQuestion.parse(JSON.parse(line))).filter(({ text }) => halfOf(text) === half);
}

/** By a hash of the question, so that a new question changes the half of no other. */
function halfOf(text: string): Half {
  return Number.parseInt(hash("sha256", text).slice(0, 8), 16) % 2 === 0 ? "tuning" : "held-out";
}
