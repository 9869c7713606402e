import { type Json, type JsonObject, type JsonSchema, toJsonList, toJsonObject, toMoment } from "@weft/schema";
import { z } from "zod";

/** Converts zod schemas to JSON Schema; those with an id become shared components. */
export type ComponentSchemas = {
  /** As a client sends it. */
  input(schema: z.ZodType): JsonObject;
  /** As a client receives it. */
  output(schema: z.ZodType): JsonObject;
  /** The fields of an object that a client sends as parameters. */
  fields(schema: z.ZodType): { properties: Record<string, JsonObject>; required: string[] };
  /** The components so far, sorted by name. Throws if a name stands for two different schemas. */
  all(): Record<string, JsonObject>;
};

type Direction = "input" | "output";
type Converted = JsonObject & { properties?: Record<string, JsonObject>; required?: string[] };

export function createComponentSchemas(): ComponentSchemas {
  const components = new Map<string, JsonObject>();

  function convert(schema: z.ZodType, io: Direction): Converted {
    const {
      $defs,
      $schema: _,
      ...converted
    } = z.toJSONSchema(schema, { io, unrepresentable: "any", override: complete });
    for (const [name, definition] of Object.entries(withComponentRefs($defs ?? {}) as Record<string, JsonObject>)) {
      add(components, name, definition);
    }
    return withComponentRefs(converted) as Converted;
  }

  /** Inside a wrapper, a schema with an id is extracted too. */
  function convertNamed(schema: z.ZodType, io: Direction): JsonObject {
    return convert(z.object({ value: schema }), io).properties?.value ?? {};
  }

  return {
    input: (schema) => convertNamed(schema, "input"),
    output: (schema) => convertNamed(schema, "output"),
    fields(schema) {
      const { properties = {}, required = [] } = convert(schema, "input");
      return { properties, required };
    },
    all: () => Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/**
 * Answers may gain fields: only schemas that declare it are closed. Examples show what clients send and receive;
 * without this step they would be missing where a schema transforms its input.
 */
function complete({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) {
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (Array.isArray(examples)) jsonSchema.examples = examples;
  const isOpen = zodSchema._zod.def.type === "object" && zodSchema._zod.def.catchall === undefined;
  if (isOpen && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}

function add(components: Map<string, JsonObject>, name: string, { id: _, ...definition }: JsonObject): void {
  const known = components.get(name);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition)) {
    throw new Error(`The schema ${name} has two shapes: give what clients send and what they receive different ids.`);
  }
  components.set(name, definition);
}

function withComponentRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withComponentRefs);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === "$ref" && typeof item === "string"
        ? item.replace("#/$defs/", "#/components/schemas/")
        : withComponentRefs(item),
    ]),
  );
}

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
  const { $ref, examples, anyOf, oneOf } = schema;
  if (typeof $ref === "string") return toExample(components[$ref.split("/").at(-1) ?? ""] ?? {}, components, depth);
  if (Array.isArray(examples) && examples[0] !== undefined) return examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  const [first] = toJsonList(anyOf ?? oneOf);
  if (first !== undefined) return toExample(toJsonObject(first), components, depth);
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
      return depth > maxDepth ? [] : [toExample(toJsonObject(schema.items), components, depth + 1)];
    case "object":
      return toExampleOfObject(schema, components, depth);
    default:
      return null;
  }
}

function toExampleOfObject(schema: JsonSchema, components: Components, depth: number): Json {
  const properties = Object.entries(toJsonObject(schema.properties)).map(
    ([name, field]) => [name, toJsonObject(field)] as const,
  );
  const required = toJsonList(schema.required);
  const isShown = (name: string, field: JsonSchema) => name !== "id" && depth < maxDepth && !isNullable(field);
  const named = properties.filter(([name, field]) => required.includes(name) || isShown(name, field));
  return Object.fromEntries(named.map(([name, field]) => [name, toExample(field, components, depth + 1)]));
}

function isNullable({ type, anyOf = [] }: JsonSchema): boolean {
  return [type].flat().includes("null") || toJsonList(anyOf).some((option) => toJsonObject(option).type === "null");
}
