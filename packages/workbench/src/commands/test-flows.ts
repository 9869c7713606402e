import { readConfig } from "@weft/server";
import { describeReport, type FlowTestReport, runFlowTests } from "../flow-tests/index.ts";
import { readRetrievalEval } from "../retrieval-eval/retrieval-eval-file.ts";
import { type RetrievalReport, runRetrievalEval } from "../retrieval-eval/run-retrieval-eval.ts";
import { exitCodes, oneFile, readArguments, UsageError } from "./arguments.ts";

/** Runs flow tests. Fails when a case does. */
export async function testFlows(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { record: { type: "boolean" }, json: { type: "boolean" } });
  if (positionals.length === 0) throw new UsageError("Name the files of the tests, such as flows/*.test.yaml.");
  const reports: FlowTestReport[] = [];
  for (const file of positionals) {
    const report = await runFlowTests(file, values.record ? { record: readConfig() } : {});
    reports.push(report);
    if (!values.json) process.stdout.write(describeReport(report));
  }
  const cases = reports.flatMap((report) => report.cases);
  const failed = cases.filter(({ problems }) => problems.length > 0).length;
  const counts = { passed: cases.length - failed, failed };
  const summary = `${counts.passed} passed, ${failed} failed\n`;
  process.stdout.write(values.json ? `${JSON.stringify({ ...counts, files: reports }, null, 2)}\n` : summary);
  return failed === 0 ? exitCodes.done : exitCodes.failed;
}

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
