import { toMarkdownTable } from "@weft/knowledge/html";
import { isRightToLeft, joinNear, type Segment, type TextItem, toRows, toSegments } from "./segment.ts";

/**
 * The text of a page in reading order: column by column, lines of a paragraph joined, hyphenation removed, tables as
 * Markdown.
 */
export function toPageText(segments: readonly Segment[]): string {
  return inReadingOrder(segments, mostColumns)
    .map((column) => toColumnText(column))
    .join("\n\n");
}

const mostColumns = 3;

/** Single-column parts of the page. Content across two columns separates the parts above from those below. */
function inReadingOrder(segments: readonly Segment[], depth: number): Segment[][] {
  const gutter = depth > 1 ? findGutter(segments) : undefined;
  if (gutter === undefined) return segments.length === 0 ? [] : [[...segments]];
  const parts: Segment[][] = [];
  let band: Segment[] = [];
  let crossing: Segment[] = [];
  const endBand = () => {
    const left = band.filter((segment) => segment.right <= gutter);
    const right = band.filter((segment) => segment.right > gutter);
    for (const side of isRightToLeft(band) ? [right, left] : [left, right])
      parts.push(...inReadingOrder(side, depth - 1));
    band = [];
  };
  const endCrossing = () => {
    if (crossing.length > 0) parts.push(crossing);
    crossing = [];
  };
  for (const row of toRows(segments)) {
    const crosses = row.some((segment) => segment.left < gutter && segment.right > gutter);
    if (crosses) endBand();
    else endCrossing();
    (crosses ? crossing : band).push(...row);
  }
  endBand();
  endCrossing();
  return parts;
}

/** A column has lines of prose: a table's cells are shorter, or fewer. */
const fewestLines = 3;
const shortestLine = 18;

/** A position that hardly any line crosses, with lines of prose on both sides. */
function findGutter(segments: readonly Segment[]): number | undefined {
  const left = Math.min(...segments.map((segment) => segment.left));
  const width = Math.max(...segments.map((segment) => segment.right)) - left;
  let best: { place: number; crossing: number } | undefined;
  for (const place of placesBetween(segments, left + width * 0.2, left + width * 0.8)) {
    const before = segments.filter((segment) => segment.right <= place);
    const after = segments.filter((segment) => segment.left >= place);
    const crossing = segments.length - before.length - after.length;
    if (!isProse(before) || !isProse(after) || crossing > Math.min(before.length, after.length) / 2) continue;
    if (best === undefined || crossing < best.crossing) best = { place, crossing };
  }
  return best?.place;
}

/** Just before where lines start, most frequent first. */
function placesBetween(segments: readonly Segment[], from: number, to: number): number[] {
  const counts = new Map<number, number>();
  for (const { left } of segments) {
    const place = Math.floor(left) - 1;
    if (place > from && place < to) counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  const frequent = [...counts].filter(([, count]) => count >= 2).toSorted((a, b) => b[1] - a[1]);
  return frequent.slice(0, 8).map(([place]) => place);
}

function isProse(segments: readonly Segment[]): boolean {
  if (segments.length < fewestLines) return false;
  const lengths = segments.map(({ text }) => visualLength(text)).toSorted((a, b) => a - b);
  return (lengths[lengths.length >> 1] ?? 0) >= shortestLine;
}

/** Chinese, Japanese and Korean characters are twice as wide as letters. */
function visualLength(text: string): number {
  return text.length + (text.match(ideograms)?.length ?? 0);
}

const ideograms = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g;

function toColumnText(segments: readonly Segment[]): string {
  const rows = toRows(segments);
  const blocks: string[] = [];
  let prose: Segment[] = [];
  for (let at = 0; at < rows.length; ) {
    const table = readTable(rows, at);
    if (table === undefined) {
      prose.push(joinNear(rows[at] ?? []));
      at += 1;
      continue;
    }
    blocks.push(...toParagraphs(prose), table.text);
    prose = [];
    at = table.end;
  }
  blocks.push(...toParagraphs(prose));
  return blocks.join("\n\n");
}

type Span = { left: number; right: number };

/** The table that starts in a row, if any: rows with aligned cells, some of them empty. */
function readTable(rows: readonly Segment[][], start: number): { text: string; end: number } | undefined {
  let columns: Span[] = [];
  let end = start;
  let full = 0;
  for (let at = start; at < rows.length; at += 1) {
    const row = rows[at] ?? [];
    const next = mergeSpans([...columns, ...row]);
    const isPart =
      columns.length === 0 ? row.length > 1 : next.length >= Math.max(2, columns.length) && isNear(rows, at);
    if (!isPart) break;
    columns = next;
    if (row.length < 2) continue;
    full += 1;
    end = at + 1;
  }
  const cells = rows.slice(start, end).map((row) => toCells(row, columns));
  if (full < 2 || cells.every(([mark = ""]) => listMark.test(mark))) return undefined;
  const isReversed = isRightToLeft(rows.slice(start, end).flat());
  return { text: toMarkdownTable(isReversed ? cells.map((row) => row.toReversed()) : cells), end };
}

const listMark = /^([•◦▪‣–—*·-]|\(?\w{1,3}[.)])$/;

/** Rows of a table are adjacent; a wide gap ends it. */
function isNear(rows: readonly Segment[][], at: number): boolean {
  const [above] = rows[at - 1] ?? [];
  const [here] = rows[at] ?? [];
  return above !== undefined && here !== undefined && above.y - here.y < Math.max(above.size, here.size) * 4;
}

function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { left, right } of spans.toSorted((a, b) => a.left - b.left)) {
    const last = merged.at(-1);
    if (last !== undefined && left <= last.right) last.right = Math.max(last.right, right);
    else merged.push({ left, right });
  }
  return merged;
}

