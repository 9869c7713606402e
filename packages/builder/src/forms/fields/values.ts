import { type Json, type JsonObject, toJsonObject } from "@weft/schema";
import type { Field, Variant, Variants } from "./to-field.ts";

/** The value of a field, or its default if unset. */
export function shownValue(field: Field, value: Json | undefined): Json | undefined {
  return value === undefined ? field.schema.default : value;
}

/** The object with one property changed; undefined removes it. Keeps the order of the others. */
export function withProperty(object: JsonObject, name: string, value: Json | undefined): JsonObject {
  if (value !== undefined) return { ...object, [name]: value };
  const { [name]: _removed, ...rest } = object;
  return rest;
}

/** Applies the change to an object, which starts with its field's initial value if unset. */
export function withFieldOf(group: Field, value: Json | undefined, change: { name: string; value: Json | undefined }) {
  const object = value === undefined ? toJsonObject(initialValue(group)) : toJsonObject(value);
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

/** A copy of an entry, for its list: ids are new. */
export function copied(entry: Field, value: Json, createId: () => string): Json {
  const copy = structuredClone(value);
  if (copy === null || typeof copy !== "object" || Array.isArray(copy)) return copy;
  for (const field of entry.fields) if (field.widget === "port-id") copy[field.name] = createId();
  return copy;
}

/** Creates an id that no entry of the list has ever had, so that no edge of a removed entry attaches to the new one. */
type CreateId = () => string;

/** Five random letters and digits. */
export const createRandomId: CreateId = () => `p_${Math.random().toString(36).slice(2, 7).padEnd(5, "0")}`;

/**
 * The value that a new field begins with: what its schema says, else an empty value with only the required properties. Texts
 * that must not be empty start empty, for the user to fill in.
 */
export function initialValue(field: Field, createId: CreateId = createRandomId): Json {
  const { schema, widget } = field;
  if (schema.initial !== undefined) return structuredClone(schema.initial);
  if (schema.default !== undefined) return structuredClone(schema.default);
  if (schema.const !== undefined) return schema.const;
  if (widget === "port-id") return createId();
  if (field.variants) return initialVariant(field.variants, field.variants.kinds[0], createId);
  switch (schema.type) {
    case "number":
    case "integer":
      return schema.minimum ?? 0;
    case "boolean":
      return false;
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, () => initialEntry(field, createId));
    case "object":
      return requiredValues(field.fields, createId);
    default:
      return schema.enum?.[0] ?? "";
  }
}

/** A new entry of a list. */
export function initialEntry({ entry }: Field, createId: CreateId = createRandomId): Json {
  return entry === undefined ? null : initialValue(entry, createId);
}

/** An object of one type. Keeps properties of `from`, another type of the same value, with the same names. */
export function initialVariant(
  { tag }: Variants,
  kind: Variant | undefined,
  createId: CreateId = createRandomId,
  from: JsonObject = {},
): JsonObject {
  const fields = kind?.fields ?? [];
  const kept = Object.entries(from).filter(([name, value]) => fields.some((field) => takes(field, name, value)));
  return { [tag]: kind?.value ?? null, ...requiredValues(fields, createId), ...Object.fromEntries(kept) };
}

function takes({ name, schema }: Field, given: string, value: Json): boolean {
  return name === given && (schema.enum === undefined || schema.enum.includes(value));
}

function requiredValues(fields: readonly Field[], createId: CreateId): JsonObject {
  const given = fields.filter(({ isRequired, schema }) => isRequired || schema.initial !== undefined);
  return {
    ...Object.fromEntries(given.map((field) => [field.name, initialValue(field, createId)])),
    ...ownTimeZone(fields),
  };
}

/** A new schedule runs on the clock of its author. Stored ones without a time zone keep the default of their schema. */
function ownTimeZone(fields: readonly Field[]): JsonObject {
  const zone = fields.find(({ widget }) => widget === "time-zone");
  const isSchedule = fields.some(({ widget }) => widget === "cron");
  return zone && isSchedule ? { [zone.name]: Intl.DateTimeFormat().resolvedOptions().timeZone } : {};
}
