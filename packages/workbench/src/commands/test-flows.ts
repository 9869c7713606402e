import { readConfig } from "@weft/server";
import { describeReport } from "../flow-tests/describe-report.ts";
import { type FlowTestReport, runFlowTests } from "../flow-tests/run-flow-tests.ts";
import { exitCodes } from "./exit-codes.ts";
import { readArguments } from "./read-arguments.ts";
import { UsageError } from "./usage-error.ts";

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
