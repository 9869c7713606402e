import type { z } from "zod";
import type { SplitText } from "../chunk.ts";
import { parseConfig } from "../parse-config.ts";

type SplitterDefinition<Config> = {
  /** How stores name it, in kebab-case. Never renamed. */
  name: string;
  title: string;
  summary: string;
  /** Form hints stand in `.meta()`: `title`, `help`, `widget`, `advanced`. */
  config: z.ZodType<Config>;
  aliases: ComponentAliases;
  /** Gets ready to split texts with these settings; loads what that takes. */
  prepare(config: Config): SplitText | Promise<SplitText>;
};

/** A splitter with the type of its configuration erased, as the registry and the catalogue use it. */
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

/** Declares a way to split texts: types, validation, aliases and form derive from it. */
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

/** Other names under which a splitter or loader is known, and other names of its settings: theirs → ours. */
export type ComponentAliases = { names: readonly string[]; keys: Readonly<Record<string, string>> };
