import { getDocumentProxy } from "unpdf";
import { isPredefinedCMap, LocalData } from "../pdf/cmaps/predefined-cmaps.ts";
import { toPageText, toUprightTexts } from "../pdf/page-text.ts";
import type { Segment } from "../pdf/segment.ts";
import type { ReadContext, ReadResult } from "../read-context.ts";
import type { TextBudget } from "../text-budget.ts";
import { Unreadable } from "../unreadable.ts";

/**
 * One section per page, its text in reading order, without repeated headers and footers. Nothing in the file is
 * executed or followed.
 */
export async function readPdf({ bytes, limits, budget }: ReadContext): Promise<ReadResult> {
  const unread = usesUnknownEncoding(bytes) ? encodedOutside : scanned;
  const pdf = await openPdf(bytes);
  if (pdf.numPages > limits.pages) throw new Unreadable(`it has more than ${limits.pages} pages; split it`);
  const pages: ReadPage[] = [];
  for (let page = 1; page <= pdf.numPages; page += 1) pages.push(await readPage(pdf, page, budget));
  if (pages.every(({ segments }) => segments.length === 0)) throw new Unreadable(unread);
  const sections = withoutRunningLines(pages).map(({ number, segments, aside }) => ({
    text: [toPageText(segments), ...aside].filter((text) => text !== "").join("\n\n"),
    metadata: { page: number },
  }));
  return { sections, title: await readTitle(pdf), pages: pdf.numPages };
}

const scanned = "its pages are pictures without text; have the text recognised (OCR) first";

const encodedOutside =
  "its fonts have an encoding that is not in the file; print it into another PDF, or have the text recognised (OCR)";

/** Whether a font names a Chinese, Japanese or Korean encoding that is neither embedded nor predefined. */
function usesUnknownEncoding(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder("latin1");
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    const piece = decoder.decode(bytes.subarray(start, start + pieceBytes + longestName));
    for (const [, name = ""] of piece.matchAll(outerEncoding)) if (!isPredefinedCMap(name)) return true;
  }
  return false;
}

const outerEncoding = /\/Encoding\s{0,9}\/(?!Identity)([\w-]{1,40}-[HV])\b/g;
const pieceBytes = 64 * 1024;
const longestName = 64;

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function openPdf(bytes: Uint8Array): Promise<Pdf> {
  const quiet = 0;
  try {
    return await getDocumentProxy(bytes, { verbosity: quiet, useWorkerFetch: false, BinaryDataFactory: LocalData });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === "PasswordException";
    throw new Unreadable(isLocked ? "it is encrypted; save it without a password" : "it is a damaged PDF");
  }
}

/** Text in other directions than most of the page follows at the end. */
type ReadPage = PdfPage & { aside: string[] };

async function readPage(pdf: Pdf, number: number, budget: TextBudget): Promise<ReadPage> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  const texts = items.flatMap((item) => ("str" in item ? [{ ...item, str: budget.take(item.str) }] : []));
  const [main = { segments: [], height: 0 }, ...others] = toUprightTexts(texts, page.view);
  return { number, ...main, aside: others.map(({ segments }) => toPageText(segments)) };
}

async function readTitle(pdf: Pdf): Promise<string | undefined> {
  const read = await pdf.getMetadata().catch(() => undefined);
  const info: object = read?.info ?? {};
  return "Title" in info && typeof info.Title === "string" ? info.Title : undefined;
}

type PdfPage = { number: number; height: number; segments: Segment[] };

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
