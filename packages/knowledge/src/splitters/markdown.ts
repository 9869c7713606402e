import { defineSplitter } from "./define-splitter.ts";
import { markdownConfig, markdownConfigAliases, splitMarkdown, toMarkdownRule } from "./split-markdown.ts";

export const markdown = defineSplitter({
  name: "markdown",
  title: "Markdown",
  summary: "Cuts Markdown at its headings. Every chunk knows the headings that it stands under.",
  config: markdownConfig,
  aliases: { names: ["markdownTextSplitter"], keys: markdownConfigAliases },
  prepare(config) {
    const rule = toMarkdownRule(config);
    return (text, metadata) => splitMarkdown({ text, metadata }, rule);
  },
});
