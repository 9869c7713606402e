export { decodePage, isHtml } from "./decode-page.ts";
export { findMainContent } from "./main-content.ts";
export { toMarkdownTable } from "./markdown-table.ts";
export { elementsWithin, type PageElement } from "./page-node.ts";
export { createPageParser, maxPageDepth, type Page } from "./parse-page.ts";
export { selectElements } from "./select-elements.ts";
export { markdownInSteps, toMarkdown } from "./to-markdown.ts";
