import { defineNode, type NodeContext } from "@weft/engine/node";
import { toText } from "@weft/engine/template";
import type { Json } from "@weft/schema";
import { z } from "zod";
import { type Branch, branches, type Condition, elsePort } from "./condition-settings.ts";
import { findJson } from "./read-json.ts";

/** Takes the first of its branches whose conditions hold. */
export const condition = defineNode({
  type: "condition",
  version: 1,
  title: "Condition",
  summary: "Compares values and continues with the first branch that matches, or with else.",
  group: "logic",
  answers: "never",
  config: z.object({ branches }),
  ports: [
    { each: "branches", titleField: "title", title: "Branch {n}" },
    { id: elsePort, title: "Else" },
  ],
  icon: "split",
  outline: ["branches"],
  review: (config) =>
    config.branches.length === 0
      ? [
          {
            level: "warning",
            code: "condition-empty",
            path: "branches",
            message: "It has no branches, so it always continues with else. Add one.",
          },
        ]
      : [],
  async execute(context, config) {
    for (const branch of config.branches) {
      if (await holds(context, branch)) return taken(branch.id);
    }
    return taken(elsePort);
  },
});

function taken(id: string) {
  return { type: "branch" as const, ports: [id], output: { branch: id }, text: id };
}

/** Evaluates only as many conditions as it takes to know. */
async function holds(context: NodeContext, { id, match, conditions }: Branch): Promise<boolean> {
  const decisive = match === "any";
  for (const [index, one] of conditions.entries()) {
    if ((await isTrue(context, one, `${id}-${index}`)) === decisive) return decisive;
  }
  return !decisive;
}

/** Values that cannot be compared make the condition false, whatever its operation. */
async function isTrue(context: NodeContext, one: Condition, key: string): Promise<boolean> {
  const sides = { left: toValue(context, one.left), right: toValue(context, one.right) };
  const verdict = await compare(one, sides, (text, pattern) => matchPattern(context, { key, text, pattern }));
  if (typeof verdict === "boolean") return verdict;
  context.warn("condition-not-comparable", `${context.label}: ${verdict.problem}, so the condition does not hold.`);
  return false;
}

function toValue(context: NodeContext, side: string | number | boolean): Json {
  return typeof side === "string" ? context.render(side) : side;
}

const patternTimeoutMs = 1_000;

/** In the sandbox, with a deadline: some expressions and texts take longer than the universe is old. */
async function matchPattern(
  context: NodeContext,
  { key, text, pattern }: { key: string; text: string; pattern: string },
): Promise<Verdict> {
  return context.effect(
    { key: `pattern-${key}`, kind: "read", category: "function", name: "regular expression", input: { pattern } },
    async ({ signal }) => {
      const result = await context.services.sandbox.run({
        code: "return new RegExp($pattern).test($text);",
        globals: { $pattern: pattern, $text: text },
        timeoutMs: patternTimeoutMs,
        signal,
      });
      if (result.ok) return result.value === true;
      return { problem: `the pattern cannot be tried (${result.error.name}: ${result.error.message})` };
    },
  );
}

/** Whether a comparison holds, or why its values cannot be compared. */
type Verdict = boolean | { problem: string };

type Sides = { left: Json; right: Json };

/** Whether a text matches a regular expression. Must never block the process, whatever the two are. */
type PatternMatcher = (text: string, pattern: string) => Promise<Verdict>;

/** Compares two values as the condition's type. Values of another type are a problem. */
async function compare(condition: Condition, sides: Sides, matches: PatternMatcher): Promise<Verdict> {
  switch (condition.type) {
    case "string":
      return compareTexts(condition.operation, { left: toText(sides.left), right: toText(sides.right) }, matches);
    case "number":
      return compareNumbers(condition.operation, sides);
    case "boolean":
      return compareBooleans(condition.operation, sides);
    case "array":
      return compareItems(condition.operation, sides);
    case "object":
      return compareFields(condition.operation, sides);
  }
}

type OperationOf<Type extends Condition["type"]> = Extract<Condition, { type: Type }>["operation"];

function compareTexts(
  operation: OperationOf<"string">,
  { left, right }: { left: string; right: string },
  matches: PatternMatcher,
): Verdict | Promise<Verdict> {
  switch (operation) {
    case "equal":
      return left === right;
    case "not-equal":
      return left !== right;
    case "contains":
      return left.includes(right);
    case "not-contains":
      return !left.includes(right);
    case "starts-with":
      return left.startsWith(right);
    case "ends-with":
      return left.endsWith(right);
    case "is-empty":
      return left === "";
    case "is-not-empty":
      return left !== "";
    case "matches":
      return matches(left, right);
  }
}

function compareNumbers(operation: OperationOf<"number">, sides: Sides): Verdict {
  if (operation === "is-empty") return isBlank(sides.left);
  if (operation === "is-not-empty") return !isBlank(sides.left);
  const left = toNumber(sides.left);
  const right = toNumber(sides.right);
  if (left === undefined || right === undefined) return unfit(left === undefined ? sides.left : sides.right, "number");
  switch (operation) {
    case "equal":
      return left === right;
    case "not-equal":
      return left !== right;
    case "smaller":
      return left < right;
    case "smaller-or-equal":
      return left <= right;
    case "larger":
      return left > right;
    case "larger-or-equal":
      return left >= right;
  }
}

function compareBooleans(operation: OperationOf<"boolean">, sides: Sides): Verdict {
  const left = toBoolean(sides.left);
  const right = toBoolean(sides.right);
  if (left === undefined || right === undefined) return unfit(left === undefined ? sides.left : sides.right, "boolean");
  return (left === right) === (operation === "equal");
}

/** An item is contained if it reads the same: the text `2` finds the number 2. */
function compareItems(operation: OperationOf<"array">, { left, right }: Sides): Verdict {
  const items = isBlank(left) ? [] : toData(left);
  if (!Array.isArray(items)) return unfit(left, "list");
  return judge(operation, items.length, () => items.some((item) => toText(item) === toText(right)));
}

function compareFields(operation: OperationOf<"array">, { left, right }: Sides): Verdict {
  const object = isBlank(left) ? {} : toData(left);
  if (object === undefined || Array.isArray(object)) return unfit(left, "object");
  return judge(operation, Object.keys(object).length, () => Object.hasOwn(object, toText(right)));
}

function judge(operation: OperationOf<"array">, size: number, isContained: () => boolean): boolean {
  switch (operation) {
    case "is-empty":
      return size === 0;
    case "is-not-empty":
      return size > 0;
    case "contains":
      return isContained();
    case "not-contains":
      return !isContained();
  }
}

function isBlank(value: Json): boolean {
  return value === null || (typeof value === "string" && value.trim() === "");
}

function toNumber(value: Json): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

function toBoolean(value: Json): boolean | undefined {
  const word = typeof value === "string" ? value.trim().toLowerCase() : String(value);
  return word === "true" ? true : word === "false" ? false : undefined;
}

function toData(value: Json) {
  if (typeof value === "string") return findJson(value);
  return typeof value === "object" && value !== null ? value : undefined;
}

function unfit(value: Json, wanted: string): Verdict {
  const shown = toText(value);
  return { problem: `"${shown.length > 100 ? `${shown.slice(0, 100)}…` : shown}" is no ${wanted}` };
}
