import type { SqlDatabase } from "@weft/engine/ports/sql-client";

type Engine = SqlDatabase["engine"];

/** A stretch of a statement. An unclosed one extends to the end, as servers read it. */
export type Stretch = { kind: "code" | "quoted" | "comment"; start: number; end: number };

/** Openers of comments, string literals and quoted names. */
const openers: Readonly<Record<Engine, RegExp>> = {
  postgres: /--|\/\*|'|"|(?<![\w$])\$(?:[A-Za-z_]\w*)?\$/g,
  mysql: /--(?=[ \t\r\n]|$)|#|\/\*|'|"|`/g,
  sqlite: /--|\/\*|'|"|`|\[/g,
};

/**
 * Splits a statement into code, literals and comments, in one pass: every character is visited a constant number of
 * times.
 */
export function scan(engine: Engine, text: string): Stretch[] {
  const stretches: Stretch[] = [];
  const opener = new RegExp(openers[engine]);
  let end = 0;
  for (let found = opener.exec(text); found !== null; found = opener.exec(text)) {
    const { 0: open, index } = found;
    if (index > end) stretches.push({ kind: "code", start: end, end: index });
    const isComment = open === "--" || open === "#" || open === "/*";
    end = findEnd(engine, { text, open, from: opener.lastIndex });
    stretches.push({ kind: isComment ? "comment" : "quoted", start: index, end });
    opener.lastIndex = end;
  }
  if (text.length > end) stretches.push({ kind: "code", start: end, end: text.length });
  return stretches;
}

type Opened = { text: string; open: string; from: number };

function findEnd(engine: Engine, { text, open, from }: Opened): number {
  if (open === "--" || open === "#") return indexOr(text, engine === "postgres" ? /[\r\n]/g : /\n/g, from);
  if (open === "/*") return engine === "postgres" ? endOfNested(text, from) : after(text, "*/", from);
  if (open === "[") return after(text, "]", from);
  const hasEscapes = open !== "`" && (engine === "mysql" || (open === "'" && isEscaping(engine, text, from)));
  return hasEscapes ? endOfEscaped(text, open, from) : after(text, open, from);
}

function indexOr(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

function after(text: string, close: string, from: number): number {
  const index = text.indexOf(close, from);
  return index < 0 ? text.length : index + close.length;
}

/** PostgreSQL's comments nest. */
function endOfNested(text: string, from: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = from;
  let depth = 1;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    depth += found[0] === "/*" ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return text.length;
}

/** `E'it\'s'`. */
function isEscaping(engine: Engine, text: string, from: number): boolean {
  return engine === "postgres" && /(?:^|[^\w$])[eE]$/.test(text.slice(Math.max(0, from - 3), from - 1));
}

function endOfEscaped(text: string, quote: string, from: number): number {
  const mark = quote === "'" ? /['\\]/g : /["\\]/g;
  mark.lastIndex = from;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === quote) return mark.lastIndex;
    mark.lastIndex += 1;
  }
  return text.length;
}
