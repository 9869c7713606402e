import { isJsonObject, type Json } from "@weft/schema";
import type { Exit } from "../drawing/index.ts";
import {
  type BranchTest,
  type Expression,
  findClosingBrace,
  parseExpression,
  pathOf,
  toBranchTest,
  toJavaScript,
  toLiteral,
  withLibrary,
} from "./power-fx/index.ts";
import { type Step, silent } from "./step.ts";

/** JavaScript of a value, and the expressions that it was made of. */
export type Code = { code: string; sources: readonly string[] };

/** Whether a value is an expression, which begins with `=`. */
export function isExpression(value: Json | undefined): boolean {
  return expressionOf(value) !== undefined;
}

/** The source of a value that is an expression, without its `=`; undefined for any other value. */
export function expressionOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && /^\s*=/.test(value) ? value.trim().slice(1) : undefined;
}

/** JavaScript of a value of the file: an expression where it begins with `=`, else what it says. */
export function codeOf(step: Step, value: Json | undefined): Code {
  if (value === undefined) return { code: "null", sources: [] };
  const source = expressionOf(value);
  if (source !== undefined) return codeOfExpression(step, source);
  if (Array.isArray(value))
    return joinCodes(
      value.map((item) => codeOf(step, item)),
      (codes) => `[${codes.join(", ")}]`,
    );
  if (isJsonObject(value)) {
    const names = Object.keys(value).map((name) => `[${toLiteral(name)}]`);
    const codes = Object.values(value).map((item) => codeOf(step, item));
    return joinCodes(codes, (parts) => `({ ${parts.map((code, index) => `${names[index]}: ${code}`).join(", ")} })`);
  }
  return { code: toLiteral(value), sources: [] };
}

function joinCodes(codes: readonly Code[], join: (codes: string[]) => string): Code {
  return { code: join(codes.map(({ code }) => code)), sources: codes.flatMap(({ sources }) => sources) };
}

/** JavaScript of an expression without its `=`. Where there is none, a finding says so and the value is blank. */
function codeOfExpression(step: Step, source: string): Code {
  const expression = expressionIn(step, source);
  const translated = expression && toJavaScript(expression, step.flow.variables.resolve);
  if (translated?.ok) return { code: translated.code, sources: [source] };
  if (translated) refuseExpression(step, source, translated.problem);
  return { code: "null", sources: [source] };
}

/** The expression as a tree. Undefined where it cannot be read, which a finding tells. */
function expressionIn(step: Step, source: string): Expression | undefined {
  const parsed = parseExpression(source);
  if (!parsed.ok) {
    refuseExpression(step, source, parsed.problem);
    return undefined;
  }
  if (parsed.isRepaired) {
    step.warn(
      "foundry-expression-repaired",
      `The expression ${shorten(source)} has brackets that are never closed; they are closed at its end. Check it.`,
    );
  }
  return parsed.expression;
}

function refuseExpression(step: Step, source: string, problem: string): void {
  step.refuse(
    "foundry-expression-unsupported",
    `The expression ${shorten(source)} cannot be translated: ${problem}. Write it as JavaScript in the step's code, or rewrite the expression and import again.`,
  );
}

/** An expression as a finding shows it. Texts in it are left out: they may be secrets. */
export function shorten(source: string): string {
  const shown = source
    .replaceAll(/"(?:[^"]|"")*"?/g, '"…"')
    .replaceAll(/\s+/g, " ")
    .trim();
  return `= ${shown.length > 120 ? `${shown.slice(0, 120)}…` : shown}`;
}

/** A test that a condition node makes by itself. Undefined where a function must. */
export function testOf(step: Step, value: Json | undefined): BranchTest | undefined {
  if (typeof value === "boolean") return { match: "all", conditions: [constant(value)] };
  if (typeof value !== "string") return undefined;
  const parsed = parseExpression(value.trim().replace(/^=/, ""));
  if (!parsed.ok || parsed.isRepaired) return undefined;
  if (parsed.expression.type === "literal" && typeof parsed.expression.value === "boolean") {
    return { match: "all", conditions: [constant(parsed.expression.value)] };
  }
  return toBranchTest(parsed.expression, (expression) => referenceTo(step, expression));
}

