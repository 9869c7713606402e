import type { Json, JsonObject } from "@weft/schema";
import { z } from "zod";

const formField = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(200)
    .refine((name) => name !== "__proto__", "is not a name that a field can have")
    .meta({ title: "Name", help: "Nodes read it as {{ $form.name }}." }),
  label: z.string().max(500).default("").meta({ title: "Label", help: "If empty, the name is shown." }),
  type: z
    .enum(["string", "number", "boolean", "options"])
    .default("string")
    .meta({
      title: "Type",
      labels: { string: "Text", number: "Number", boolean: "Yes or no", options: "Choice" },
    }),
  options: z
    .array(z.string().max(500))
    .max(500)
    .default([])
    .meta({ title: "Options", help: "The values to choose from.", showWhen: { field: "type", is: ["options"] } }),
  required: z.boolean().default(false).meta({ title: "Required" }),
  default: z
    .union([z.string().max(20_000), z.number(), z.boolean()])
    .optional()
    .meta({ title: "Default", help: "Used if no value is given." }),
});
type FormField = z.infer<typeof formField>;

/** The form that starts a run. */
export const formSettings = z
  .strictObject({
    title: z.string().max(500).default("").meta({ title: "Title" }),
    description: z.string().max(4_000).default("").meta({ title: "Description", widget: "textarea" }),
    fields: z
      .array(formField)
      .max(200)
      .default([])
      .meta({ title: "Fields", widget: "rows", item: "field", provides: "$form" }),
  })
  .meta({ title: "Form", showWhen: { field: "input", is: ["form"] } });
export type FormSettings = z.infer<typeof formSettings>;

/** The submitted values, with defaults; or the mistakes, each with its path in the body of a prediction. */
export type ReadForm = { ok: true; form: JsonObject } | { ok: false; errors: { path: string; message: string }[] };

/**
 * Reads submitted values. Numbers and booleans may be text, as HTML forms send them. Unknown fields are kept unchanged.
 */
export function readForm({ fields }: FormSettings, given: JsonObject | undefined): ReadForm {
  const form: JsonObject = { ...given };
  const errors: { path: string; message: string }[] = [];
  for (const field of fields) {
    const filled = Object.hasOwn(form, field.name) ? form[field.name] : undefined;
    const value = isBlank(filled) ? field.default : filled;
    const read = value === undefined ? undefined : readValue(field, value);
    if (read?.problem !== undefined) errors.push({ path: `form.${field.name}`, message: read.problem });
    else if (read) form[field.name] = read.value;
    else if (field.required) errors.push({ path: `form.${field.name}`, message: "Required." });
    else delete form[field.name];
  }
  return errors.length === 0 ? { ok: true, form } : { ok: false, errors };
}

/**
 * Values in a text with a line for each, such as `Name: Ada`, by the name or the label of a field; a line that names no
 * field continues the one before. Undefined for a text that names no field.
 */
export function readFormText({ fields }: FormSettings, text: string): JsonObject | undefined {
  const titles = new Map(fields.flatMap(({ name, label }) => [name, label].map((title) => [toTitle(title), name])));
  const found = new Map<string, string[]>();
  let current: string[] | undefined;
  for (const line of text.split("\n")) {
    const at = line.indexOf(":");
    const title = toTitle(line.slice(0, Math.max(0, at)));
    const name = title === "" ? undefined : titles.get(title);
    if (name === undefined) current?.push(line);
    else {
      current = [line.slice(at + 1)];
      found.set(name, current);
    }
  }
  if (found.size === 0) return undefined;
  return Object.fromEntries([...found].map(([name, lines]) => [name, lines.join("\n").trim()]));
}

function toTitle(text: string): string {
  return text.trim().toLowerCase();
}

type ReadValue = { value: Json; problem?: undefined } | { problem: string };

function readValue({ type, options }: FormField, value: Json): ReadValue {
  switch (type) {
    case "number":
      return readNumber(typeof value === "string" && value.trim() !== "" ? Number(value) : value);
    case "boolean":
      return readBoolean(value);
    case "options":
      if (typeof value === "string" && options.includes(value)) return { value };
      return { problem: `Must be one of: ${options.join(", ")}.` };
    case "string":
      return typeof value === "string" ? { value } : { problem: "Must be a text." };
  }
}

function readNumber(value: Json): ReadValue {
  return typeof value === "number" && Number.isFinite(value) ? { value } : { problem: "Must be a number." };
}

function readBoolean(value: Json): ReadValue {
  if (value === true || value === "true") return { value: true };
  if (value === false || value === "false") return { value: false };
  return { problem: "Must be true or false." };
}

function isBlank(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "";
}
