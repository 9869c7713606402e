import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";
import type { ProcessMessage, TestResult } from "./test-messages.ts";

type FinishedTest = Extract<TestEvent, { type: "test:pass" | "test:fail" }>["data"];

/** The reporter of a test process: sends what tests report to the process that started it, and prints nothing. */
// biome-ignore lint/style/noDefaultExport: Node takes a reporter as the default export of its module.
export default async function* reportEvents(source: AsyncIterable<TestEvent>): AsyncGenerator<never> {
  const send = (message: ProcessMessage) => process.connected && process.send?.(message);
  const names: string[] = [];
  for await (const { type, data } of source) {
    if (type === "test:start") {
      names.splice(data.nesting, names.length, data.name);
    } else if (type === "test:pass" || type === "test:fail") {
      send({ kind: "test-ended", ...resultOf(data, names) });
    } else if (type === "test:diagnostic" && data.message.startsWith("Warning: ")) {
      send({ kind: "warning", text: data.message });
    }
  }
}

function resultOf(data: FinishedTest, open: readonly string[]): TestResult {
  const names = [...open.slice(1, data.nesting), ...(data.nesting === 0 ? [] : [data.name])];
  const isSuite = data.details.type === "suite";
  if (data.skip !== undefined || data.todo !== undefined) return { names, isSuite, outcome: "skipped" };
  const error = "error" in data.details ? data.details.error : undefined;
  if (error === undefined) return { names, isSuite, outcome: "passed" };
  return { names, isSuite, outcome: "failed", ...describeFailure(error) };
}

/** Nothing where a suite fails only because of a test in it. */
function describeFailure(error: Error & { failureType?: string }): { error?: string } {
  if (error.failureType === "subtestsFailed") return {};
  return { error: inspect(error.cause instanceof Error ? error.cause : (error.cause ?? error), { depth: 6 }) };
}
