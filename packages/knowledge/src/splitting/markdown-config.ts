import { z } from "zod";
import { isOverlapSmaller, overlapTooLarge, sizeFields, toLimits } from "./size-fields.ts";
import { headingLevels, type MarkdownRule } from "./split-markdown.ts";

/** Settings of splitters that cut at headings. */
export const markdownConfig = z
  .object({
    ...sizeFields("characters"),
    splitByHeadings: z.enum(headingLevels).default("disabled").meta({
      title: "Split by headings",
      help: "No chunk goes beyond a heading of this level or a higher one.",
    }),
  })
  .refine(isOverlapSmaller, overlapTooLarge);

/** What existing clients call them. */
export const markdownConfigAliases = { splitByHeaders: "splitByHeadings" };

export function toMarkdownRule(config: z.infer<typeof markdownConfig>): MarkdownRule {
  return { ...toLimits(config), splitByHeadings: config.splitByHeadings };
}
