import type { JsonObject } from "@weft/schema";
import type { BinaryOperator, Expression } from "./parse.ts";

/** The reference that reads an expression: `{{ $flow.state.City }}`. Undefined if no reference reads it as it is. */
export type ToReference = (expression: Expression) => string | undefined;

/** What one branch of a condition node compares. */
export type BranchTest = { match: "all" | "any"; conditions: JsonObject[] };

/**
 * A test of paths against literals as a native branch that means the same. Undefined where only a function does: a
 * native comparison knows no blank, takes no expressions and joins its conditions in one way alone.
 */
export function toBranchTest(expression: Expression, toReference: ToReference): BranchTest | undefined {
  if (expression.type === "binary" && (expression.operator === "&&" || expression.operator === "||")) {
    return joinTests(expression.operator, [expression.left, expression.right], toReference);
  }
  if (expression.type === "call" && /^(and|or)$/i.test(expression.name) && expression.args.length > 0) {
    return joinTests(/^and$/i.test(expression.name) ? "&&" : "||", expression.args, toReference);
  }
  return toTest(expression, toReference);
}

const maxConditions = 50;

function joinTests(
  operator: "&&" | "||",
  parts: readonly Expression[],
  toReference: ToReference,
): BranchTest | undefined {
  const match = operator === "&&" ? "all" : "any";
  const conditions: JsonObject[] = [];
  for (const part of parts) {
    const test = toBranchTest(part, toReference);
    if (test === undefined || (test.match !== match && test.conditions.length > 1)) return undefined;
    conditions.push(...test.conditions);
  }
  return conditions.length > maxConditions ? undefined : { match, conditions };
}

function toTest(expression: Expression, toReference: ToReference): BranchTest | undefined {
  if (expression.type === "unary" && expression.operator === "!") return toNegation(expression.of, toReference);
  if (expression.type === "call") return toCallTest(expression, toReference);
  if (expression.type === "binary") return toComparison(expression, toReference);
  const reference = toReference(expression);
  return reference === undefined ? undefined : all(isTrue(reference));
}

function toNegation(expression: Expression, toReference: ToReference): BranchTest | undefined {
  if (expression.type === "call" && isNamed(expression, "IsBlank")) {
    return emptiness(expression.args, "is-not-empty", toReference);
  }
  const reference = toReference(expression);
  return reference === undefined ? undefined : orBlank(reference, isTrue(reference, "not-equal"));
}

function toCallTest(call: Expression & { type: "call" }, toReference: ToReference): BranchTest | undefined {
  const [first] = call.args;
  if (isNamed(call, "Not") && first !== undefined && call.args.length === 1) return toNegation(first, toReference);
  return isNamed(call, "IsBlank") ? emptiness(call.args, "is-empty", toReference) : undefined;
}

function emptiness(
  args: readonly Expression[],
  operation: "is-empty" | "is-not-empty",
  toReference: ToReference,
): BranchTest | undefined {
  const [first] = args;
  const left = first && args.length === 1 ? toReference(first) : undefined;
  return left === undefined ? undefined : all({ type: "string", left, operation, right: "" });
}

const mirrored: Readonly<Partial<Record<BinaryOperator, BinaryOperator>>> = {
  "=": "=",
  "<>": "<>",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

function toComparison(
  { operator, left, right }: Expression & { type: "binary" },
  toReference: ToReference,
): BranchTest | undefined {
  if (operator === "exactin" && left.type === "literal") {
    const reference = toReference(right);
    if (reference === undefined || typeof left.value !== "string") return undefined;
    return all({ type: "string", left: reference, operation: "contains", right: left.value });
  }
  const turned = left.type === "literal" ? mirrored[operator] : undefined;
  if (turned !== undefined)
    return toComparison({ type: "binary", operator: turned, left: right, right: left }, toReference);
  const reference = toReference(left);
  const value = literalOf(right);
  if (reference === undefined || value === undefined) return undefined;
  if (typeof value === "number") return compareNumber(reference, operator, value);
  if (operator !== "=" && operator !== "<>") return undefined;
  if (typeof value === "boolean") return compareBoolean(reference, operator, value);
  return compareText(reference, operator, value);
}

const numberOperations: Readonly<
  Partial<Record<BinaryOperator, { operation: string; holds(value: number): boolean }>>
> = {
  "=": { operation: "equal", holds: () => false },
  "<>": { operation: "not-equal", holds: () => true },
  "<": { operation: "smaller", holds: (value) => 0 < value },
  "<=": { operation: "smaller-or-equal", holds: (value) => 0 <= value },
  ">": { operation: "larger", holds: (value) => 0 > value },
  ">=": { operation: "larger-or-equal", holds: (value) => 0 >= value },
};

/** Blank counts as 0 where an order is asked for, and equals no number. */
function compareNumber(left: string, operator: BinaryOperator, right: number): BranchTest | undefined {
  const meaning = numberOperations[operator];
  if (meaning === undefined) return undefined;
  const condition = { type: "number", left, operation: meaning.operation, right };
  return meaning.holds(right) ? { match: "any", conditions: [blank(left, "number"), condition] } : all(condition);
}

function compareBoolean(left: string, operator: "=" | "<>", right: boolean): BranchTest {
  const condition = isTrue(left, (operator === "=") === right ? "equal" : "not-equal");
  return operator === "=" ? all(condition) : orBlank(left, condition);
}

/** A blank is not the empty text, which a native comparison cannot tell apart. */
function compareText(left: string, operator: "=" | "<>", right: string): BranchTest | undefined {
  // Braces would be read as a reference.
  if (right === "" || right.includes("{{")) return undefined;
  return all({ type: "string", left, operation: operator === "=" ? "equal" : "not-equal", right });
}

function orBlank(left: string, condition: JsonObject): BranchTest {
  return { match: "any", conditions: [blank(left, "string"), condition] };
}

function blank(left: string, type: "string" | "number"): JsonObject {
  return { type, left, operation: "is-empty", right: "" };
}

function isTrue(left: string, operation: "equal" | "not-equal" = "equal"): JsonObject {
  return { type: "boolean", left, operation, right: true };
}

function all(condition: JsonObject): BranchTest {
  return { match: "all", conditions: [condition] };
}

function isNamed(call: Expression & { type: "call" }, name: string): boolean {
  return call.name.toLowerCase() === name.toLowerCase();
}

function literalOf(expression: Expression): string | number | boolean | undefined {
  if (expression.type === "literal") return expression.value;
  if (expression.type !== "unary" || expression.operator !== "-" || expression.of.type !== "literal") return undefined;
  return typeof expression.of.value === "number" ? -expression.of.value : undefined;
}
