import type { ReadableDatabase } from "@weft/database";
import { isJsonObject, type JsonObject, meetsCondition, type RetrievalSettings, readFilter } from "@weft/schema";
import { findPlaces, readBetween } from "../state/chunk.store.ts";

type Passage = { id: string; text: string; metadata: JsonObject };

const usualCharacters = 8_000;
/** Chunks examined on each side of a passage. */
const mostChunks = 200;

/**
 * Extends passages by the surrounding text of their documents: neighbours up to a number, or their section or document
 * up to a length. Omits a passage contained in the text of a better one. Text that does not match the filter is not
 * read.
 */
export async function readAround<T extends Passage>(
  { read }: ReadableDatabase,
  found: readonly T[],
  { storeId, settings, filter }: { storeId: string; settings: RetrievalSettings; filter: JsonObject | undefined },
): Promise<T[]> {
  const { neighbours = 0, parent = "none" } = settings;
  if (neighbours === 0 && parent === "none") return [...found];
  const ids = found.map(({ id }) => id);
  const places = await findPlaces(read, storeId, ids);
  const may = toCondition(filter);
  const shown = new Set<string>();
  const passages: T[] = [];
  for (const passage of found) {
    if (shown.has(passage.id)) continue;
    shown.add(passage.id);
    const place = places.get(passage.id);
    if (place === undefined) {
      passages.push(passage);
      continue;
    }
    const reach = parent === "none" ? neighbours : mostChunks;
    const rows = await readBetween(read, place, { from: place.chunkNo - reach, to: place.chunkNo + reach });
    const chunks = rows.map((row): Chunk => ({ ...row, metadata: JSON.parse(row.metadata) }));
    const isFree = ({ id, source, metadata }: Chunk) => source === place.source && may(metadata) && !shown.has(id);
    const span = spanAround(chunks, place.chunkNo, { settings, isFree });
    for (const { id } of span) shown.add(id);
    const text = span.length > 1 ? joined(span.map(({ pageContent }) => pageContent)) : passage.text;
    passages.push({ ...passage, text });
  }
  return passages;
}

type Chunk = Omit<Awaited<ReturnType<typeof readBetween>>[number], "metadata"> & { metadata: JsonObject };

/** The chunk of a number and the adjacent ones that belong to it, on both sides in turn. */
function spanAround(
  chunks: readonly Chunk[],
  chunkNo: number,
  { settings, isFree }: { settings: RetrievalSettings; isFree(chunk: Chunk): boolean },
): Chunk[] {
  const { neighbours = 0, parent = "none", parentCharacters = usualCharacters } = settings;
  const at = chunks.findIndex((chunk) => chunk.chunkNo === chunkNo);
  const middle = chunks[at];
  if (middle === undefined) return [];
  const section = sectionOf(middle.metadata);
  let length = middle.pageContent.length;
  const take = (chunk: Chunk | undefined): boolean => {
    if (chunk === undefined || !isFree(chunk)) return false;
    length += chunk.pageContent.length;
    if (Math.abs(chunk.chunkNo - chunkNo) <= neighbours) return true;
    if (length > parentCharacters) return false;
    return parent === "document" || (parent === "section" && sectionOf(chunk.metadata) === section);
  };
  let [first, last] = [at, at];
  let [before, after] = [true, true];
  while (before || after) {
    before = before && take(chunks[first - 1]);
    if (before) first -= 1;
    after = after && take(chunks[last + 1]);
    if (after) last += 1;
  }
  return chunks.slice(first, last + 1);
}

/** Name of a section: its headings, or else its page. Without either a document is one section. */
function sectionOf({ headings, page, loc }: JsonObject): string {
  if (Array.isArray(headings)) return JSON.stringify(headings);
  const number = page ?? (isJsonObject(loc) ? loc.pageNumber : undefined);
  return number === undefined ? "" : String(number);
}

function toCondition(filter: JsonObject | undefined): (metadata: JsonObject) => boolean {
  const asked = readFilter(filter ?? {});
  return (metadata) => !("problem" in asked) && meetsCondition(metadata, asked.condition);
}

const longestOverlap = 2_000;

/** Joins consecutive texts, each without a repeated table header and without the overlap with the previous one. */
function joined(texts: readonly string[]): string {
  return texts.reduce((text, next) => {
    const head = continuedHead(text, next);
    const rest = next.slice(head.length);
    const overlap = overlapOf(text, rest);
    if (overlap > 0) return text + rest.slice(overlap);
    return head === "" ? `${text}\n\n${rest}` : `${text}\n${rest}`;
  });
}

/**
 * The table header, of Markdown or of a sheet, that a text starts with and that continues the previous one's last rows.
 */
function continuedHead(text: string, next: string): string {
  const [head = ""] = tableHead.exec(next) ?? [];
  return head !== "" && text.slice(text.lastIndexOf("\n\n") + 1).includes(head) ? head : "";
}

const tableHead = /^(?=[^\n]*\|)[^\n]*\n[ \t]*[|:-][|:\- \t]*\r?\n|^[^\n\t]+\t[^\n]*\n/;

/** Shorter overlaps are coincidence. */
const shortestOverlap = 10;

function overlapOf(text: string, next: string): number {
  const head = next.slice(0, shortestOverlap);
  if (head.length < shortestOverlap) return 0;
  const from = Math.max(0, text.length - longestOverlap);
  for (let at = text.indexOf(head, from); at >= 0; at = text.indexOf(head, at + 1)) {
    if (next.startsWith(text.slice(at))) return text.length - at;
  }
  return 0;
}
