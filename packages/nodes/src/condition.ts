import { defineNode, type NodeContext } from "@weft/engine";
import type { Json } from "@weft/schema";
import { z } from "zod";
import { compare, type Verdict } from "./compare.ts";
import { type Branch, branches, type Condition } from "./condition-settings.ts";
import { elsePort } from "./port-id.ts";

/** Takes the first of its branches whose conditions hold. */
export const condition = defineNode({
  type: "condition",
  version: 1,
  title: "Condition",
  summary: "Compares values and goes on at the first branch that holds, or at else.",
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
            message: "It has no branch, so it always goes on at else. Add one.",
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

/** Looks at no more conditions than it takes to know. */
async function holds(context: NodeContext, { id, match, conditions }: Branch): Promise<boolean> {
  const decisive = match === "any";
  for (const [index, one] of conditions.entries()) {
    if ((await isTrue(context, one, `${id}-${index}`)) === decisive) return decisive;
  }
  return !decisive;
}

/** What cannot be compared is not true, whatever was asked of it. */
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

/** In the sandbox, with a deadline: there are expressions and texts that take longer than the universe is old. */
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
