import type { Json } from "@weft/schema";
import { readConfig } from "@weft/server";
import { type FlowTestReport, runFlowTests } from "../flow-tests/index.ts";
import { type RetrievalReport, readRetrievalEval, runRetrievalEval } from "../retrieval-eval/run-retrieval-eval.ts";
import { exitCodes, oneFile, readArguments, type Shell, UsageError } from "./arguments.ts";

/** Runs flow tests. Fails when a case does. */
export async function testFlows(args: string[], { env, stdout }: Shell): Promise<number> {
  const { values, positionals } = readArguments(args, { record: { type: "boolean" }, json: { type: "boolean" } });
  if (positionals.length === 0) throw new UsageError("Name the files of the tests, such as flows/*.test.yaml.");
  const reports: FlowTestReport[] = [];
  for (const file of positionals) {
    const report = await runFlowTests(file, values.record ? { record: readConfig(env) } : {});
    reports.push(report);
    if (!values.json) stdout.write(describeReport(report));
  }
  const cases = reports.flatMap((report) => report.cases);
  const failed = cases.filter(({ problems }) => problems.length > 0).length;
  const counts = { passed: cases.length - failed, failed };
  const summary = `${counts.passed} passed, ${failed} failed\n`;
  stdout.write(values.json ? `${JSON.stringify({ ...counts, files: reports }, null, 2)}\n` : summary);
  return failed === 0 ? exitCodes.done : exitCodes.failed;
}

/** Evaluates how well questions find the documents that answer them. */
export async function retrieveEval(args: string[], { env, stdout }: Shell): Promise<number> {
  const { values, positionals } = readArguments(args, { json: { type: "boolean" } });
  const file = await readRetrievalEval(oneFile(positionals));
  const report = await runRetrievalEval(file, readConfig(env));
  stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : describe(report));
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

const shownLines = 40;
const shownCharacters = 500;

/** One line per case, and below failed ones the expected and actual values. */
export function describeReport({ name, cases }: FlowTestReport): string {
  return cases
    .map(({ name: caseName, problems }) => {
      const mark = problems.length === 0 ? "✓" : "✗";
      return `${mark} ${name}: ${caseName}\n${problems.map(describeProblem).join("")}`;
    })
    .join("");
}

type Problem = FlowTestReport["cases"][number]["problems"][number];

function describeProblem({ what, expected, actual }: Problem): string {
  const lines = [
    ...(expected === undefined ? [] : toLines(expected)).map((line) => ["-", line] as const),
    ...(actual === undefined ? [] : toLines(actual)).map((line) => ["+", line] as const),
  ];
  return [`    ${what}`, ...mergeEqual(lines).map(([mark, line]) => `      ${mark} ${line}`)].join("\n").concat("\n");
}

function toLines(value: Json): string[] {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  const lines = text.split("\n").map((line) => line.replaceAll(/\p{Cc}/gu, " "));
  const shown = lines.slice(0, shownLines).map((line) => {
    return line.length <= shownCharacters ? line : `${line.slice(0, shownCharacters)}…`;
  });
  return lines.length <= shownLines ? shown : [...shown, "…"];
}

type Line = readonly [mark: string, text: string];

/** Merges common first and last lines into one, unmarked. */
function mergeEqual(lines: readonly Line[]): Line[] {
  const expected = lines.filter(([mark]) => mark === "-");
  const actual = lines.filter(([mark]) => mark === "+");
  const most = Math.min(expected.length, actual.length);
  let head = 0;
  while (head < most && expected[head]?.[1] === actual[head]?.[1]) head += 1;
  let tail = 0;
  while (tail < most - head && expected.at(-1 - tail)?.[1] === actual.at(-1 - tail)?.[1]) tail += 1;
  const same = (part: readonly Line[]) => part.map(([, text]): Line => [" ", text]);
  return [
    ...same(expected.slice(0, head)),
    ...expected.slice(head, expected.length - tail),
    ...actual.slice(head, actual.length - tail),
    ...same(expected.slice(expected.length - tail)),
  ];
}
