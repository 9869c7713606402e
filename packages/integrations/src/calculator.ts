import { z } from "zod";
import {
  add,
  constants,
  divide,
  divisionByZero,
  functions,
  isZero,
  modulo,
  multiply,
  negate,
  parseDecimal,
  power,
  toNumber,
  toText,
  type Value,
} from "./calculator/number.ts";
import { defineIntegration } from "./define-integration.ts";
import type { Outcome } from "./tool-name.ts";

const description = [
  "Computes an arithmetic expression exactly. Operators: + - * / ^ and parentheses.",
  "50% is 0.5; 10 % 3 is the remainder. Angles are in radians; log(x) is to base 10, log(x, base) to another, ln(x) natural.",
  `Functions: ${Object.keys(functions).join(", ")}. Constants: pi, e, tau.`,
].join(" ");

/** Lets the model calculate instead of guessing. */
export const calculator = defineIntegration({
  type: "calculator",
  title: "Calculator",
  summary: "Computes arithmetic expressions.",
  group: "built-in",
  icon: "calculator",
  config: z.object({}),
  build() {
    return [
      {
        name: "calculator",
        description,
        parameters: {
          type: "object",
          properties: { expression: { type: "string", description: "For example (1200 * 1.19 - 80) / 12" } },
          required: ["expression"],
          additionalProperties: false,
        },
        kind: "read",
        effect: "read",
        async call({ expression }) {
          const result = evaluateExpression(String(expression));
          if (result.ok) return { content: result.value };
          return { content: `The expression cannot be computed. ${result.message}`, isError: true };
        },
      },
    ];
  },
});

const maxCharacters = 1_000;
const maxDepth = 50;

/**
 * Computes an arithmetic expression, or describes what is wrong with it. Precedence from low to high: `+ -`, `* / %`,
 * signs, `^` (or `**`, from right to left), a `%` after its number. Before a number, a name or a parenthesis, `%` is
 * the remainder, otherwise a percentage: `10 % 3` is 1, `50%` is 0.5.
 */
function evaluateExpression(text: string): Outcome<string> {
  if (text.length > maxCharacters) return { ok: false, message: `It has more than ${maxCharacters} characters.` };
  try {
    return { ok: true, value: toText(evaluate(tokenize(text))) };
  } catch (error) {
    if (error instanceof ExpressionError) return { ok: false, message: error.message };
    throw error;
  }
}

function evaluate(tokens: readonly Token[]): Value {
  const cursor: Cursor = { tokens, at: 0, depth: 0 };
  const value = readSum(cursor);
  const rest = peek(cursor);
  if (rest.kind === "end") return value;
  if (rest.text === ",") throw new ExpressionError("Write numbers without thousands separators: 1000, not 1,000.");
  if (rest.text === ")") throw new ExpressionError("A closing parenthesis has no matching opening one.");
  throw new ExpressionError(`An operator such as * is missing before ${rest.text}.`);
}

type Cursor = { tokens: readonly Token[]; at: number; depth: number };

function readSum(cursor: Cursor): Value {
  let value = readProduct(cursor);
  for (;;) {
    if (takeSign(cursor, "+")) value = checked(add(value, readProduct(cursor)));
    else if (takeSign(cursor, "-")) value = checked(add(value, negate(readProduct(cursor))));
    else return value;
  }
}

function readProduct(cursor: Cursor): Value {
  let value = readSigned(cursor);
  for (;;) {
    if (takeSign(cursor, "*")) value = checked(multiply(value, readSigned(cursor)));
    else if (takeSign(cursor, "/")) value = checked(divide(value, readDivisor(cursor)));
    else if (takeSign(cursor, "%")) value = checked(modulo(value, readDivisor(cursor)));
    else return value;
  }
}

function readDivisor(cursor: Cursor): Value {
  const value = readSigned(cursor);
  if (isZero(value)) throw new ExpressionError(divisionByZero.message);
  return value;
}

function readSigned(cursor: Cursor): Value {
  if (takeSign(cursor, "-")) return negate(readSigned(cursor));
  if (takeSign(cursor, "+")) return readSigned(cursor);
  const base = readPercentage(cursor);
  return takeSign(cursor, "^") ? checked(power(base, readSigned(cursor))) : base;
}

function readPercentage(cursor: Cursor): Value {
  let value = readOperand(cursor);
  while (peek(cursor).text === "%" && !isOperand(cursor.tokens[cursor.at + 1])) {
    cursor.at += 1;
    value = divide(value, hundred);
  }
  return value;
}

