import { isDeepStrictEqual } from "node:util";
import { asJson, isJsonObject, type Json, parseJsonOrText } from "@weft/schema";
import type { ToolCall, Turn } from "../turn.ts";
import type { Expectations } from "./flow-test-file.ts";

/** A deviation from the expectation. Texts are shown unchanged, everything else as JSON. */
export type Problem = { what: string; expected?: Json; actual?: Json };

/** Compares a turn with its expectations. After an unexpected end, nothing else is compared. */
export function checkTurn(turn: Turn, expect: Expectations): Problem[] {
  const status = expect.status ?? (expect.error === undefined ? "completed" : "failed");
  if (turn.status !== status || (expect.error !== undefined && turn.error?.code !== expect.error)) {
    const expected = expect.error === undefined ? status : `${status} (${expect.error})`;
    return [{ what: "status", expected, actual: describeEnd(turn) }];
  }
  return [
    ...(expect.answer ? checkAnswer(turn, expect.answer) : []),
    ...(expect.tools ? checkTools(turn.tools, expect.tools) : []),
    ...checkNotCalled(turn.tools, expect.notTools ?? []),
    ...(expect.steps ? equalProblem("steps", expect.steps, turn.steps) : []),
    ...(expect.requests ? checkRequests(turn.requests, expect.requests) : []),
    ...(expect.state ? subsetProblem("state", expect.state, turn.state) : []),
    ...(expect.warnings
      ? equalProblem(
          "warnings",
          expect.warnings,
          turn.warnings.map(({ code }) => code),
        )
      : []),
  ];
}

function describeEnd({ status, error }: Turn): string {
  return error ? `${status} (${error.code}): ${error.message}` : status;
}

type AnswerExpectation = NonNullable<Expectations["answer"]> & {
  contains?: string[] | undefined;
  excludes?: string[] | undefined;
  matches?: string | undefined;
  json?: Json | undefined;
};

function checkAnswer({ text, json }: Turn, expected: AnswerExpectation): Problem[] {
  const { equals, contains = [], excludes = [], matches } = expected;
  const problems: Problem[] = [];
  if (equals !== undefined) problems.push(...equalProblem("answer", equals, text));
  for (const part of contains) {
    if (!text.includes(part)) problems.push({ what: "answer contains", expected: part, actual: text });
  }
  for (const part of excludes) {
    if (text.includes(part)) problems.push({ what: "answer excludes", expected: part, actual: text });
  }
  // linear: a command reads what its caller wrote
  if (matches !== undefined && !new RegExp(matches, "u").test(text)) {
    problems.push({ what: "answer matches", expected: matches, actual: text });
  }
  if (expected.json !== undefined)
    problems.push(...subsetProblem("answer json", expected.json, json ?? parseJsonOrText(text)));
  return problems;
}

type ToolExpectation = { tool: string; arguments?: Json | undefined; isError?: boolean | undefined };

function checkTools(calls: readonly ToolCall[], expected: readonly ToolExpectation[]): Problem[] {
  const isSame = calls.length === expected.length && expected.every((one, index) => fits(calls[index], one));
  if (isSame) return [];
  const actual = calls.map(({ tool, arguments: args, isError }) => ({
    tool,
    arguments: args,
    ...(isError ? { isError } : {}),
  }));
  return [{ what: "tools", expected: asJson(expected), actual }];
}

function fits(call: ToolCall | undefined, expected: ToolExpectation): boolean {
  if (call?.tool !== expected.tool) return false;
  if (expected.isError !== undefined && expected.isError !== call.isError) return false;
  return expected.arguments === undefined || isSubset(expected.arguments, call.arguments);
}

function checkRequests(made: Turn["requests"], expected: NonNullable<Expectations["requests"]>): Problem[] {
  const isSame =
    made.length === expected.length &&
    expected.every(({ request, body }, index) => {
      const other = made[index];
      return other?.request === request && (body === undefined || isSubset(body, other.body));
    });
  return isSame ? [] : [{ what: "requests", expected: asJson(expected), actual: made }];
}

function checkNotCalled(calls: readonly ToolCall[], names: readonly string[]): Problem[] {
  return calls
    .filter(({ tool }) => names.includes(tool))
    .map(({ tool, arguments: args }) => ({ what: `${tool} is not called`, actual: args }));
}

function equalProblem(what: string, expected: Json, actual: Json): Problem[] {
  return isDeepStrictEqual(expected, actual) ? [] : [{ what, expected, actual }];
}

function subsetProblem(what: string, expected: Json, actual: Json): Problem[] {
  return isSubset(expected, actual) ? [] : [{ what, expected, actual }];
}

/** Objects may have more keys than expected, at any depth; lists have the same length. */
function isSubset(expected: Json, actual: Json | undefined): boolean {
  if (typeof expected !== "object" || expected === null) return expected === actual;
  if (Array.isArray(expected)) {
    const isAsLong = Array.isArray(actual) && actual.length === expected.length;
    return isAsLong && expected.every((value, index) => isSubset(value, actual[index]));
  }
  return (
    isJsonObject(actual) &&
    Object.entries(expected).every(([key, value]) => Object.hasOwn(actual, key) && isSubset(value, actual[key]))
  );
}
