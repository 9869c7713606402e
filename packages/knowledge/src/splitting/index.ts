export { languageSeparators, proseSeparators, separatorLanguages } from "./separators.ts";
export { isOverlapSmaller, overlapTooLarge, sizeFields, toLimits, unescapeBreaks } from "./size-fields.ts";
export {
  type MarkdownRule,
  markdownConfig,
  markdownConfigAliases,
  splitMarkdown,
  toMarkdownRule,
} from "./split-markdown.ts";
export type { WindowLimits } from "./split-range.ts";
export { splitRange } from "./split-range.ts";
export type { TextRange } from "./text-range.ts";
export { toChunks } from "./to-chunks.ts";
