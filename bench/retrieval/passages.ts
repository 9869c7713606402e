import { defaultSplitterName, findSplitter } from "@weft/knowledge";
import type { DocumentationPage } from "./read-pages.ts";

/** A part of a page that is embedded and found as one. */
export type Passage = { page: string; text: string };

/** Pages cut as a document store cuts them by default. */
export async function splitPages(pages: readonly DocumentationPage[]): Promise<Passage[]> {
  const splitter = findSplitter(defaultSplitterName);
  const split = await splitter.prepare(splitter.parseConfig({}));
  return pages.flatMap((page) =>
    [...split(page.text, {})].flatMap((chunk) => (chunk === undefined ? [] : [{ page: page.name, text: chunk.text }])),
  );
}
