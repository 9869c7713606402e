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

export const character = defineSplitter({
  name: "character",
  title: "Separator",
  summary: "Cuts at one separator only. A part that is longer than a chunk is cut where the chunk ends.",
  config: z
    .object({
      ...sizeFields("characters"),
      separator: z
        .string()
        .min(1)
        .max(200)
        .default("\\n\\n")
        .meta({ title: "Separator", help: "\\n stands for a line break." }),
    })
    .refine(isOverlapSmaller, overlapTooLarge),
  aliases: { names: ["characterTextSplitter"], keys: {} },
  prepare(config) {
    const rule = { ...toLimits(config), separators: [unescapeBreaks(config.separator)] };
    return (text, metadata) => toChunks({ text, metadata }, splitRange(text, { start: 0, end: text.length }, rule));
  },
});

export const code = defineSplitter({
  name: "code",
  title: "Source code",
  summary: "Cuts source code where its language begins something new: a class, a function, a block.",
  config: z
    .object({
      language: z.enum(separatorLanguages).meta({ title: "Language" }),
      ...sizeFields("characters"),
    })
    .refine(isOverlapSmaller, overlapTooLarge),
  aliases: { names: ["codeTextSplitter"], keys: {} },
  prepare(config) {
    const { language } = config;
    const rule = { ...toLimits(config), separators: languageSeparators[language] };
    return (text, metadata) =>
      toChunks({ text, metadata: { ...metadata, language } }, splitRange(text, { start: 0, end: text.length }, rule));
  },
});
