import { type Json, toJsonList, toJsonObject } from "@weft/schema";
import { formStrings } from "../../strings.ts";
import type { Field } from "./to-field.ts";
import { isShown } from "./values.ts";

/** A problem at a path of a form's value. `path` is dotted; empty for the whole value. */
export type FieldProblem = { path: string; message: string };

/** Schema violations of a value, as far as a form can detect them; the server checks the rest. */
export function fieldProblems(field: Field, value: Json | undefined, path = ""): FieldProblem[] {
  if (value === undefined) return field.isRequired ? [{ path, message: formStrings.required }] : [];
  const own = problemOf(field, value);
  if (own !== undefined) return [{ path, message: own }];
  if (field.variants) return variantProblems(field, value, path);
  if (Array.isArray(value)) return entryProblems(field, value, path);
  return propertyProblems(field.fields, value, path);
}

function entryProblems({ entry }: Field, list: readonly Json[], path: string): FieldProblem[] {
  if (entry === undefined) return [];
  return list.flatMap((item, index) => fieldProblems(entry, item, joinPath(path, String(index))));
}

function variantProblems({ variants }: Field, value: Json, path: string): FieldProblem[] {
  const object = toJsonObject(value);
  const kind = variants?.kinds.find((one) => one.value === object[variants.tag]);
  return propertyProblems(kind?.fields ?? [], value, path);
}

function propertyProblems(fields: readonly Field[], value: Json, path: string): FieldProblem[] {
  if (fields.length === 0 || Array.isArray(value)) return [];
  const object = toJsonObject(value);
  return fields
    .filter((field) => isShown(field, fields, object))
    .flatMap((field) => fieldProblems(field, object[field.name], joinPath(path, field.name)));
}

export function joinPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function problemOf(field: Field, value: Json): string | undefined {
  if (typeof value === "string") return textProblem(field, value);
  if (typeof value === "number") return numberProblem(field, value);
  if (Array.isArray(value)) return listProblem(field, toJsonList(value));
  return undefined;
}

function textProblem({ schema }: Field, text: string): string | undefined {
  const { minLength = 0, maxLength, pattern, format, template, type } = schema;
  if (schema.enum !== undefined && !schema.enum.includes(text)) return formStrings.notAChoice;
  if (type !== "string") return undefined;
  if (text.length < minLength) return text === "" ? formStrings.required : formStrings.tooShort({ min: minLength });
  if (maxLength !== undefined && text.length > maxLength) return formStrings.tooLong({ max: maxLength });
  // The value of a template is unknown until it runs, so it is not checked.
  if (template && text.includes("{{")) return undefined;
  if (format === "uri" && !URL.canParse(text)) return formStrings.notAnAddress;
  if (format !== undefined || pattern === undefined || fitsPattern(pattern, text)) return undefined;
  return text === "" ? formStrings.required : formStrings.unfit;
}

function numberProblem({ schema, widget }: Field, value: number): string | undefined {
  const { minimum, maximum, type } = schema;
  if (widget !== "number") return undefined;
  if (type === "integer" && !Number.isInteger(value)) return formStrings.notWhole;
  if (minimum !== undefined && value < minimum) return formStrings.tooSmall({ min: minimum });
  if (maximum !== undefined && value > maximum) return formStrings.tooLarge({ max: maximum });
  return undefined;
}

function listProblem({ schema }: Field, list: readonly Json[]): string | undefined {
  const { minItems = 0, maxItems } = schema;
  if (list.length < minItems) return formStrings.tooFew({ min: minItems });
  if (maxItems !== undefined && list.length > maxItems) return formStrings.tooMany({ max: maxItems });
  return undefined;
}

function fitsPattern(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true;
  }
}

/** Problems by location. */
export type ProblemIndex = {
  /** The messages for exactly this location. */
  at(path: string): readonly string[];
  /** Number of problems at this location and inside it. */
  count(path: string): number;
};

export function createProblemIndex(problems: readonly FieldProblem[]): ProblemIndex {
  const byPath = new Map<string, string[]>();
  const counts = new Map<string, number>();
  for (const { path, message } of problems) {
    const known = byPath.get(path);
    if (known?.includes(message)) continue;
    byPath.set(path, [...(known ?? []), message]);
    for (const place of placesOf(path)) counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return { at: (path) => byPath.get(path) ?? [], count: (path) => counts.get(path) ?? 0 };
}

/** `a.b` is in ``, `a` and `a.b`. */
function placesOf(path: string): string[] {
  const names = path === "" ? [] : path.split(".");
  return ["", ...names.map((_, index) => names.slice(0, index + 1).join("."))];
}

/** Without those that only say that a field is empty which nobody asks for yet. */
export function askedProblems(
  problems: readonly FieldProblem[],
  isAsked: (path: string) => boolean = () => true,
): FieldProblem[] {
  return problems.filter(({ path, message }) => message !== formStrings.required || isAsked(path));
}

/**
 * The problems of a field as they are said below it: without its name, which stands above, and without a plain
 * "Required." where another says what is asked for.
 */
export function saidAtField(messages: readonly string[], { name, title }: Field): string[] {
  const plain = messages.map((message) => {
    const prefix = [`${title}: `, `${name}: `].find((one) => message.startsWith(one)) ?? "";
    return message.slice(prefix.length);
  });
  const others = plain.filter((message) => message !== formStrings.required);
  return others.length > 0 ? others : plain;
}
