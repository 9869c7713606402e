import {
  mostStoreQuestions,
  type StoreQuestion,
  type StoreQuestionInput,
  storeQuestionInputSchema,
  WeftError,
} from "@weft/schema";
import { parse, stringify } from "yaml";
import { z } from "zod";

const fileSchema = z.looseObject({ questions: z.array(storeQuestionInputSchema).max(mostStoreQuestions) });

/**
 * The questions of a file that `retrieve-eval` reads, YAML or JSON. Throws `parameters-invalid`. A hostile file can
 * take very long: the server uses `createQuestionFileReader`.
 */
export function readQuestionFile(text: string): StoreQuestionInput[] {
  const parsed = fileSchema.safeParse(parseText(text));
  if (parsed.success) return parsed.data.questions;
  const [first] = parsed.error.issues;
  throw invalid(`${["text", ...(first?.path ?? [])].join(".")}: ${first?.message}`);
}

/** Writes the file that `retrieve-eval` reads; its `documents` are those that the questions expect. */
export function writeQuestionFile(questions: readonly StoreQuestion[], topK: number): string {
  const documents = [...new Set(questions.flatMap(({ relevant }) => relevant))].sort();
  const written = questions.map(({ question, relevant, words }) => ({
    question,
    relevant,
    ...(words.length > 0 && { words }),
  }));
  return stringify({ documents, topK, questions: written }, { aliasDuplicateObjects: false, lineWidth: 0 });
}

function parseText(text: string): unknown {
  if (depthOf(text) > maxDepth) throw invalid(`text is nested more than ${maxDepth} levels deep`);
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch (cause) {
    throw invalid(`text is neither YAML nor JSON: ${(cause as Error).message.split("\n", 1)[0]}`);
  }
}

/** Questions are three levels deep. */
const maxDepth = 100;

/**
 * An upper bound of the levels opened by brackets, or by several list markers on one line, including those in quotes.
 */
function depthOf(text: string): number {
  let brackets = 0;
  let marks = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === "[" || character === "{") brackets += 1;
    else if (character === "]" || character === "}") brackets = Math.max(0, brackets - 1);
    if (character === "-" || character === "?" || character === ":") marks += 1;
    else if (character !== " ") marks = 0;
    deepest = Math.max(deepest, brackets, marks);
  }
  return deepest;
}

function invalid(reason: string): WeftError {
  return new WeftError("parameters-invalid", { params: { reason } });
}
