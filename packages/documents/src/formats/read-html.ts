import { htmlCharset } from "@weft/knowledge/encoding";
import { createPageParser, findMainContent, maxPageDepth, toMarkdown } from "@weft/knowledge/html";
import { decodeText } from "../decode-text.ts";
import type { ReadContext, ReadResult } from "../read-context.ts";
import { Unreadable } from "../unreadable.ts";

/**
 * Main content of the page, as Markdown: without navigation, banners, side bars, footers and cookie notices, unless
 * nothing would be left.
 */
export function readHtml({ bytes, label, budget }: ReadContext): ReadResult {
  const parser = createPageParser();
  parser.write(decodeText(bytes, { label, declared: htmlCharset }));
  const page = parser.end();
  if (page === "too-deep") throw new Unreadable(`its elements are nested more than ${maxPageDepth} levels deep`);
  const { element, omit } = findMainContent(page.root);
  return { sections: [{ text: budget.take(toMarkdown(element, { omit })), metadata: {} }], title: page.title };
}
