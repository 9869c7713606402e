import type { Json, JsonObject } from "@weft/schema";
import { jsonIn, typesOf, type Value } from "./values.ts";

/**
 * A value as a native template; undefined where it has to be computed first. Braces of the program that would read as
 * a reference are set apart, so that they stay text.
 */
export function toTemplate(value: Value): string | undefined {
  switch (value.kind) {
    case "literal":
      return typeof value.value === "string" ? plainText(value.value) : plainText(printed(value.value));
    case "path":
      return `{{ ${value.path} }}`;
    case "run":
      return toTemplate(value.text);
    case "category":
      return `{{ ${value.nodeId}.output.scenario }}`;
    case "input":
      return "{{ question }}";
    case "text": {
      const parts = value.parts.map((part) => (typeof part === "string" ? plainText(part) : toTemplate(part)));
      return parts.every((part) => part !== undefined) ? parts.join("") : undefined;
    }
    case "operation": {
      const [only] = value.args;
      if (value.operator === "plus" && value.args.some(isText)) return toTemplate({ kind: "text", parts: value.args });
      return (value.operator === "text" || value.operator === "json") && only ? toTemplate(only) : undefined;
    }
    default: {
      const data = jsonIn(value);
      return data === undefined ? undefined : plainText(printed(data));
    }
  }
}

function isText(value: Value): boolean {
  if (value.kind === "literal") return typeof value.value === "string";
  return value.kind === "text" || (value.kind === "operation" && value.operator === "plus" && value.args.some(isText));
}

function printed(value: Json): string {
  if (typeof value === "string") return value;
  return value === null ? "" : JSON.stringify(value);
}

function plainText(text: string): string {
  return text.replaceAll(/\{\{(?=\s*[$\p{L}_][^\s{}]*\s*\}\})/gu, "{{ $openBraces }}");
}

/** One comparison of a native condition. */
export type Comparison = { type: string; left: string; operation: string; right: string | number | boolean };

/** Most ways in which one test may hold. */
const maxWays = 12;

/**
 * The ways in which a test holds, each a list of comparisons that all hold; undefined where it has to be computed.
 * An empty list: never. A way without comparisons: always.
 */
export function toWays(test: Value, isNegated = false): Comparison[][] | undefined {
  if (test.kind === "literal") return Boolean(test.value) !== isNegated ? [[]] : [];
  if (test.kind !== "operation") return truthOf(test, isNegated);
  const [first, second] = test.args;
  switch (test.operator) {
    case "not":
      return first && toWays(first, !isNegated);
    case "truth":
      return first && toWays(first, isNegated);
    case "and":
    case "or":
      return combine(test.args, { isAll: (test.operator === "and") !== isNegated, isNegated });
    case "within":
      return first && second ? within(first, second, isNegated) : undefined;
    default:
      return first && second ? compare(test.operator, [first, second], isNegated) : undefined;
  }
}

function combine(args: readonly Value[], { isAll, isNegated }: { isAll: boolean; isNegated: boolean }) {
  let ways: Comparison[][] = isAll ? [[]] : [];
  for (const arg of args) {
    const own = toWays(arg, isNegated);
    if (own === undefined) return undefined;
    ways = isAll ? ways.flatMap((way) => own.map((more) => [...way, ...more])) : [...ways, ...own];
    if (ways.length > maxWays) return undefined;
  }
  return ways;
}

function within(value: Value, list: Value, isNegated: boolean): Comparison[][] | undefined {
  if (list.kind === "list") {
    const args = list.items.map((item): Value => ({ kind: "operation", operator: "equal", args: [value, item] }));
    return combine(args, { isAll: isNegated, isNegated });
  }
  const types = list.kind === "path" ? typesOf(list.schema) : [];
  const type = types.includes("array") ? "array" : types.includes("string") || list.kind === "input" ? "string" : "";
  const left = toOperand(list);
  const right = toOperand(value);
  if (type === "" || left === undefined || right === undefined) return undefined;
  return [[{ type, left: String(left), operation: isNegated ? "not-contains" : "contains", right }]];
}

/** Whether a value counts as true, where its type says when it does. */
function truthOf(value: Value, isNegated: boolean): Comparison[][] | undefined {
  const left = toOperand(value);
  const types = value.kind === "path" ? typesOf(value.schema) : value.kind === "run" ? ["string"] : [];
  const [type, ...others] = types.filter((name) => name !== "null");
  if (typeof left !== "string" || others.length > 0) return undefined;
  const emptiness = isNegated ? "is-empty" : "is-not-empty";
  if (type === "boolean") return [[{ type, left, operation: isNegated ? "not-equal" : "equal", right: true }]];
  if (type === "string") return [[{ type, left, operation: emptiness, right: "" }]];
  if (type !== "number" && type !== "integer") return undefined;
  return [[{ type: "number", left, operation: isNegated ? "equal" : "not-equal", right: 0 }]];
}

