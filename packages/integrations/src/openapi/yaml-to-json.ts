import { parse } from "yaml";

/** How often a YAML anchor may be repeated: a few lines of aliases can stand for gigabytes. */
const maxAliasCount = 100;

/**
 * YAML 1.2 as JSON text, so that what aliases share is copied and what refers to itself is refused.
 * Of two equal keys the last counts, as in JSON; looking for them would cost most of the time. Throws when not YAML.
 */
export function yamlToJson(text: string): string {
  const value: unknown = parse(text, { maxAliasCount, uniqueKeys: false, logLevel: "error", merge: true });
  return JSON.stringify(value) ?? "null";
}
