import { z } from "zod";
import type { WindowLimits } from "./split-range.ts";

/** Settings of every splitter, in characters or tokens. */
export function sizeFields(unit: "characters" | "tokens") {
  return {
    chunkSize: z
      .number()
      .int()
      .min(1)
      .max(100_000)
      .default(1_000)
      .meta({ title: `Chunk size (${unit})`, help: "No chunk is larger." }),
    chunkOverlap: z
      .number()
      .int()
      .min(0)
      .max(99_999)
      .optional()
      .meta({
        title: `Overlap (${unit})`,
        help: "At most so much is repeated from the chunk before. Left empty: 200, and a fifth of a small chunk size.",
      }),
  };
}

type Sizes = { chunkSize: number; chunkOverlap?: number | undefined };

/** A check of the whole configuration: an overlap as large as a chunk would never get on. */
export function isOverlapSmaller({ chunkSize, chunkOverlap = 0 }: Sizes): boolean {
  return chunkOverlap < chunkSize;
}

export const overlapTooLarge = { path: ["chunkOverlap"], message: "The overlap must be smaller than the chunk size" };

export function toLimits({ chunkSize, chunkOverlap }: Sizes): WindowLimits {
  return { chunkSize, chunkOverlap: chunkOverlap ?? Math.min(200, Math.floor(chunkSize / 5)) };
}

/** A line break and a tab as they can be typed into a field of one line: `\n`, `\t`, `\r`. */
export function unescapeBreaks(text: string): string {
  return text.replaceAll(/\\([ntr])/g, (_whole, letter: string) => signs[letter] ?? "");
}

const signs: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