const orders: ReadonlyMap<string, { operation: string; negated: string; turned: string }> = new Map([
  ["smaller", { operation: "smaller", negated: "larger-or-equal", turned: "larger" }],
  ["smaller-or-equal", { operation: "smaller-or-equal", negated: "larger", turned: "larger-or-equal" }],
  ["larger", { operation: "larger", negated: "smaller-or-equal", turned: "smaller" }],
  ["larger-or-equal", { operation: "larger-or-equal", negated: "smaller", turned: "smaller-or-equal" }],
]);

function compare(operator: string, sides: [Value, Value], isNegated: boolean): Comparison[][] | undefined {
  const [first, second] = sides;
  const isTurned = first.kind === "literal" && second.kind !== "literal";
  const ordered: [Value, Value] = isTurned ? [second, first] : sides;
  const order = orders.get(operator);
  if (order) {
    const straight = isTurned ? order.turned : order.operation;
    return comparison("number", isNegated ? (orders.get(straight)?.negated ?? straight) : straight, ordered);
  }
  if (operator === "equal" || operator === "different") {
    return sameness((operator === "equal") !== isNegated ? "equal" : "not-equal", ordered);
  }
  const isPlain = (operator === "starts-with" || operator === "ends-with") && !isNegated && !isTurned;
  return isPlain ? comparison("string", operator, ordered) : undefined;
}

function sameness(operation: "equal" | "not-equal", sides: [Value, Value]): Comparison[][] | undefined {
  const [, right] = sides;
  if (right.kind !== "literal") return comparison("string", operation, sides);
  if (right.value === null) return comparison("string", operation === "equal" ? "is-empty" : "is-not-empty", sides);
  const type = typeof right.value;
  return type === "object" ? undefined : comparison(type, operation, sides);
}

function comparison(type: string, operation: string, sides: [Value, Value]): Comparison[][] | undefined {
  const [left, right] = sides.map(toOperand);
  if (left === undefined || right === undefined) return undefined;
  return [[{ type, left: String(left), operation, right }]];
}

/** Only what stays what it is: a text that holds braces is computed instead. */
function toOperand(value: Value): string | number | boolean | undefined {
  if (value.kind === "category") return `{{ ${value.nodeId}.output.scenario }}`;
  if (value.kind === "literal") {
    if (typeof value.value === "string") return value.value.includes("{{") ? undefined : value.value;
    if (value.value === null) return "";
    return typeof value.value === "object" ? undefined : value.value;
  }
  return value.kind === "path" || value.kind === "run" || value.kind === "input" ? toTemplate(value) : undefined;
}

/** JavaScript that computes a value, with the variables it reads. */
export type Computation = { code: string; variables: { name: string; value: string }[] };

/** The body of a custom function that returns the value; undefined where part of it is unknown. */
export function toComputation(value: Value, isPython: boolean): Computation | undefined {
  const variables = new Map<string, string>();
  const code = toJavaScript(value, { variables, isPython });
  if (code === undefined) return undefined;
  const helper = code.includes("isTrue(")
    ? "const isTrue = (value) => Boolean(value) && (typeof value !== 'object' || Object.keys(value).length > 0);\n"
    : "";
  const rows = [...variables].map(([path, name]) => ({ name, value: `{{ ${path} }}` }));
  return { code: `${helper}return ${code};`, variables: rows };
}

type Names = { variables: Map<string, string>; isPython: boolean };

const signs: Readonly<Record<string, string>> = {
  equal: "==",
  different: "!=",
  smaller: "<",
  "smaller-or-equal": "<=",
  larger: ">",
  "larger-or-equal": ">=",
  plus: "+",
  minus: "-",
  times: "*",
  divided: "/",
  remainder: "%",
  otherwise: "??",
};

/** What stands for each call, its arguments as `#0`, `#1` and so on. */
const patterns: Readonly<Record<string, string>> = {
  negative: "-#0",
  trim: 'String(#0 ?? "").trim()',
  lower: 'String(#0 ?? "").toLowerCase()',
  upper: 'String(#0 ?? "").toUpperCase()',
  length: "(#0 ?? []).length",
  "starts-with": 'String(#0 ?? "").startsWith(#1)',
  "ends-with": 'String(#0 ?? "").endsWith(#1)',
  contains: "(#0 ?? []).includes(#1)",
  within: "(#1 ?? []).includes(#0)",
  text: '(typeof #0 === "object" ? JSON.stringify(#0) : String(#0))',
  json: "JSON.stringify(#0)",
  number: "Number(#0)",
  get: "#0?.[#1]",
  matches: "#0.test(#1)",
  split: 'String(#0 ?? "").split(#1)',
  join: "(#0 ?? []).join(#1)",
  replace: 'String(#0 ?? "").replaceAll(#1, #2)',
  parse: "JSON.parse(#0)",
  type: "typeof #0",
  match: 'String(#0 ?? "").match(#1)',
  "index-of": "(#0 ?? []).indexOf(#1)",
  substring: 'String(#0 ?? "").substring(#1, #2)',
  fixed: "Number(#0).toFixed(#1)",
  round: "Math.round(#0)",
  floor: "Math.floor(#0)",
  ceil: "Math.ceil(#0)",
  abs: "Math.abs(#0)",
  least: "Math.min(#0, #1)",
  most: "Math.max(#0, #1)",
};

