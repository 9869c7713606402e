import type { Json } from "@weft/schema";
import type { Problem } from "./check-turn.ts";
import type { FlowTestReport } from "./run-flow-tests.ts";

const shownLines = 40;
const shownCharacters = 500;

/** One line for each case, and under those that failed what was expected and what came. */
export function describeReport({ name, cases }: FlowTestReport): string {
  return cases
    .map(({ name: caseName, problems }) => {
      const mark = problems.length === 0 ? "✓" : "✗";
      return `${mark} ${name}: ${caseName}\n${problems.map(describeProblem).join("")}`;
    })
    .join("");
}

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

/** Lines that both begin or end with stand once, unmarked. */
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
