import type { Json, JsonObject } from "@weft/schema";
import type { Field, Variant, Variants } from "./field.ts";

/** Makes an id that no entry of the list had before, so that no edge of a removed entry finds the new one. */
export type CreateId = () => string;

/** Five random letters and digits. */
export const createRandomId: CreateId = () => `p_${Math.random().toString(36).slice(2, 7).padEnd(5, "0")}`;

/**
 * The minimal value for a field's schema: its default, else an empty value with only the required properties. Texts
 * that must not be empty start empty, for the user to fill in.
 */
export function initialValue(field: Field, createId: CreateId = createRandomId): Json {
  const { schema, widget } = field;
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

/** An object of one kind. What `from` has under the same names, as another kind of the same value, is kept. */
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
  return Object.fromEntries(
    fields.filter(({ isRequired }) => isRequired).map((field) => [field.name, initialValue(field, createId)]),
  );
}
