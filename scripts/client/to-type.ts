import type { JsonSchema } from "./json-schema.ts";

/** The TypeScript type of the values that a schema describes. Binary text is a `Blob`; what nothing is said about is `unknown`. */
export function toType(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return toTypeName(schema.$ref.split("/").at(-1) ?? "");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return [...new Set(alternatives.map(toType))].join(" | ");
  if (schema.allOf !== undefined) return schema.allOf.map((part) => inBrackets(toType(part))).join(" & ");
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  return types.length === 0 ? "unknown" : types.map((type) => toTypeOf(type, schema)).join(" | ");
}

/** A component's name as a type's name. */
export function toTypeName(component: string): string {
  return component.replaceAll(/[^A-Za-z0-9]/g, "");
}

/** Fields of an object type, one a line, with their descriptions. */
export function toFields(properties: Record<string, JsonSchema>, required: readonly string[]): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    ...toComment(schema.description),
    `${isIdentifier(name) ? name : JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${toType(schema)};`,
  ]);
}

/** A documentation comment, or nothing. */
export function toComment(text: string | undefined): string[] {
  return text === undefined ? [] : [`/** ${text.replaceAll("*/", "*\u200b/")} */`];
}

function toTypeOf(type: string, schema: JsonSchema): string {
  switch (type) {
    case "integer":
    case "number":
      return "number";
    case "boolean":
    case "null":
      return type;
    case "string":
      return schema.format === "binary" ? "Blob" : "string";
    case "array":
      return `${inBrackets(schema.items === undefined ? "unknown" : toType(schema.items))}[]`;
    case "object":
      return toObjectType(schema);
    default:
      throw new Error(`No type is known for the JSON Schema type ${type}.`);
  }
}

function toObjectType({ properties = {}, required = [], additionalProperties }: JsonSchema): string {
  const fields = toFields(properties, required);
  if (fields.length > 0) return `{\n${fields.join("\n")}\n}`;
  return `{ [key: string]: ${typeof additionalProperties === "object" ? toType(additionalProperties) : "unknown"} }`;
}

function inBrackets(type: string): string {
  return /[|&]/.test(type.replaceAll(/\{[\s\S]*\}|"[^"]*"/g, "")) ? `(${type})` : type;
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}
