import type { FormHints, Json, WidgetName } from "@weft/schema";

/** One field of a form with its nested fields. */
export type Field = {
  /** Property of the object that it belongs to; empty for a form and for the entries of a list. */
  readonly name: string;
  readonly title: string;
  readonly widget: WidgetName;
  readonly schema: FormSchema;
  /** Whether its object is refused without it. */
  readonly isRequired: boolean;
  /** Of an object, its fields in their order. */
  readonly fields: readonly Field[];
  /** Of a list, what each entry is. */
  readonly entry?: Field;
  /** Of a value that is one of several kinds. */
  readonly variants?: Variants;
};

/** Kinds of an object that differ by the constant in one property. */
export type Variants = { readonly tag: string; readonly kinds: readonly Variant[] };
export type Variant = { readonly value: Json; readonly title: string; readonly fields: readonly Field[] };

/** The part of JSON Schema (draft 2020-12) that forms are drawn from, with the hints of `.meta()`. */
export type FormSchema = FormHints & {
  title?: string;
  type?: string;
  enum?: readonly Json[];
  const?: Json;
  default?: Json;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Readonly<Record<string, FormSchema>>;
  required?: readonly string[];
  items?: FormSchema;
  anyOf?: readonly FormSchema[];
  oneOf?: readonly FormSchema[];
};
