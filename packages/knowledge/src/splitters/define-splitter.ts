import { z } from "zod";
import type { SplitText } from "../chunk.ts";
import { parseConfig } from "../parse-config.ts";
import type { WindowLimits } from "./split-range.ts";

type SplitterDefinition<Config> = {
  /** Its name in stores, in kebab-case. Never renamed. */
  name: string;
  title: string;
  summary: string;
  /** Form hints are in `.meta()`: `title`, `help`, `widget`, `advanced`. */
  config: z.ZodType<Config>;
  aliases: ComponentAliases;
  /** Prepares splitting with these settings; loads dependencies. */
  prepare(config: Config): SplitText | Promise<SplitText>;
};

/** A splitter with its configuration type erased, for the registry and the catalogue. */
export type Splitter = {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly config: z.ZodType;
  readonly aliases: ComponentAliases;
  /** See `parseConfig`. Throws `parameters-invalid`. */
  parseConfig(raw: unknown): Record<string, unknown>;
  /** `config` must come from `parseConfig`. */
  prepare(config: Record<string, unknown>): Promise<SplitText>;
};

/** Declares a splitter: types, validation, aliases and form derive from it. */
export function defineSplitter<Config extends Record<string, unknown>>(
  definition: SplitterDefinition<Config>,
): Splitter {
  const { name, title, summary, config: schema, aliases } = definition;
  return {
    name,
    title,
    summary,
    config: schema,
    aliases,
    parseConfig: (raw) => parseConfig({ label: `The splitter "${name}"`, schema, keys: aliases.keys }, raw),
    prepare: async (config) => definition.prepare(config as Config),
  };
}

/** Other names of a splitter or loader, and of its settings: theirs → ours. */
export type ComponentAliases = { names: readonly string[]; keys: Readonly<Record<string, string>> };

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

/** Checks the whole configuration: with an overlap as large as a chunk, splitting would never advance. */
export function isOverlapSmaller({ chunkSize, chunkOverlap = 0 }: Sizes): boolean {
  return chunkOverlap < chunkSize;
}

export const overlapTooLarge = { path: ["chunkOverlap"], message: "The overlap must be smaller than the chunk size" };

export function toLimits({ chunkSize, chunkOverlap }: Sizes): WindowLimits {
  return { chunkSize, chunkOverlap: chunkOverlap ?? Math.min(200, Math.floor(chunkSize / 5)) };
}

/** Unescapes line breaks and tabs typed into a one-line field: `\n`, `\t`, `\r`. */
export function unescapeBreaks(text: string): string {
  return text.replaceAll(/\\([ntr])/g, (_whole, letter: string) => signs[letter] ?? "");
}

const signs: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
