import type { Json, JsonSchema } from "./json.ts";

const marked = new WeakMap<JsonSchema, { schema: JsonSchema; settings: ReadonlySet<string> }>();

/**
 * Adapts a form's schema to this server: for each field with `needs`, `unavailable` lists the values whose operator
 * setting is not among `settings`. They stay valid, so that a value chosen elsewhere can be kept.
 */
export function withUnavailable(schema: JsonSchema, settings: ReadonlySet<string>): JsonSchema {
  const known = marked.get(schema);
  if (known?.settings === settings) return known.schema;
  const made = { schema: mark(schema, settings) as JsonSchema, settings };
  marked.set(schema, made);
  return made.schema;
}

function mark(value: Json, settings: ReadonlySet<string>): Json {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((one) => mark(one, settings));
  const copy = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mark(one, settings)]));
  const { needs } = value;
  // A field named "needs" has a schema there.
  if (!Array.isArray(value.enum) || needs === null || typeof needs !== "object" || Array.isArray(needs)) return copy;
  const unavailable = Object.keys(needs).filter((choice) => !settings.has(String(needs[choice])));
  return unavailable.length === 0 ? copy : { ...copy, unavailable };
}
