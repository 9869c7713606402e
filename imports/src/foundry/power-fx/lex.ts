/** `interpolated` is `$"…{x}…"`: its pieces are in `parts`, those at odd places as the source of an expression. */
export type Token = {
  kind: "number" | "text" | "interpolated" | "name" | "quoted-name" | "mark" | "end";
  text: string;
  parts?: readonly string[];
  at: number;
};

/** An expression that cannot be read. Caught at the door of this folder, which makes a value of it. */
export class ExpressionProblem extends Error {}

/** Longest expression, in characters. */
const maxExpressionLength = 20_000;

const marks = ["<>", "<=", ">=", "&&", "||", ..."()[]{},;:.=<>+-*/^%&!@"];
const namePattern = /[\p{L}_][\p{L}\p{N}_]*/uy;
const numberPattern = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const blankPattern = /(?:\s|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)+/y;

/** Splits an expression into tokens; the last is `end`. Throws `ExpressionProblem` for what is none. */
export function lex(source: string): Token[] {
  if (source.length > maxExpressionLength)
    throw new ExpressionProblem(`it is longer than ${maxExpressionLength} characters`);
  const tokens: Token[] = [];
  let at = skipBlanks(source, 0);
  while (at < source.length) {
    const { token, end } = readToken(source, at);
    tokens.push(token);
    at = skipBlanks(source, end);
  }
  tokens.push({ kind: "end", text: "", at });
  return tokens;
}

type Read = { token: Token; end: number };

function readToken(source: string, at: number): Read {
  if (source.startsWith("/*", at)) throw new ExpressionProblem("a comment in it is never closed");
  if (source.startsWith('$"', at)) return readInterpolated(source, at);
  if (source[at] === '"') return readQuoted(source, at, { quote: '"', kind: "text" });
  if (source[at] === "'") return readQuoted(source, at, { quote: "'", kind: "quoted-name" });
  const number = matchAt(numberPattern, source, at);
  if (number !== undefined) return { token: { kind: "number", text: number, at }, end: at + number.length };
  const name = matchAt(namePattern, source, at);
  if (name !== undefined) return { token: { kind: "name", text: name, at }, end: at + name.length };
  const mark = marks.find((one) => source.startsWith(one, at));
  if (mark !== undefined) return { token: { kind: "mark", text: mark, at }, end: at + mark.length };
  throw new ExpressionProblem(`it has a character that is not expected: ${JSON.stringify(source[at])}`);
}

function readQuoted(
  source: string,
  at: number,
  { quote, kind }: { quote: string; kind: "text" | "quoted-name" },
): Read {
  let text = "";
  for (let end = at + 1; end < source.length; end += 1) {
    if (source[end] !== quote) text += source[end];
    else if (source[end + 1] === quote) {
      text += quote;
      end += 1;
    } else return { token: { kind, text, at }, end: end + 1 };
  }
  throw new ExpressionProblem("a text in it has no closing quote");
}

function readInterpolated(source: string, at: number): Read {
  const parts: string[] = [];
  let text = "";
  let end = at + 2;
  while (end < source.length) {
    const pair = source.slice(end, end + 2);
    if (pair === '""' || pair === "{{" || pair === "}}") {
      text += pair[0];
      end += 2;
    } else if (source[end] === "{") {
      const close = findClosingBrace(source, end);
      if (close === undefined) throw new ExpressionProblem("a { in a text has no }");
      parts.push(text, source.slice(end + 1, close));
      text = "";
      end = close + 1;
    } else if (source[end] === '"') {
      return { token: { kind: "interpolated", text: "", parts: [...parts, text], at }, end: end + 1 };
    } else {
      text += source[end];
      end += 1;
    }
  }
  throw new ExpressionProblem("a text in it has no closing quote");
}

/** Where the brace that opens at `at` is closed, texts in quotes left out; undefined if nowhere. */
export function findClosingBrace(source: string, at: number): number | undefined {
  let depth = 0;
  const bracesAndTexts = /"[^"]*"|[{}]/g;
  bracesAndTexts.lastIndex = at;
  for (let match = bracesAndTexts.exec(source); match; match = bracesAndTexts.exec(source)) {
    if (match[0] === "{") depth += 1;
    else if (match[0] === "}") depth -= 1;
    if (depth === 0) return match.index;
  }
  return undefined;
}

function skipBlanks(source: string, at: number): number {
  return at + (matchAt(blankPattern, source, at)?.length ?? 0);
}

function matchAt(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}
