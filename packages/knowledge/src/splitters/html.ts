import type { JsonObject } from "@weft/schema";
import type { Chunk } from "../chunk.ts";
import { createPageParser, markdownInSteps } from "../html/index.ts";
import { defineSplitter } from "./define-splitter.ts";
import { languageSeparators } from "./separators.ts";
import {
  type MarkdownRule,
  markdownConfig,
  markdownConfigAliases,
  splitMarkdown,
  toMarkdownRule,
} from "./split-markdown.ts";
import { splitRange, toChunks } from "./split-range.ts";

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

/** Characters parsed between two pauses. */
const parsedAtOnce = 64 * 1024;

/** Line numbers of the Markdown tell nothing about the page, so they are omitted. */
function* splitHtml(text: string, metadata: JsonObject, rule: MarkdownRule): Generator<Chunk | undefined> {
  const parser = createPageParser();
  for (let start = 0; start < text.length; start += parsedAtOnce) {
    parser.write(text.slice(start, start + parsedAtOnce));
    yield undefined;
  }
  const page = parser.end();
  if (page === "too-deep") {
    const range = { start: 0, end: text.length };
    yield* toChunks({ text, metadata }, splitRange(text, range, { ...rule, separators: languageSeparators.html }));
    return;
  }
  const markdown = yield* markdownInSteps(page.root);
  for (const chunk of splitMarkdown({ text: markdown, metadata }, rule)) {
    if (chunk === undefined) {
      yield undefined;
      continue;
    }
    const { loc: _lines, ...rest } = chunk.metadata;
    yield { text: chunk.text, metadata: rest };
  }
}
