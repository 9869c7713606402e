import { columnFunctions, countsOf, enumerations, kindAt, shapeOf } from "./functions.ts";
import { ExpressionProblem } from "./lex.ts";
import { type BinaryOperator, type Expression, pathOf } from "./parse.ts";

/** JavaScript of a variable, and how many names of the path it stands for. */
export type ResolvedPath = { code: string; length: number };

/** Finds the variable that a path begins with: `["Local", "City", "name"]`. Undefined if it begins with none. */
export type Resolve = (path: readonly string[]) => ResolvedPath | undefined;

/** JavaScript of an expression, or why there is none. */
export type Translated = { ok: true; code: string } | { ok: false; problem: string };

/** Rows that bare names are columns of, the innermost first, and names that rows were given. */
type Scope = { resolve: Resolve; rows: readonly string[]; names: ReadonlyMap<string, string>; steps: { left: number } };

/** Most parts of an expression. */
const maxParts = 5_000;

/** Translates an expression to JavaScript over the helpers of `library`. Never throws. */
export function toJavaScript(expression: Expression, resolve: Resolve): Translated {
  const scope: Scope = { resolve, rows: [], names: new Map(), steps: { left: maxParts } };
  try {
    return { ok: true, code: translate(expression, scope) };
  } catch (cause) {
    if (cause instanceof ExpressionProblem) return { ok: false, problem: cause.message };
    throw cause;
  }
}

/**
 * A JavaScript literal of a JSON value. Words that would make the code look as if it loaded modules or called the
 * network are escaped.
 */
