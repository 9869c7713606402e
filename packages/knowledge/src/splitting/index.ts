export { markdownConfig, markdownConfigAliases, toMarkdownRule } from "./markdown-config.ts";
export type { WindowLimits } from "./piece-window.ts";
export { languageSeparators, proseSeparators, separatorLanguages } from "./separators.ts";
export { isOverlapSmaller, overlapTooLarge, sizeFields, toLimits, unescapeBreaks } from "./size-fields.ts";
export { type MarkdownRule, splitMarkdown } from "./split-markdown.ts";
export { splitRange } from "./split-range.ts";
export type { TextRange } from "./text-range.ts";
export { toChunks } from "./to-chunks.ts";