/**
 * The reference that reads an expression as it is: a path, or the text of the last message in a variable. Undefined where
 * a function must.
 */
export function referenceTo(step: Step, expression: Expression): string | undefined {
  const { variables } = step.flow;
  const path = pathOf(expression) ?? messagePath(expression, variables.isMessage);
  return path && variables.toReference(path);
}

/** The variable in `Last(Local.Answer).Text` and `MessageText(Local.Answer)`. */
function messagePath(expression: Expression, isMessage: (path: readonly string[]) => boolean): string[] | undefined {
  const isText = expression.type === "field" && /^text$/i.test(expression.name);
  const call = isText ? expression.of : expression;
  if (call.type !== "call" || !(isText ? /^(first|last)$/i : /^messagetext$/i).test(call.name)) return undefined;
  const [arg, ...others] = call.args;
  const path = arg && others.length === 0 ? pathOf(arg) : undefined;
  return path && isMessage(path) ? path : undefined;
}

function constant(holds: boolean) {
  return { type: "boolean", left: true, operation: holds ? "equal" : "not-equal", right: true };
}

/** JavaScript of a condition, which is an expression with or without `=`. */
export function codeOfCondition(step: Step, value: Json | undefined): Code {
  const source = typeof value === "string" ? value.trim().replace(/^=/, "") : value === true ? "true" : "false";
  const { code, sources } = codeOfExpression(step, source);
  return { code: `fx_boolean(${code})`, sources };
}

type Piece = string | { source: string; expression: Expression };

/** Most braces of one text that hold no expression; what follows more of them stays as it is. */
const maxOtherBraces = 50;

/** The pieces of a text with `{expression}` in it. Braces around anything else stay as they are, and a warning says so. */
function piecesOf(step: Step, text: string): Piece[] {
  const pieces: Piece[] = [];
  const others: string[] = [];
  let end = 0;
  for (let open = text.indexOf("{"); open >= 0 && others.length < maxOtherBraces; ) {
    const close = findClosingBrace(text, open);
    const source = close === undefined ? "" : text.slice(open + 1, close);
    // Braces in pairs are text in other languages of templates, and here as well.
    const isPair = close !== undefined && source.startsWith("{");
    const expression = isPair ? undefined : expressionInBraces(step, source);
    if (expression === undefined) others.push(source);
    else pieces.push(text.slice(end, open), { source, expression });
    if (close !== undefined && expression !== undefined) end = close + 1;
    open = text.indexOf("{", isPair || expression !== undefined ? (close ?? open) + 1 : open + 1);
  }
  warnOfBraces(step, others);
  return [...pieces, text.slice(end)].filter((piece) => piece !== "");
}

/** Undefined for text that is not an expression, or only a name, as in `{name}`, that no variable has. */
function expressionInBraces(step: Step, source: string): Expression | undefined {
  const parsed = parseExpression(source.replace(/^\s*=/, ""));
  return parsed.ok && !parsed.isRepaired && !isUnknownName(step, parsed.expression) ? parsed.expression : undefined;
}

function warnOfBraces(step: Step, sources: readonly string[]): void {
  const shown = sources.filter((source) => source.trim() !== "").slice(0, 3);
  if (shown.length === 0) return;
  const list = shown.map((source) => `{${shorten(source).slice(2)}}`).join(", ");
  const text = `Braces in its text hold no expression and are shown as they are: ${list}. Correct them if they were meant as expressions.`;
  step.warn("foundry-text-braces", text);
}

/** A lone name, as in `{name}`, names no variable of a workflow. */
function isUnknownName(step: Step, expression: Expression): boolean {
  const path = pathOf(expression);
  return path !== undefined && step.flow.variables.resolve(path) === undefined;
}

/** JavaScript of a text field: an expression where it begins with `=`, else a text with `{expression}` in it. */
export function codeOfText(step: Step, value: Json | undefined): Code {
  const text = textOf(value);
  const source = expressionOf(text);
  if (source !== undefined) {
    const { code, sources } = codeOfExpression(step, source);
    return { code: `fx_messageText(${code})`, sources };
  }
  const codes = piecesOf(step, text).map((piece): Code => {
    if (typeof piece === "string") return { code: toLiteral(piece), sources: [] };
    const { code, sources } = codeOfExpression(step, piece.source.replace(/^\s*=/, ""));
    return { code: `fx_text(${code})`, sources };
  });
  return codes.length === 0 ? { code: '""', sources: [] } : joinCodes(codes, (parts) => parts.join(" + "));
}