export function toLiteral(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  return text
    .replaceAll(/\b(?=fetch\b|require\b|import\b|axios\b)[frai]/g, (letter) => `\\u${hexOf(letter)}`)
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

function hexOf(letter: string): string {
  return letter.charCodeAt(0).toString(16).padStart(4, "0");
}

function translate(expression: Expression, scope: Scope): string {
  scope.steps.left -= 1;
  if (scope.steps.left < 0) throw new ExpressionProblem(`it has more than ${maxParts} parts`);
  switch (expression.type) {
    case "literal":
      return toLiteral(expression.value);
    case "name":
    case "field":
      return translatePath(expression, scope);
    case "call":
      return translateCall(expression, scope);
    case "unary":
      return `${unaryHelpers[expression.operator]}(${translate(expression.of, scope)})`;
    case "binary":
      return translateBinary(expression, scope);
    case "table":
      return `[${expression.items.map((item) => translate(item, scope)).join(", ")}]`;
    case "record":
      return `({${expression.fields.map(({ name, value }) => `[${toLiteral(name)}]: ${translate(value, scope)}`).join(", ")}})`;
    case "text":
      return expression.parts.map((part) => `fx_text(${translate(part, scope)})`).join(" + ");
    case "as":
      throw new ExpressionProblem("As stands outside of a function over rows");
  }
}

const unaryHelpers = { "-": "fx_negate", "!": "!fx_boolean", "%": "fx_percent" } as const;

const binaryHelpers: Readonly<Partial<Record<BinaryOperator, string>>> = {
  in: "fx_in",
  exactin: "fx_exactIn",
  "=": "fx_equal",
  "<>": "!fx_equal",
  "<": "fx_less",
  ">=": "!fx_less",
  "+": "fx_add",
  "-": "fx_subtract",
  "*": "fx_multiply",
  "/": "fx_divide",
  "^": "fx_power",
};

function translateBinary({ operator, left, right }: Expression & { type: "binary" }, scope: Scope): string {
  const one = translate(left, scope);
  const other = translate(right, scope);
  if (operator === "&&" || operator === "||") return `(fx_boolean(${one}) ${operator} fx_boolean(${other}))`;
  if (operator === "&") return `(fx_text(${one}) + fx_text(${other}))`;
  if (operator === ";") return `(${one}, ${other})`;
  // a > b is b < a, and a <= b is not b < a.
  if (operator === ">") return `fx_less(${other}, ${one})`;
  if (operator === "<=") return `!fx_less(${other}, ${one})`;
  return `${binaryHelpers[operator]}(${one}, ${other})`;
}

function translatePath(expression: Expression & { type: "name" | "field" }, scope: Scope): string {
  const path = pathOf(expression);
  if (path === undefined) {
    if (expression.type === "name") throw new ExpressionProblem("it has an empty name");
    return `fx_field(${translate(expression.of, scope)}, ${toLiteral(expression.name)})`;
  }
  const { code, length } = resolveName(path, scope);
  return path.slice(length).reduce((of, name) => `fx_field(${of}, ${toLiteral(name)})`, code);
}

function resolveName(path: readonly string[], scope: Scope): ResolvedPath {
  const [first = "", second] = path;
  const named = scope.names.get(first);
  if (named !== undefined) return { code: named, length: 1 };
  const [row] = scope.rows;
  if (row !== undefined && (first === "ThisRecord" || first === "ThisItem")) return { code: row, length: 1 };
  const variable = scope.resolve(path);
  if (variable !== undefined) return variable;
  if (first === "Match" && second !== undefined) return { code: toLiteral(`Match.${second};`), length: 2 };
  if (enumerations.has(first) && second !== undefined) return { code: toLiteral(second), length: 2 };
  if (row === undefined) throw new ExpressionProblem(`the name ${first} is not known`);
  return { code: `fx_column([${scope.rows.join(", ")}], ${toLiteral(first)})`, length: 1 };
}

function translateCall({ name, args }: Expression & { type: "call" }, scope: Scope): string {
  const special = specialForms.get(name.toLowerCase());
  if (special) return special(args, scope);
  const shape = joinsTexts(name, args) ? shapeOf("Concatenate") : shapeOf(name);
  if (shape === undefined) throw new ExpressionProblem(`the function ${name} is not supported`);
  const { least, most } = countsOf(shape);
  if (args.length < least || args.length > most) {
    throw new ExpressionProblem(`${name} takes ${least === most ? least : `at least ${least}`} arguments`);
  }
  if (columnFunctions.has(name.toLowerCase()) && args.length === 2 && usesColumns(args[1], scope)) {
    return `${shape.helper}(fx_forAll(${translateArguments("vr", args, scope)}))`;
  }
  return `${shape.helper}(${translateArguments(shape.takes, args, scope)})`;
}

/** `Concat("a", b)` joins texts in the Agent Framework for Python; over a table it joins its rows. */
function joinsTexts(name: string, [first, ...others]: readonly Expression[]): boolean {
  if (name.toLowerCase() !== "concat" || first === undefined) return false;
  return first.type === "text" || (first.type === "literal" && typeof first.value === "string") || others.length > 2;
}

function translateArguments(takes: string, args: readonly Expression[], scope: Scope): string {
  const shape = { helper: "", takes };
  return args.map((arg, index) => translateArgument(kindAt(shape, index), arg, { args, scope })).join(", ");
}

type Call = { args: readonly Expression[]; scope: Scope };

function translateArgument(kind: string, arg: Expression, { args, scope }: Call): string {
  switch (kind) {
    case "l":
      return `() => ${translate(arg, scope)}`;
    case "r":
      return overRows(arg, args[0], scope);
    case "c":
      return columnName(arg, scope);
    default:
      return translate(arg.type === "as" ? arg.of : arg, scope);
  }
}

function overRows(arg: Expression, table: Expression | undefined, scope: Scope): string {
  const row = `row${scope.rows.length + 1}`;
  const names = table?.type === "as" ? new Map([...scope.names, [table.name, row]]) : scope.names;
  return `(${row}) => ${translate(arg, { ...scope, rows: [row, ...scope.rows], names })}`;
}

function columnName(arg: Expression, scope: Scope): string {
  if (arg.type === "name") return toLiteral(arg.name);
  return translate(arg, scope);
}

/** Whether an expression has a name that only a row can give a value. */
function usesColumns(arg: Expression | undefined, scope: Scope): boolean {
  return arg !== undefined && !toJavaScript(arg, scope.resolve).ok;
}

type SpecialForm = (args: readonly Expression[], scope: Scope) => string;

const specialForms: ReadonlyMap<string, SpecialForm> = new Map<string, SpecialForm>([
  ["blank", () => "null"],
  ["if", (args, scope) => translateIf(args, scope)],
  ["switch", (args, scope) => translateSwitch(args, scope)],
  ["and", (args, scope) => `(${joinBooleans(args, scope, "&&") || "true"})`],
  ["or", (args, scope) => `(${joinBooleans(args, scope, "||") || "false"})`],
  ["not", (args, scope) => `!fx_boolean(${translate(only("Not", args), scope)})`],
  ["isblankorerror", (args, scope) => translateBlankOrError(only("IsBlankOrError", args), scope)],
  ["coalesce", (args, scope) => `fx_coalesce([${lazily(args, scope)}])`],
  ["iferror", (args, scope) => `fx_ifError([${lazily(args, scope)}])`],
]);

function translateIf(args: readonly Expression[], scope: Scope): string {
  if (args.length < 2) throw new ExpressionProblem("If takes at least 2 arguments");
  const codes = args.map((arg) => translate(arg, scope));
  const otherwise = codes.length % 2 === 1 ? (codes.pop() ?? "null") : "null";
  let code = otherwise;
  for (let index = codes.length - 2; index >= 0; index -= 2) {
    code = `(fx_boolean(${codes[index]}) ? ${codes[index + 1]} : ${code})`;
  }
  return code;
}

function translateSwitch([value, ...rest]: readonly Expression[], scope: Scope): string {
  if (value === undefined || rest.length < 2) throw new ExpressionProblem("Switch takes at least 3 arguments");
  const codes = rest.map((arg) => `() => ${translate(arg, scope)}`);
  const otherwise = codes.length % 2 === 1 ? (codes.pop() ?? "() => null") : "() => null";
  const cases: string[] = [];
  for (let index = 0; index < codes.length; index += 2) cases.push(`[${codes[index]}, ${codes[index + 1]}]`);
  return `fx_switch(${translate(value, scope)}, [${cases.join(", ")}], ${otherwise})`;
}

function translateBlankOrError(arg: Expression, scope: Scope): string {
  const code = translate(arg, scope);
  return `(fx_isError(() => ${code}) || fx_isBlank(${code}))`;
}

function joinBooleans(args: readonly Expression[], scope: Scope, operator: string): string {
  return args.map((arg) => `fx_boolean(${translate(arg, scope)})`).join(` ${operator} `);
}

function lazily(args: readonly Expression[], scope: Scope): string {
  return args.map((arg) => `() => ${translate(arg, scope)}`).join(", ");
}

function only(name: string, [arg, ...others]: readonly Expression[]): Expression {
  if (arg === undefined || others.length > 0) throw new ExpressionProblem(`${name} takes 1 argument`);
  return arg;
}
