import { readConfig } from "@weft/server";
import { readRetrievalEval } from "../retrieval-eval/retrieval-eval-file.ts";
import { type RetrievalReport, runRetrievalEval } from "../retrieval-eval/run-retrieval-eval.ts";
import { exitCodes } from "./exit-codes.ts";
import { oneFile, readArguments } from "./read-arguments.ts";

/** Prints how well questions find the documents that answer them. */
export async function retrieveEval(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { json: { type: "boolean" } });
  const file = await readRetrievalEval(oneFile(positionals));
  const report = await runRetrievalEval(file, readConfig());
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : describe(report));
  return exitCodes.done;
}

function describe({ questions, topK, chunks, recallAtK, meanReciprocalRank }: RetrievalReport): string {
  const lines = questions.map(({ question, rank, recall }) => {
    const place = rank === null ? "not found" : `rank ${rank}`;
    return `${place.padEnd(10)} recall ${recall.toFixed(2)}  ${question}`;
  });
  const summary = `recall@${topK} ${recallAtK.toFixed(3)}, MRR ${meanReciprocalRank.toFixed(3)}`;
  return `${lines.join("\n")}\n\n${summary} (${questions.length} questions, ${chunks} chunks)\n`;
}
