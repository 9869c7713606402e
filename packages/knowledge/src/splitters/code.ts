import { z } from "zod";
import { defineSplitter, isOverlapSmaller, overlapTooLarge, sizeFields, toLimits } from "./define-splitter.ts";
import { languageSeparators, separatorLanguages } from "./separators.ts";
import { splitRange, toChunks } from "./split-range.ts";

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
