import type { JsonObject } from "./json.ts";

/** A catalogue entry that existing settings may refer to by other names. */
export type Aliased = {
  readonly name: string;
  readonly aliases: { readonly names: readonly string[]; readonly config: Readonly<Record<string, string>> };
  readonly config: { readonly shape: Readonly<Record<string, unknown>> };
};

/** Finds the entry by its name or one of its aliases. */
export function findByAnyName<Entry extends Aliased>(entries: readonly Entry[], name: string): Entry | undefined {
  return entries.find((entry) => entry.name === name) ?? entries.find(({ aliases }) => aliases.names.includes(name));
}

/**
 * The known fields of a stored configuration, under the entry's own names. Fields of other programs without a meaning
 * here are dropped, and so is empty text. The entry's own field name wins over an alias.
 */
export function toOwnConfig({ aliases, config }: Aliased, stored: JsonObject): JsonObject {
  const own = new Map<string, JsonObject[string]>();
  for (const [key, value] of Object.entries(stored)) {
    if (value === "" || value === null) continue;
    if (Object.hasOwn(config.shape, key)) own.set(key, value);
    else {
      const name = Object.hasOwn(aliases.config, key) ? aliases.config[key] : undefined;
      if (name !== undefined && !own.has(name)) own.set(name, value);
    }
  }
  return Object.fromEntries(own);
}
