import type { Segment } from "./segment.ts";

export type PdfPage = { number: number; height: number; segments: Segment[] };

/**
 * Removes headers, footers and page numbers that occur at the same height of many pages, including those that name the
 * chapter and the section and so change every few pages. A page with nothing else keeps them.
 */
export function withoutRunningLines<Page extends PdfPage>(pages: readonly Page[]): Page[] {
  const counts = new Map<string, number>();
  for (const page of pages) {
    for (const key of new Set(page.segments.flatMap((segment) => keysOf(segment, page)))) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const enough = Math.max(fewest, Math.min(surely, pages.length * leastShare));
  const running = findRunningPlaces(pages, counts);
  return pages.map((page) => {
    const segments = page.segments.filter((segment) => {
      const keys = keysOf(segment, page);
      return keys.every((key) => (counts.get(key) ?? 0) < enough) && !(keys.length > 0 && isAtOne(segment, running));
    });
    return segments.length === 0 ? page : { ...page, segments };
  });
}

/** Heights at which most pages have a line that another page has too. Titles of slides differ from each other. */
function findRunningPlaces(pages: readonly PdfPage[], counts: ReadonlyMap<string, number>): Set<number> {
  const repeats = new Map<number, number>();
  for (const page of pages) {
    const isRepeated = (segment: Segment) => keysOf(segment, page).some((key) => (counts.get(key) ?? 0) > 1);
    for (const place of new Set(page.segments.filter(isRepeated).map(placeOf))) {
      repeats.set(place, (repeats.get(place) ?? 0) + 1);
    }
  }
  const enough = Math.max(fewest, pages.length * mostOfThem);
  return new Set([...repeats].filter(([, count]) => count >= enough).map(([place]) => place));
}

const mostOfThem = 0.6;

/** Letters of another script may be slightly higher or lower. */
function isAtOne(segment: Segment, places: ReadonlySet<number>): boolean {
  const place = placeOf(segment);
  return places.has(place) || places.has(place - 1) || places.has(place + 1);
}

function placeOf({ y }: Segment): number {
  return Math.round(y / 4);
}

/** On fewer pages nothing counts as repeated; this many suffice, in a book with a running title per chapter. */
const fewest = 3;
const surely = 10;

/** Even and odd pages may have different ones. */
const leastShare = 0.4;
const margin = 0.12;

/** Comparable forms of a line at the edge of a page: verbatim, or with the page number replaced. */
function keysOf(segment: Segment, { number, height }: PdfPage): string[] {
  const { text, y } = segment;
  if (y > height * margin && y < height * (1 - margin)) return [];
  const place = placeOf(segment);
  const numbers = [...text.matchAll(/\d{1,6}/g)];
  const relative = [numbers[0], numbers.at(-1)].flatMap((match) => {
    if (match === undefined) return [];
    const rest = text.slice(match.index + match[0].length);
    return [`${place} ${text.slice(0, match.index)}#${Number(match[0]) - number}${rest}`];
  });
  return [`${place} ${text}`, ...relative];
}
