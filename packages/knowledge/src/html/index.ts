export { decodePage, isHtml } from "./decode-page.ts";
export { findMainContent } from "./main-content.ts";
export { elementsWithin, type PageElement } from "./page-node.ts";
export { createPageParser, maxPageDepth, type Page, selectElements } from "./parse-page.ts";
export { markdownInSteps, toMarkdown, toMarkdownTable } from "./to-markdown.ts";