function toJavaScript(value: Value, names: Names): string | undefined {
  switch (value.kind) {
    case "literal":
      return quoted(value.value);
    case "path":
      return variable(value.path, names);
    case "input":
      return variable("question", names);
    case "category":
      return variable(`${value.nodeId}.output.scenario`, names);
    case "run":
      return toJavaScript(value.text, names);
    case "pattern":
      return `new RegExp(${quoted(value.source)}, ${quoted(value.flags)})`;
    case "text": {
      const parts = value.parts.map((part) => pieceCode(part, names));
      return parts.every((part) => part !== undefined) ? `(${["''", ...parts].join(" + ")})` : undefined;
    }
    case "list": {
      const items = value.items.map((item) => toJavaScript(item, names));
      return items.every((item) => item !== undefined) ? `[${items.join(", ")}]` : undefined;
    }
    case "object": {
      const fields = [...value.fields].map(([key, field]) => [quoted(key), toJavaScript(field, names)]);
      if (fields.some(([, field]) => field === undefined)) return undefined;
      return `({ ${fields.map(([key, field]) => `[${key}]: ${field}`).join(", ")} })`;
    }
    case "operation":
      return operationCode(value, names);
    default:
      return undefined;
  }
}

/** A part of a text as text. */
function pieceCode(part: string | Value, names: Names): string | undefined {
  if (typeof part === "string") return quoted(part);
  const isText = part.kind === "operation" && /^(text|json|trim|lower|upper|join)$/.test(part.operator);
  return toJavaScript(isText ? part : { kind: "operation", operator: "text", args: [part] }, names);
}

function operationCode({ operator, args }: Value & { kind: "operation" }, names: Names): string | undefined {
  const codes = args.map((arg) => toJavaScript(arg, names));
  if (!codes.every((code) => code !== undefined)) return undefined;
  const [first = "null", second = "null", third = "null"] = codes;
  const isPython = names.isPython && !(args[0] && isBoolean(args[0]));
  const truth = (code: string) => (isPython ? `isTrue(${code})` : code);
  switch (operator) {
    case "not":
      return `!${truth(first)}`;
    case "truth":
      return isPython ? truth(first) : `Boolean(${first})`;
    case "choose":
      return `(${truth(first)} ? ${second} : ${third})`;
    case "attempt":
      return `(() => { try { return ${first}; } catch { return ${second}; } })()`;
    case "and":
      return isPython ? `(isTrue(${first}) ? ${second} : ${first})` : `(${first} && ${second})`;
    case "or":
      return isPython ? `(isTrue(${first}) ? ${first} : ${second})` : `(${codes.join(" || ")})`;
    default:
      return patternCode(operator, codes);
  }
}

function patternCode(operator: string, codes: readonly string[]): string | undefined {
  const [first = "null", second = "null"] = codes;
  if (Object.hasOwn(signs, operator)) return `(${first} ${signs[operator]} ${second})`;
  const pattern = Object.hasOwn(patterns, operator) ? patterns[operator] : undefined;
  return pattern?.replaceAll(/#(\d)/g, (_, index: string) => codes[Number(index)] ?? "undefined");
}

/** Whether an operation gives true or false in either language. */
function isBoolean(value: Value): boolean {
  if (value.kind === "literal") return typeof value.value === "boolean";
  if (value.kind !== "operation") return false;
  if (value.operator === "and" || value.operator === "or") return value.args.every(isBoolean);
  return /^(not|truth|equal|different|smaller|larger|within|contains|matches|starts-with|ends-with)/.test(
    value.operator,
  );
}

/** Words that a function's code is searched for, spelled so that a text which holds them is not taken for a call. */
function quoted(value: Json): string {
  return JSON.stringify(value)
    .replaceAll("fetch", "f\\u0065tch")
    .replaceAll("require", "r\\u0065quire")
    .replaceAll("import", "\\u0069mport");
}

function variable(path: string, { variables }: Names): string {
  const known = variables.get(path);
  if (known !== undefined) return `$${known}`;
  const taken = new Set([...variables.values(), ...reserved]);
  const base = (path.split(".").at(-1) ?? "").replaceAll(/\W/g, "_").replace(/^(?=\d)/, "_") || "value";
  let name = base;
  for (let number = 2; taken.has(name) || /fetch|require|import/.test(name); number += 1) name = `value_${number}`;
  variables.set(path, name);
  return `$${name}`;
}

const reserved = ["vars", "flow", "input"];

/** Rows of a native condition for the ways of one branch. */
export function toBranches(id: string, title: string, ways: readonly Comparison[][]): JsonObject[] {
  return ways.map((conditions, index) => ({
    id: index === 0 ? id : `${id}-${index + 1}`,
    title,
    match: "all",
    conditions: conditions.map((one) => ({ ...one })),
  }));
}
