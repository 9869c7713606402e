import type { JsonObject } from "@weft/schema";
import { followsHeading, sentenceStarts } from "./prose-breaks.ts";
import type { SplitRule, TextRange } from "./split-range.ts";

/** The tables of a text, for chunks that start among a table's rows. */
export type TableHeads = {
  /**
   * Best places to split tables, in order: at their rows except the first one, which stays with the header, and at
   * their ends.
   */
  cuts: readonly number[];
  /** Next best places, in order: before a table, unless it follows a heading. */
  starts: readonly number[];
  /**
   * What a chunk repeats that begins there, or at the next character that is not white space: the head of the table when
   * that is the start of a row, with its line break; else "".
   */
  headAt(start: number): string;
  /**
   * Whether a chunk may end there: `row` before a row other than the first, `inside` if that breaks a row or the
   * header.
   */
  placeOf(end: number): "row" | "inside" | "outside";
};

/** Maximum share of a chunk for a repeated table header. */
export const largestHead = 1 / 3;

/**
 * The rule that splits prose at the rows of its tables, rather than at sentences in them, and repeats their headers.
 * Source code, and custom separators, are left unchanged.
 */
export function repeatHeads(rule: SplitRule, text: string, metadata: JsonObject): SplitRule {
  if (!rule.separators.includes(sentenceStarts)) return rule;
  const fits = (head: string) => head.length <= rule.chunkSize * largestHead;
  const tables = findTableHeads(text, { metadata, fits });
  if (tables === undefined) return rule;
  const separators = rule.separators.flatMap((one) =>
    one === sentenceStarts ? [tables.cuts, tables.starts, one] : [one],
  );
  return { ...rule, separators, tables };
}

/** Finds the tables of a text. Undefined if there are none. Only headers accepted by `fits` are repeated. */
export function findTableHeads(
  text: string,
  { metadata, fits }: { metadata: JsonObject; fits(head: string): boolean },
): TableHeads | undefined {
  const tables = [...(typeof metadata.sheet === "string" ? findSheet(text) : findMarkdownTables(text))];
  if (tables.length === 0) return undefined;
  const heads = tables.map(({ start, bodyStart }) => text.slice(start, bodyStart));
  const repeated = heads.map((head) => /[\p{L}\p{N}]/u.test(head) && fits(head));
  const find = (offset: number) => {
    const place = skipSpace(text, offset);
    const index = lastAtOrBefore(tables, place);
    const table = tables[index];
    if (table === undefined || place <= table.start || place >= table.end) return undefined;
    return { index, table, lineStart: rowStart(text, place) };
  };
  return {
    cuts: tables.flatMap((table) => cutsOf(text, table)),
    starts: tables.map(({ start }) => start).filter((start) => !followsHeading(text, start)),
    headAt(start) {
      const found = find(start);
      if (found?.lineStart === undefined || !repeated[found.index]) return "";
      return text.slice(found.table.start, Math.min(found.lineStart, found.table.bodyStart));
    },
    placeOf(end) {
      const found = find(end);
      if (found === undefined) return "outside";
      return (found.lineStart ?? 0) > found.table.bodyStart ? "row" : "inside";
    },
  };
}

/** `start`: of the header's text; `bodyStart`: of the first row's line. */
type Table = TextRange & { bodyStart: number };

function cutsOf(text: string, { bodyStart, end }: Table): number[] {
  const cuts: number[] = [];
  for (let at = nextLine(text, bodyStart); at < end; at = nextLine(text, at)) cuts.push(at);
  return end < text.length ? [...cuts, end] : cuts;
}

/** Code fences, and possible second lines of a table. */
const marks = /^ {0,3}(?:(`{3,}|~{3,})|[|:-][|:\- \t]*\r?$)/gm;

/** Markdown tables (GFM 4.10) outside fenced code, whose rows all have a bar. */
function* findMarkdownTables(text: string): Generator<Table> {
  let fence: string | undefined;
  let covered = 0;
  for (const { 0: line, 1: mark, index } of text.matchAll(marks)) {
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence)) fence = undefined;
      continue;
    }
    if (fence !== undefined || index <= covered) continue;
    const table = tableAround(text, { start: index, end: index + line.length });
    if (table === undefined) continue;
    covered = table.end;
    yield table;
  }
}

function tableAround(text: string, delimiters: TextRange): Table | undefined {
  const lineStart = text.lastIndexOf("\n", delimiters.start - 2) + 1;
  const head = text.slice(lineStart, delimiters.start);
  const columns = cellsOf(text.slice(delimiters.start, delimiters.end));
  if (columns.length !== cellsOf(head).length || !columns.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  if (!head.includes("|") || !text.slice(delimiters.start, delimiters.end).includes("|")) return undefined;
  const bodyStart = nextLine(text, delimiters.start);
  let end = bodyStart;
  while (end < text.length && hasBar(text, end)) end = nextLine(text, end);
  return end > bodyStart ? { start: skipSpace(text, lineStart), bodyStart, end } : undefined;
}

function cellsOf(row: string): string[] {
  return row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

function hasBar(text: string, lineStart: number): boolean {
  return text.slice(lineStart, nextLine(text, lineStart)).includes("|");
}

/** Lines above a sheet's header: its title, a remark. */
const linesAboveHead = 10;

/**
 * The rows of a sheet, tab-separated. Its header is the first row that names every column of the row below it, none by
 * a number.
 */
function* findSheet(text: string): Generator<Table> {
  let start = 0;
  for (let line = 0; line < linesAboveHead; line += 1) {
    const bodyStart = nextLine(text, start);
    if (bodyStart >= text.length) return;
    const names = text.slice(start, bodyStart).trimEnd().split("\t");
    const cells = text.slice(bodyStart, nextLine(text, bodyStart)).trimEnd().split("\t");
    if (names.length > 1 && names.length >= cells.length && cells.length > 1 && names.every(isName)) {
      yield { start: skipSpace(text, start), bodyStart, end: text.length };
      return;
    }
    start = bodyStart;
  }
}

function isName(cell: string): boolean {
  return /\p{L}/u.test(cell) && cell !== "TRUE" && cell !== "FALSE" && !/^\d{4}-\d\d-\d\dT/.test(cell);
}

/** Start of the line after that of an offset; the end of the text after the last one. */
function nextLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}

/** Index of the last table that starts at or before an offset, by binary search; -1 for none. */
function lastAtOrBefore(tables: readonly Table[], offset: number): number {
  let low = 0;
  let high = tables.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tables[middle]?.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const mostSpace = 32;

/** Start of the line whose first non-blank character is at this place; undefined within a line. */
function rowStart(text: string, place: number): number | undefined {
  let at = place;
  while (at > place - mostSpace && /[ \t]/.test(text[at - 1] ?? "")) at -= 1;
  return at === 0 || text[at - 1] === "\n" ? at : undefined;
}

function skipSpace(text: string, offset: number): number {
  let at = offset;
  while (at < offset + mostSpace && /\s/.test(text[at] ?? "")) at += 1;
  return at;
}
