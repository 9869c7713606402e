import type { JsonSchema } from "@weft/schema";
import fc from "fast-check";

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Nested deeper than this, values are plain. */
const maxDepth = 4;

/** Stands for the id of something that exists, of the kind that a field of that name holds; the number chooses which. */
function knownId(field: string): fc.Arbitrary<string> {
  return fc.nat(1_000).map((index) => `§${field}:${index}§`);
}

const idField = /^(id|chatflowid|chatflowId|agentId|chatId|sessionId|messageId|executionId)$/;

/** Values of a field or a parameter: where its name says so, ids of what exists. */
export function fromField(name: string, schema: JsonSchema, schemas: Schemas, depth = 0): fc.Arbitrary<unknown> {
  const made = fromSchema(schema, schemas, depth);
  return idField.test(name) ? fc.oneof({ weight: 3, arbitrary: knownId(name) }, made) : made;
}

/** Text of every kind that a client could send. */
export const anyText = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(
    "",
    " ",
    "null",
    "\u0000",
    "a\u0000b",
    "\ud800",
    "\udfff\ud800",
    "\u202e",
    "💥",
    "__proto__",
    "-1",
    "1e999",
  ),
  fc.constantFrom(
    "' OR 1=1 --",
    "../../etc/passwd",
    "{{ question }}",
    "<script>",
    "%00",
    "true",
    "2025-02-30T00:00:00Z",
  ),
);

/** Values that a schema describes, as far as JSON Schema can say it. */
export function fromSchema(schema: JsonSchema, schemas: Schemas, depth = 0): fc.Arbitrary<unknown> {
  const { $ref, examples, anyOf, oneOf } = schema as { $ref?: string; examples?: unknown[] } & Record<string, unknown>;
  if ($ref?.endsWith("/Json") || depth > maxDepth) return fc.jsonValue({ maxDepth: 2 });
  if ($ref !== undefined) return fromSchema(schemas[$ref.split("/").at(-1) ?? ""] ?? {}, schemas, depth + 1);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const options = (anyOf ?? oneOf) as JsonSchema[] | undefined;
  const made = options
    ? fc.oneof(...options.map((option) => fromSchema(option, schemas, depth)))
    : fromType(schema, schemas, depth);
  if (examples === undefined) return made;
  // A field's example is often the only text that fits; that of an object would hide its fields.
  const isObject = schema.type === "object";
  const example = { weight: isObject ? 1 : 3, arbitrary: fc.constantFrom(...examples) };
  return fc.oneof(example, { weight: isObject ? 3 : 1, arbitrary: made });
}

function fromType(schema: JsonSchema, schemas: Schemas, depth: number): fc.Arbitrary<unknown> {
  const types = [schema.type].flat().filter((type) => type !== undefined);
  if (types.length > 1) return fc.oneof(...types.map((type) => fromType({ ...schema, type }, schemas, depth)));
  switch (types[0]) {
    case "string":
      return fromText(schema);
    case "integer":
      return fc.integer(toRange(schema));
    case "number":
      return fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(fromSchema((schema.items ?? {}) as JsonSchema, schemas, depth + 1), {
        minLength: typeof schema.minItems === "number" ? schema.minItems : 0,
        maxLength: 4,
      });
    case "object":
      return fromFields(schema, schemas, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function fromText({ format, pattern, minLength = 0, maxLength = 40 }: JsonSchema): fc.Arbitrary<string> {
  if (format === "uuid") return fc.oneof({ weight: 3, arbitrary: knownId("id") }, fc.uuid());
  if (format === "date-time") {
    return fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString());
  }
  if (typeof pattern === "string") return fc.stringMatching(new RegExp(pattern));
  return fc.string({
    minLength: Number(minLength),
    maxLength: Math.max(Number(minLength), Math.min(Number(maxLength), 40)),
  });
}

function toRange({ minimum, maximum, exclusiveMinimum }: JsonSchema): { min: number; max: number } {
  const least = typeof exclusiveMinimum === "number" ? exclusiveMinimum + 1 : -10;
  const min = Math.max(typeof minimum === "number" ? minimum : least, -10);
  return { min, max: Math.min(typeof maximum === "number" ? maximum : 1e3, min + 1e3) };
}

function fromFields(schema: JsonSchema, schemas: Schemas, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  if (properties.length === 0) {
    const values = typeof schema.additionalProperties === "object" ? (schema.additionalProperties as JsonSchema) : {};
    return fc.dictionary(fc.string({ maxLength: 10 }), fromSchema(values, schemas, depth + 1), { maxKeys: 3 });
  }
  const fields = properties.map(([name, field]) => [name, fromField(name, field, schemas, depth + 1)] as const);
  const required = (schema.required ?? []) as string[];
  const optional = properties.map(([name]) => name).filter((name) => !required.includes(name));
  const all: fc.Arbitrary<object> = fc.record(Object.fromEntries(fields));
  return fc.tuple(all, fc.subarray(optional, { maxLength: Math.min(optional.length, 3) })).map(([value, chosen]) => {
    const isThere = ([name]: [string, unknown]) => required.includes(name) || chosen.includes(name);
    return Object.fromEntries(Object.entries(value).filter(isThere));
  });
}
