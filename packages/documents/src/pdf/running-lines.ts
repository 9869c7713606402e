import type { Segment } from "./segment.ts";

export type PdfPage = { number: number; height: number; segments: Segment[] };

/**
 * Pages without the headers, footers and page numbers that stand at the same height of many of them. A page that has
 * nothing else keeps them.
 */
export function withoutRunningLines(pages: readonly PdfPage[]): PdfPage[] {
  const counts = new Map<string, number>();
  for (const page of pages) {
    for (const key of new Set(page.segments.flatMap((segment) => keysOf(segment, page)))) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const enough = Math.max(fewest, Math.min(surely, pages.length * leastShare));
  return pages.map((page) => {
    const segments = page.segments.filter((segment) =>
      keysOf(segment, page).every((key) => (counts.get(key) ?? 0) < enough),
    );
    return segments.length === 0 ? page : { ...page, segments };
  });
}

/** On so few pages nothing counts as repeated; on so many it does, in a book with a running title for each chapter. */
const fewest = 3;
const surely = 10;

/** Even and odd pages may have different ones. */
const leastShare = 0.4;
const margin = 0.12;

/** How a line at the edge of a page would be written on the others: as it stands, or with the number of the page. */
function keysOf({ text, y }: Segment, { number, height }: PdfPage): string[] {
  if (y > height * margin && y < height * (1 - margin)) return [];
  const place = Math.round(y / 4);
  const numbers = [...text.matchAll(/\d{1,6}/g)];
  const relative = [numbers[0], numbers.at(-1)].flatMap((match) => {
    if (match === undefined) return [];
    const rest = text.slice(match.index + match[0].length);
    return [`${place} ${text.slice(0, match.index)}#${Number(match[0]) - number}${rest}`];
  });
  return [`${place} ${text}`, ...relative];
}
