import type { Json, JsonObject, JsonSchema } from "@weft/schema";
import { renameReferences } from "./template-references.ts";

type FieldSchema = {
  widget?: string;
  properties?: Record<string, FieldSchema>;
  items?: FieldSchema;
};

/**
 * A config in which ids of nodes became others: in the templates of its texts, and in fields whose schema says that
 * they hold the id of a node.
 */
export function renameInConfig(
  config: JsonObject,
  schema: JsonSchema | undefined,
  ids: ReadonlyMap<string, string>,
): JsonObject {
  return rename(config, (schema ?? {}) as FieldSchema, ids) as JsonObject;
}

function rename(value: Json, schema: FieldSchema, ids: ReadonlyMap<string, string>): Json {
  if (typeof value === "string") {
    return schema.widget === "node" ? (ids.get(value) ?? value) : renameReferences(value, ids);
  }
  if (Array.isArray(value)) return value.map((item) => rename(item, schema.items ?? {}, ids));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, rename(item, schema.properties?.[key] ?? {}, ids)]),
  );
}