const hundred = parseDecimal("100");

function isOperand(token: Token | undefined): boolean {
  return token?.kind === "number" || token?.kind === "name" || token?.text === "(";
}

function readOperand(cursor: Cursor): Value {
  const token = peek(cursor);
  cursor.at += 1;
  if (token.kind === "number") return readNumber(token.text);
  if (token.kind === "name") return readName(cursor, token.text);
  if (token.text !== "(") throw new ExpressionError(`A number is missing before ${token.text}.`);
  const value = nested(cursor, readSum);
  if (takeSign(cursor, ")")) return value;
  throw new ExpressionError("A closing parenthesis is missing.");
}

function readNumber(text: string): Value {
  if (/^0\d/.test(text)) {
    throw new ExpressionError(`${text} begins with 0. Write numbers without thousands separators: 1000, not 1,000.`);
  }
  return checked(parseDecimal(text));
}

function readName(cursor: Cursor, text: string): Value {
  const name = text.toLowerCase();
  if (!takeSign(cursor, "(")) {
    const constant = Object.hasOwn(constants, name) ? constants[name] : undefined;
    if (constant !== undefined) return constant;
    throw new ExpressionError(describeUnknown(text));
  }
  const called = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (called === undefined) throw new ExpressionError(describeUnknown(text));
  const values = nested(cursor, readArguments);
  const [fewest, most] = called.takes;
  if (values.length < fewest || values.length > most) {
    const number = fewest === most ? `${fewest}` : `${fewest} to ${most}`;
    throw new ExpressionError(`${name} takes ${number} ${most === 1 ? "value" : "values"}, not ${values.length}.`);
  }
  const outcome = called.compute(...values);
  if (!outcome.ok) throw new ExpressionError(outcome.message);
  return checked(outcome.value);
}

function readArguments(cursor: Cursor): Value[] {
  const values: Value[] = [];
  if (takeSign(cursor, ")")) return values;
  do values.push(readSum(cursor));
  while (takeSign(cursor, ","));
  if (takeSign(cursor, ")")) return values;
  throw new ExpressionError("A closing parenthesis is missing.");
}

function describeUnknown(name: string): string {
  const known = `Functions: ${Object.keys(functions).join(", ")}. Constants: ${Object.keys(constants).join(", ")}.`;
  return `${name.slice(0, 100)} is not known. ${known}`;
}

function nested<T>(cursor: Cursor, read: (cursor: Cursor) => T): T {
  cursor.depth += 1;
  if (cursor.depth > maxDepth) throw new ExpressionError(`It is nested more than ${maxDepth} levels deep.`);
  const value = read(cursor);
  cursor.depth -= 1;
  return value;
}

function peek({ tokens, at }: Cursor): Token {
  return tokens[at] ?? endToken;
}

function takeSign(cursor: Cursor, sign: string): boolean {
  const { kind, text } = peek(cursor);
  if (kind !== "sign" || text !== sign) return false;
  cursor.at += 1;
  return true;
}

function checked(value: Value): Value {
  const number = toNumber(value);
  if (Number.isNaN(number)) throw new ExpressionError("The result of one step is not a real number.");
  if (Number.isFinite(number)) return value;
  throw new ExpressionError("The result of one step is infinite or too large to compute.");
}

class ExpressionError extends Error {}

type Token = { kind: "number" | "name" | "sign" | "end"; text: string };

/** Signs as people and models write them. */
const aliases: Readonly<Record<string, string>> = { "×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "**": "^" };

function tokenize(text: string): Token[] {
  if (text.trim() === "") throw new ExpressionError("It is empty. Send an expression such as 2 * (3 + 4).");
  const pattern = /\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_][A-Za-z0-9_]*)|(\*\*|[-+*/^%(),×·÷−–]))\s*/y;
  const tokens: Token[] = [];
  while (pattern.lastIndex < text.length) {
    const start = pattern.lastIndex;
    const [whole, number, name, sign = ""] = pattern.exec(text) ?? [];
    if (whole === undefined) throw new ExpressionError(describeUnreadable(text.slice(start).trim()));
    if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (name !== undefined) tokens.push({ kind: "name", text: name });
    else tokens.push({ kind: "sign", text: aliases[sign] ?? sign });
  }
  return [...tokens, endToken];
}

const endToken: Token = { kind: "end", text: "the end" };

function describeUnreadable(rest: string): string {
  const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  return `${character} is not supported. Use only numbers, + - * / ^ %, parentheses and functions.`;
}
