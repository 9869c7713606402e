import { defaultSplitterName, findSplitter } from "@weft/knowledge";
import type { JsonObject } from "@weft/schema";
import type { DocumentationPage } from "./read-pages.ts";

/** A part of a page that is embedded and found as one. `metadata.source` is the name of the page. */
export type Passage = { text: string; metadata: JsonObject };

/** Pages cut as a document store cuts them by default, each a source of one loader. */
export async function splitPages(pages: readonly DocumentationPage[]): Promise<Passage[]> {
  const splitter = findSplitter(defaultSplitterName);
  const split = await splitter.prepare(splitter.parseConfig({}));
  return pages.flatMap(({ name, text }) =>
    [...split(text, { source: name, docId: "manual" })].flatMap((chunk) => (chunk === undefined ? [] : [chunk])),
  );
}
