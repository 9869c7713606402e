import type { JsonObject } from "@weft/schema";
import { followsHeading, sentenceStarts } from "./prose-breaks.ts";
import type { SplitRule, TextRange } from "./split-range.ts";

/** The tables of a text, for chunks that begin among the rows of one. */
export type TableHeads = {
  /** Where tables are best cut, in order: at their rows but the first one, which stays with the head, and at their ends. */
  cuts: readonly number[];
  /** Where the next best cut is, in order: before a table, unless a heading stands there. */
  starts: readonly number[];
  /**
   * What a chunk repeats that begins there, or at the next character that is not white space: the head of the table when
   * that is the start of a row, with its line break; else "".
   */
  headAt(start: number): string;
  /** Whether a chunk may end there: `row` before a row but the first one, `inside` where that breaks a row or parts the head. */
  placeOf(end: number): "row" | "inside" | "outside";
};

/** What part of a chunk the head of a table may be, to be repeated. */
export const largestHead = 1 / 3;

/**
 * The rule with which prose is cut at the rows of its tables, rather than at sentences in them, and their heads repeated.
 * Source code, and separators of one's own, are left as they are.
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

/** Finds the tables of a text. Undefined without any. Only heads that `fits` takes are repeated. */
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

/** `start`: where the text of its head begins; `bodyStart`: where the line of its first row does. */
type Table = TextRange & { bodyStart: number };

function cutsOf(text: string, { bodyStart, end }: Table): number[] {
  const cuts: number[] = [];
  for (let at = nextLine(text, bodyStart); at < end; at = nextLine(text, at)) cuts.push(at);
  return end < text.length ? [...cuts, end] : cuts;
}

/** Fences of code, and lines that may be the second one of a table. */
const marks = /^ {0,3}(?:(`{3,}|~{3,})|[|:-][|:\- \t]*\r?$)/gm;

/** Tables of Markdown (GFM 4.10) outside fenced code, whose rows all have a bar. */
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

/** Lines above the head of a sheet: its title, a remark. */
const linesAboveHead = 10;

/**
 * The rows of a sheet, a tab between cells. Its head is the first row that names as many columns as the row below it has,
 * all of them, and none by a number.
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

/** Where the line after that of an offset begins; the end of the text after the last one. */
function nextLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}

/** Index of the last table that begins at an offset or before it, by halving; -1 for none. */
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

/** Where the line begins of which a place is the first that is not blank; undefined within a line. */
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
