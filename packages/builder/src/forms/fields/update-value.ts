import type { Json, JsonObject } from "@weft/schema";
import type { Field } from "./field.ts";
import { initialValue } from "./initial-value.ts";

/** An object's value for its fields; anything else counts as an empty object. */
export function asObject(value: Json | undefined): JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
}

/** A list's value for its entries; anything else counts as an empty list. */
export function asList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The value of a field, or its default while it is not set. */
export function shownValue(field: Field, value: Json | undefined): Json | undefined {
  return value === undefined ? field.schema.default : value;
}

/** The object with one property changed; undefined removes it. Keeps the order of the others. */
export function withProperty(object: JsonObject, name: string, value: Json | undefined): JsonObject {
  if (value !== undefined) return { ...object, [name]: value };
  const { [name]: _removed, ...rest } = object;
  return rest;
}

/** An object that was not set becomes what its field begins with, and then has the change. */
export function withFieldOf(group: Field, value: Json | undefined, change: { name: string; value: Json | undefined }) {
  const object = value === undefined ? asObject(initialValue(group)) : asObject(value);
  return withProperty(object, change.name, change.value);
}

/**
 * The value for typed text. Empty text in an optional field means no value, unless that would restore a non-empty
 * default.
 */
export function fromText({ schema, isRequired }: Field, text: string): string | undefined {
  if (text !== "" || isRequired) return text;
  const mayBeEmpty = (schema.minLength ?? 0) === 0;
  const hasDefault = schema.default !== undefined && schema.default !== "";
  return mayBeEmpty && hasDefault ? "" : undefined;
}

/** Whether a field's hint shows it beside these values of its object. */
export function isShown({ schema }: Field, siblings: readonly Field[], object: JsonObject): boolean {
  if (schema.hidden) return false;
  const { showWhen } = schema;
  if (showWhen === undefined) return true;
  const other = siblings.find(({ name }) => name === showWhen.field);
  const value = other === undefined ? object[showWhen.field] : shownValue(other, object[other.name]);
  return showWhen.is.some((one) => one === (value ?? null));
}

/** Moves an entry of a list; returns the list unchanged if the target does not exist. */
export function moved<Entry>(list: readonly Entry[], from: number, to: number): Entry[] {
  const entry = list[from];
  if (entry === undefined || to < 0 || to >= list.length) return [...list];
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(to, 0, entry);
}

/** A copy of an entry, for its list: what must be unlike in each entry is new. */
export function copied(entry: Field, value: Json, createId: () => string): Json {
  const copy = structuredClone(value);
  if (copy === null || typeof copy !== "object" || Array.isArray(copy)) return copy;
  for (const field of entry.fields) if (field.widget === "port-id") copy[field.name] = createId();
  return copy;
}