/** A text field as a template, where references say all of it. */
export function templateOfText(step: Step, value: Json | undefined): string | undefined {
  const text = textOf(value);
  const source = expressionOf(text);
  const pieces = source === undefined ? piecesOf(step, text) : expressionPieces(source);
  const parts = pieces?.map((piece) => {
    if (typeof piece === "string") return piece.includes("{{") ? undefined : piece;
    if (piece.expression.type === "literal") return literalPart(piece.expression.value);
    return referenceTo(step, piece.expression);
  });
  return parts === undefined || parts.includes(undefined) ? undefined : parts.join("");
}

function expressionPieces(source: string): Piece[] | undefined {
  const parsed = parseExpression(source);
  return parsed.ok && !parsed.isRepaired ? [{ source, expression: parsed.expression }] : undefined;
}

function literalPart(value: string | number | boolean): string | undefined {
  return String(value).includes("{{") ? undefined : String(value);
}

/**
 * The text of a field that holds one, a list of variations of it, an object around it, or a mapping that YAML makes of
 * `{expression}` without quotes.
 */
export function textOf(value: Json | undefined): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return textOf(value[0]);
  if (!isJsonObject(value)) return "";
  const [[key, inner] = ["", null], ...others] = Object.entries(value);
  if (others.length === 0 && inner === null && key !== "") return `{${key}}`;
  for (const name of ["text", "value", "message", "speak"]) {
    if (Object.hasOwn(value, name)) return textOf(value[name]);
  }
  return "";
}

/** A state update of a node. */
export type Update = { key: string; value: string };

export type FunctionPart = {
  part?: string;
  label?: string;
  /** JavaScript by the names under which the function returns it. */
  values: Readonly<Record<string, Code>>;
  /** Statements before the return. */
  before?: readonly string[];
  variables?: readonly { name: string; value: string }[];
  updates?: (reference: (name: string) => string) => Update[];
};

/** Adds a function that computes values, and returns how a later step reads each of them. */
export function addFunction(
  step: Step,
  { part, label, values, before = [], variables = [], updates }: FunctionPart,
  from: readonly Exit[],
): { nodeId: string; reference(name: string): string } {
  const names = Object.keys(values);
  const comments = [...new Set(Object.values(values).flatMap(({ sources }) => sources))].flatMap(toComment);
  const result = names.map((name) => `  ${name}: ${values[name]?.code ?? "null"},`).join("\n");
  const body = [...comments, ...before, `return {\n${result}\n};`].join("\n");
  const updateState = updates?.((name) => `{{ output.data.${name} }}`) ?? [];
  const config = {
    ...silent,
    ...(variables.length === 0 ? {} : { variables: [...variables] }),
    code: withLibrary(body),
    ...(updateState.length === 0 ? {} : { updateState }),
  };
  const nodeId = step.add(
    {
      type: "custom-function",
      config,
      ...(part === undefined ? {} : { part }),
      ...(label === undefined ? {} : { label }),
    },
    from,
  );
  return { nodeId, reference: (name) => `{{ ${nodeId}.output.data.${name} }}` };
}

/** The source of an expression as comment lines. Words that code is searched for are not repeated. */
function toComment(source: string): string[] {
  const line = source.replaceAll(/\s+/g, " ").trim();
  if (line === "" || line.length > 300 || /\b(fetch|require|import|axios)\b/.test(line)) return [];
  return [`// Power Fx: ${line}`];
}

/** The text of a field as a template, behind a function where it must be computed. */
export function renderText(
  step: Step,
  { value, part }: { value: Json | undefined; part: string },
  from: readonly Exit[],
): { template: string; from: readonly Exit[] } {
  const template = templateOfText(step, value);
  if (template !== undefined) return { template, from };
  const { nodeId, reference } = addFunction(step, { part, values: { text: codeOfText(step, value) } }, from);
  return { template: reference("text"), from: [{ nodeId, port: "out" }] };
}
