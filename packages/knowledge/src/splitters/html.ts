import type { JsonObject } from "@weft/schema";
import type { Chunk } from "../chunk.ts";
import { defineSplitter } from "../define-splitter.ts";
import { parsePage } from "../html/parse-page.ts";
import { toMarkdown } from "../html/to-markdown.ts";
import { markdownConfig, markdownConfigAliases, toMarkdownRule } from "../splitting/markdown-config.ts";
import { languageSeparators } from "../splitting/separators.ts";
import { type MarkdownRule, splitMarkdown } from "../splitting/split-markdown.ts";
import { splitRange } from "../splitting/split-range.ts";
import { toChunks } from "../splitting/to-chunks.ts";

export const html = defineSplitter({
  name: "html",
  title: "HTML",
  summary: "Turns HTML into Markdown and cuts it at its headings.",
  config: markdownConfig,
  aliases: { names: ["htmlToMarkdownTextSplitter"], keys: markdownConfigAliases },
  prepare(config) {
    const rule = toMarkdownRule(config);
    return (text, metadata) => splitHtml(text, metadata, rule);
  },
});

/** Lines of the Markdown would say nothing about the page, so they are left out. */
function* splitHtml(text: string, metadata: JsonObject, rule: MarkdownRule): Generator<Chunk> {
  const page = parsePage(text);
  if (page === "too-deep") {
    const range = { start: 0, end: text.length };
    yield* toChunks({ text, metadata }, splitRange(text, range, { ...rule, separators: languageSeparators.html }));
    return;
  }
  for (const chunk of splitMarkdown({ text: toMarkdown(page.root), metadata }, rule)) {
    const { loc: _lines, ...rest } = chunk.metadata;
    yield { text: chunk.text, metadata: rest };
  }
}