function toCells(row: readonly Segment[], columns: readonly Span[]): string[] {
  return columns.map(({ left, right }) => {
    const within = row.filter((segment) => segment.left >= left && segment.right <= right);
    return within.length === 0 ? "" : joinNear(within).text;
  });
}

/** Lines that fill their column continue on the next one. */
function toParagraphs(lines: readonly Segment[]): string[] {
  const paragraphs: string[] = [];
  const right = Math.max(...lines.map((line) => line.right));
  const left = Math.min(...lines.map((line) => line.left));
  const isReversed = isRightToLeft(lines);
  const isFull = (line: Segment) =>
    isReversed ? line.left < left + (right - left) / 5 : line.right > right - (right - left) / 5;
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1];
    const text = paragraphs.at(-1);
    if (above === undefined || text === undefined || isParagraphStart(above, line)) paragraphs.push(line.text);
    else if (isFull(above) && isWrapped(above.text) && !startsItem.test(line.text) && !isEntry.test(above.text)) {
      paragraphs[paragraphs.length - 1] = joinLines(text, line.text);
    } else paragraphs[paragraphs.length - 1] = `${text}\n${line.text}`;
  }
  return paragraphs;
}

/** A short line, as of an address, stands alone. */
function isWrapped(text: string): boolean {
  return visualLength(text) >= 25 || hyphenated.test(text);
}

const hyphenated = /\p{L}[-\u00ad\u2010]$/u;
/** Of a table of contents. */
const isEntry = / … [\divxlc]{1,6}$/i;
const startsItem = /^([•◦▪‣–—*·-]|\(?\d{1,3}[.)])\s/;

function isParagraphStart(above: Segment, line: Segment): boolean {
  const size = Math.max(above.size, line.size);
  return above.y - line.y > size * 1.7 || Math.abs(above.size - line.size) > size * 0.15;
}

function joinLines(before: string, after: string): string {
  if (hyphenated.test(before)) {
    const isSplit = /^\p{Ll}/u.test(after) || (isCapitals(before) && isCapitals(after));
    return (isSplit ? before.slice(0, -1) : before) + after;
  }
  return joinsWithoutSpace(before.at(-1), after[0]) ? before + after : `${before} ${after}`;
}

/** Whole lines in capitals, as in licences. */
function isCapitals(text: string): boolean {
  return /\p{Lu}{2}/u.test(text) && !/\p{Ll}/u.test(text);
}

function joinsWithoutSpace(before = "", after = ""): boolean {
  return unspaced.test(before) && unspaced.test(after);
}

/** Chinese and Japanese have no spaces between words; Korean has. */
const unspaced = /[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/;

/** Text of a page in one direction, rotated to run from left to right. `height` is the page's. */
type UprightText = { segments: Segment[]; height: number };

/**
 * The texts of a page by their direction, the one with most of the text first: a page may be rotated, or a table or a
 * label on it. `view`: left, bottom, right and top of the page.
 */
export function toUprightTexts(items: readonly TextItem[], view: readonly number[]): UprightText[] {
  const [left = 0, bottom = 0, right = 0, top = 0] = view;
  const page = { left, bottom, width: right - left, height: top - bottom };
  const byTurns = new Map<number, TextItem[]>();
  for (const item of items) {
    const turns = quarterTurnsOf(item);
    const turned = byTurns.get(turns) ?? [];
    byTurns.set(turns, turned);
    turned.push(turnBack(item, turns, page));
  }
  return [...byTurns]
    .toSorted(([, a], [, b]) => lengthOf(b) - lengthOf(a))
    .map(([turns, turned]) => ({
      segments: toSegments(turned),
      height: turns % 2 === 0 ? page.height : page.width,
    }));
}

function quarterTurnsOf({ transform: [a = 1, b = 0] }: TextItem): number {
  return (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4;
}

type Page = { left: number; bottom: number; width: number; height: number };

function turnBack(item: TextItem, turns: number, { left, bottom, width, height }: Page): TextItem {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = item.transform;
  const [x, y] = [e - left, f - bottom];
  const places = [
    [x, y],
    [y, width - x],
    [width - x, height - y],
    [height - y, x],
  ];
  return { ...item, transform: [a, b, c, d, ...(places[turns] ?? [x, y])] };
}

function lengthOf(items: readonly TextItem[]): number {
  return items.reduce((total, { str }) => total + str.length, 0);
}
