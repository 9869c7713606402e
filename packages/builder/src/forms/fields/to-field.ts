import type { FormHints, Json, WidgetName } from "@weft/schema";
import { toTitle } from "./to-title.ts";

const forms = new WeakMap<object, Field>();

/** The fields of a form, from the JSON Schema of its value. The same schema gives the same fields. */
export function toForm(schema: object): Field {
  const known = forms.get(schema);
  if (known) return known;
  const form = toField("", schema, true);
  forms.set(schema, form);
  return form;
}

function toField(name: string, schema: FormSchema, isRequired: boolean): Field {
  const variants = toVariants(schema);
  return {
    name,
    title: schema.title ?? toTitle(name),
    widget: widgetOf(schema, variants),
    schema,
    isRequired,
    fields: toFields(schema),
    ...(schema.items === undefined ? {} : { entry: toField("", schema.items, true) }),
    ...(variants === undefined ? {} : { variants }),
  };
}

function toFields(schema: FormSchema, without?: string): Field[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => name !== without)
    .map(([name, property]) => toField(name, property, required.has(name)));
}

/** Undefined unless each choice is an object with a constant of its own under the same name. */
function toVariants({ oneOf, anyOf }: FormSchema): Variants | undefined {
  const choices = oneOf ?? anyOf ?? [];
  const tag = Object.entries(choices[0]?.properties ?? {}).find(([, property]) => property.const !== undefined)?.[0];
  if (tag === undefined) return undefined;
  const kinds = choices.flatMap((choice) => {
    const value = choice.properties?.[tag]?.const;
    if (value === undefined) return [];
    return [{ value, title: choice.title ?? toTitle(String(value)), fields: toFields(choice, tag) }];
  });
  return kinds.length === choices.length ? { tag, kinds } : undefined;
}

function widgetOf(schema: FormSchema, variants: Variants | undefined): WidgetName {
  const { widget } = schema;
  if (widget !== undefined && Object.hasOwn(widgetNames, widget)) return widget;
  return variants === undefined ? widgetOfShape(schema) : "variants";
}

function widgetOfShape(schema: FormSchema): WidgetName {
  if (schema.enum !== undefined) return "select";
  switch (schema.type) {
    case "string":
      return "text";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    case "array":
      return widgetOfList(schema.items ?? {});
    case "object":
      return schema.properties === undefined ? "key-value" : "group";
    default:
      return isScalarWithText(schema) ? "text" : "json";
  }
}

function widgetOfList({ type, properties }: FormSchema): WidgetName {
  if (type === "object" && properties !== undefined) return "rows";
  return type === "string" ? "list" : "json";
}

/** A text field. Numbers and booleans written by other clients are accepted; typed input is a string. */
function isScalarWithText({ anyOf = [] }: FormSchema): boolean {
  const types = anyOf.map(({ type }) => type);
  return types.includes("string") && types.every((type) => type !== undefined && scalars.has(type));
}

const scalars = new Set(["string", "number", "integer", "boolean", "null"]);

/** The widgets of this builder. An unknown hint, of a newer server, falls back to the schema's shape. */
const widgetNames: Readonly<Record<WidgetName, true>> = {
  text: true,
  number: true,
  boolean: true,
  select: true,
  json: true,
  list: true,
  rows: true,
  "key-value": true,
  group: true,
  variants: true,
  textarea: true,
  javascript: true,
  file: true,
  cron: true,
  "time-zone": true,
  messages: true,
  conditions: true,
  "structured-output": true,
  parameters: true,
  "model-settings": true,
  "model-provider": true,
  model: true,
  credential: true,
  agent: true,
  "document-store": true,
  tool: true,
  tools: true,
  "custom-tool": true,
  "custom-tools": true,
  node: true,
  "port-id": true,
};

/** One field of a form with its nested fields. */
export type Field = {
  /** Property of the object that it belongs to; empty for a form and for the entries of a list. */
  readonly name: string;
  readonly title: string;
  readonly widget: WidgetName;
  readonly schema: FormSchema;
  /** Whether the object is invalid without it. */
  readonly isRequired: boolean;
  /** Of an object: its fields in order. */
  readonly fields: readonly Field[];
  /** Of a list: the field of each entry. */
  readonly entry?: Field;
  /** Of a value that is one of several types. */
  readonly variants?: Variants;
};

/** Object types distinguished by a constant in one property. */
export type Variants = { readonly tag: string; readonly kinds: readonly Variant[] };
export type Variant = { readonly value: Json; readonly title: string; readonly fields: readonly Field[] };

/** The part of JSON Schema (draft 2020-12) that forms are drawn from, with the hints of `.meta()`. */
type FormSchema = FormHints & {
  /** Values of the enum that cannot be chosen on this server. */
  unavailable?: readonly string[];
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
