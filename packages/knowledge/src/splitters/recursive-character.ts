import { z } from "zod";
import {
  defineSplitter,
  isOverlapSmaller,
  overlapTooLarge,
  sizeFields,
  toLimits,
  unescapeBreaks,
} from "./define-splitter.ts";
import { languageSeparators, proseSeparators, separatorLanguages } from "./separators.ts";
import { splitRange, toChunks } from "./split-range.ts";
import { repeatHeads } from "./table-heads.ts";

export const recursiveCharacter = defineSplitter({
  name: "recursive-character",
  title: "Recursive characters",
  summary: "Cuts at paragraphs, else sentences, else lines, else words. Good for most texts.",
  config: z
    .object({
      ...sizeFields("characters"),
      language: z.enum(separatorLanguages).optional().meta({
        title: "Language",
        help: "Cuts source text where that language is best cut. Left empty: prose.",
      }),
      separators: z.array(z.string().max(200)).max(100).optional().meta({
        title: "Separators",
        help: "In place of the language's own, the best first. \\n stands for a line break.",
        advanced: true,
      }),
    })
    .refine(isOverlapSmaller, overlapTooLarge),
  aliases: { names: ["recursiveCharacterTextSplitter"], keys: {} },
  prepare(config) {
    const own = config.language ? languageSeparators[config.language] : proseSeparators;
    const separators = config.separators?.map(unescapeBreaks) ?? own;
    const rule = { ...toLimits(config), separators };
    return (text, metadata) =>
      toChunks({ text, metadata }, splitRange(text, { start: 0, end: text.length }, repeatHeads(rule, text, metadata)));
  },
});
