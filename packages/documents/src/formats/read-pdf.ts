import { getDocumentProxy } from "unpdf";
import { isPredefinedCMap, LocalData } from "../pdf/cmaps/predefined-cmaps.ts";
import { toPageText } from "../pdf/page-text.ts";
import { type PdfPage, withoutRunningLines } from "../pdf/running-lines.ts";
import { toUprightTexts } from "../pdf/upright.ts";
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
