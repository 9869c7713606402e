import { z } from "zod";
import {
  defineSplitter,
  isOverlapSmaller,
  overlapTooLarge,
  sizeFields,
  toLimits,
  unescapeBreaks,
} from "./define-splitter.ts";
import { splitRange, toChunks } from "./split-range.ts";

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
