import { type Json, type JsonObject, type JsonSchema, toMoment } from "@weft/schema";

/** Example values by format, for schemas without examples. */
const formats: Record<string, string> = {
  uuid: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
  "date-time": toMoment(Date.UTC(2025, 0, 31, 12)),
  email: "ada@example.com",
  uri: "https://example.com",
};

/** Beyond this nesting, optional parts are left empty. */
const maxDepth = 8;

const eventStream = `id:3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f:2.5
message:
data:{"event":"token","data":"Hello"}

`;

/** A body of any type has no schema. */
type Content = Record<string, { schema?: JsonSchema; example?: Json }>;
type Operation = { requestBody?: { content?: Content }; responses: Record<string, { content?: Content }> };
type Components = Readonly<Record<string, JsonSchema>>;

/** Adds an example to every schema of a body or an answer that lacks one. Files, and forms with files, get none. */
export function addExamples(paths: JsonObject, components: Components): void {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods as Record<string, Operation>));
  const parts = operations.flatMap(({ requestBody = {}, responses }) => [requestBody, ...Object.values(responses)]);
  for (const [type, media] of parts.flatMap(({ content = {} }) => Object.entries(content))) {
    if (media.schema === undefined || media.example !== undefined) continue;
    if (type === "multipart/form-data" || media.schema.format === "binary") continue;
    media.example = type === "text/event-stream" ? eventStream : toExample(media.schema, components);
  }
}

/**
 * A value that fits a schema: its own `examples`, else one built from its parts. Optional fields are included unless
 * they are nullable or the id; of alternatives the first is taken. `components` are the schemas that references name.
 */
export function toExample(schema: JsonSchema, components: Components, depth = 0): Json {
  const { $ref, examples, anyOf, oneOf } = schema as { $ref?: string; [keyword: string]: unknown };
  if ($ref !== undefined) return toExample(components[$ref.split("/").at(-1) ?? ""] ?? {}, components, depth);
  if (Array.isArray(examples) && examples.length > 0) return examples[0] as Json;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0] as Json;
  const [first] = (anyOf ?? oneOf ?? []) as JsonSchema[];
  if (first !== undefined) return toExample(first, components, depth);
  return toExampleOfType(schema, components, depth);
}

function toExampleOfType(schema: JsonSchema, components: Components, depth: number): Json {
  switch ([schema.type].flat()[0]) {
    case "string":
      return formats[String(schema.format)] ?? "text";
    case "integer":
    case "number":
      return typeof schema.minimum === "number" && schema.minimum > 1 ? schema.minimum : 1;
    case "boolean":
      return true;
    case "array":
      return depth > maxDepth ? [] : [toExample((schema.items ?? {}) as JsonSchema, components, depth + 1)];
    case "object":
      return toExampleOfObject(schema, components, depth);
    default:
      return null;
  }
}

function toExampleOfObject(schema: JsonSchema, components: Components, depth: number): Json {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = (schema.required ?? []) as string[];
  const isShown = (name: string, field: JsonSchema) => name !== "id" && depth < maxDepth && !isNullable(field);
  const named = properties.filter(([name, field]) => required.includes(name) || isShown(name, field));
  return Object.fromEntries(named.map(([name, field]) => [name, toExample(field, components, depth + 1)]));
}

function isNullable({ type, anyOf = [] }: JsonSchema): boolean {
  return [type].flat().includes("null") || (anyOf as JsonSchema[]).some((option) => option.type === "null");
}
