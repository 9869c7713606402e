import { getDocumentProxy } from "unpdf";
import type { DocumentSection } from "../document.ts";
import type { ReadContext, ReadResult } from "../read-context.ts";
import { Unreadable } from "../unreadable.ts";

/** Every page a section, its text in the order of the file. Nothing in the file is run or followed. */
export async function readPdf({ bytes, limits, budget }: ReadContext): Promise<ReadResult> {
  const pdf = await openPdf(bytes);
  if (pdf.numPages > limits.pages) throw new Unreadable(`it has more than ${limits.pages} pages; split it`);
  const sections: DocumentSection[] = [];
  for (let page = 1; page <= pdf.numPages; page += 1) {
    sections.push({ text: budget.take(await readPage(pdf, page)), metadata: { page } });
  }
  if (sections.every((section) => section.text === "")) throw new Unreadable(scanned);
  return { sections, title: await readTitle(pdf), pages: pdf.numPages };
}

const scanned = "its pages are pictures without text; have the text recognised (OCR) first";

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function openPdf(bytes: Uint8Array): Promise<Pdf> {
  const quiet = 0;
  try {
    return await getDocumentProxy(bytes, { verbosity: quiet, useWorkerFetch: false });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === "PasswordException";
    throw new Unreadable(isLocked ? "it is encrypted; save it without a password" : "it is a damaged PDF");
  }
}

async function readPage(pdf: Pdf, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  const text = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
  return text.replaceAll("\0", "").trim();
}

async function readTitle(pdf: Pdf): Promise<string | undefined> {
  const read = await pdf.getMetadata().catch(() => undefined);
  const info: object = read?.info ?? {};
  return "Title" in info && typeof info.Title === "string" ? info.Title : undefined;
}
