import type { Json, JsonSchema } from "@weft/schema";
import type { Program } from "./find-program.ts";
import type { Expression, Field } from "./syntax/index.ts";
import { itemsIn, jsonIn, settingsOf, type Value } from "./values.ts";

/** Deeper schemas are cut off: models refuse them anyway. */
const maxDepth = 20;

/** The JSON Schema of what an agent answers with, made of zod or pydantic. `undefined`: text, or nothing known. */
export function toSchema(value: Value | undefined, program: Program): JsonSchema | undefined {
  if (value?.kind === "class") {
    // A class without fields says nothing of the answer.
    const isEmpty = value.statement.fields.length === 0;
    return isEmpty ? undefined : classSchema(value.statement.fields, program, 0);
  }
  if (value?.kind === "call" && value.name === "AgentOutputSchema") return toSchema(value.args[0], program);
  if (value?.kind === "object") return jsonSchemaIn(value);
  return value?.kind === "call" ? zodSchema(value, 0).schema : undefined;
}

/** `{ type: "json_schema", schema: … }`, or a JSON Schema itself. */
function jsonSchemaIn(value: Value & { kind: "object" }): JsonSchema | undefined {
  const inner = value.fields.get("schema") ?? value;
  const data = jsonIn(inner);
  return typeof data === "object" && data !== null && !Array.isArray(data) && Object.keys(data).length > 0
    ? data
    : undefined;
}

type Read = { schema: JsonSchema; isOptional: boolean };

/** A chain of zod calls, from its last one inwards. */
function zodSchema(value: Value | undefined, depth: number): Read {
  if (value?.kind !== "call" || depth > maxDepth) return { schema: {}, isOptional: false };
  const isStart = value.object === undefined || value.object.kind !== "call";
  if (isStart) return { schema: zodType(value, depth), isOptional: value.name === "optional" };
  const inner = zodSchema(value.object, depth + 1);
  return { schema: refined(inner.schema, value), isOptional: inner.isOptional || isOptional(value.name) };
}

const isOptional = (name: string) => name === "optional" || name === "nullish" || name === "default";

function refined(schema: JsonSchema, { name, args }: Value & { kind: "call" }): JsonSchema {
  const [first] = args;
  const given = first && jsonIn(first);
  switch (name) {
    case "nullable":
    case "nullish":
      return orNull(schema);
    case "describe":
      return typeof given === "string" ? { ...schema, description: given } : schema;
    case "int":
      return { ...schema, type: "integer" };
    case "array":
      return { type: "array", items: schema };
    case "min":
    case "max":
      return typeof given === "number" ? { ...schema, ...bound(schema, name, given) } : schema;
    default:
      return schema;
  }
}

function bound({ type }: JsonSchema, name: "min" | "max", value: number): JsonSchema {
  if (type === "string") return { [`${name}Length`]: value };
  if (type === "array") return { [`${name}Items`]: value };
  return { [name === "min" ? "minimum" : "maximum"]: value };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (typeof type !== "string") return { anyOf: [schema, { type: "null" }] };
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, type: [type, "null"], ...values };
}

const plainTypes: Readonly<Record<string, JsonSchema>> = {
  string: { type: "string" },
  email: { type: "string" },
  url: { type: "string" },
  uuid: { type: "string" },
  date: { type: "string" },
  number: { type: "number" },
  integer: { type: "integer" },
  int: { type: "integer" },
  bigint: { type: "integer" },
  boolean: { type: "boolean" },
  null: { type: "null" },
};

function zodType(value: Value & { kind: "call" }, depth: number): JsonSchema {
  const { name, args } = value;
  const [first, second] = args;
  const inner = (one: Value | undefined) => zodSchema(one, depth + 1).schema;
  switch (name) {
    case "object":
    case "strictObject":
    case "looseObject":
      return objectSchema([...settingsOf(first)].map(([key, field]) => [key, zodSchema(field, depth + 1)]));
    case "array":
      return { type: "array", items: inner(first) };
    case "enum":
    case "literal":
    case "nativeEnum":
      return enumSchema(first);
    case "union":
    case "discriminatedUnion":
      return { anyOf: itemsIn(second ?? first).map(inner) };
    case "record":
      return { type: "object", additionalProperties: inner(second ?? first) };
    case "optional":
      return inner(first);
    case "nullable":
      return orNull(inner(first));
    default:
      return Object.hasOwn(plainTypes, name) ? { ...plainTypes[name] } : {};
  }
}

function enumSchema(value: Value | undefined): JsonSchema {
  const data = value?.kind === "object" ? [...value.fields.values()].map(jsonIn) : [value && jsonIn(value)].flat();
  const values = data.filter((item): item is Json => item !== undefined);
  return values.every((item) => typeof item === "string") ? { type: "string", enum: values } : { enum: values };
}

function objectSchema(fields: readonly (readonly [string, Read])[]): JsonSchema {
  const properties = Object.fromEntries(fields.map(([key, { schema }]) => [key, schema]));
  const required = fields.filter(([, { isOptional }]) => !isOptional).map(([key]) => key);
  return { type: "object", properties, required, additionalProperties: false };
}

function classSchema(fields: readonly Field[], program: Program, depth: number): JsonSchema {
  const read = fields
    .filter(({ name, type }) => type !== undefined && name !== "model_config")
    .map((field) => [field.name, fieldSchema(field, program, depth + 1)] as const);
  return objectSchema(read);
}

function fieldSchema({ type, value }: Field, program: Program, depth: number): Read {
  const schema = typeSchema(type, program, depth);
  const isField = value?.kind === "call";
  const description = isField ? textOf(value.named.get("description")) : undefined;
  const initial = isField ? (value.args[0] ?? value.named.get("default") ?? value.named.get("default_factory")) : value;
  const hasInitial = initial !== undefined && !(initial.kind === "unknown" && initial.source.startsWith("..."));
  return { schema: description === undefined ? schema : { ...schema, description }, isOptional: hasInitial };
}

function textOf(expression: Expression | undefined): string | undefined {
  return expression?.kind === "literal" && typeof expression.value === "string" ? expression.value : undefined;
}

const pythonTypes: Readonly<Record<string, JsonSchema>> = {
  str: { type: "string" },
  int: { type: "integer" },
  integer: { type: "integer" },
  float: { type: "number" },
  bool: { type: "boolean" },
  dict: { type: "object" },
  Dict: { type: "object" },
  list: { type: "array", items: {} },
  List: { type: "array", items: {} },
};

/** A type annotation of Python. One that is not known allows everything. */
function typeSchema(type: Expression | undefined, program: Program, depth = 0): JsonSchema {
  if (!type || depth > maxDepth) return {};
  if (type.kind === "name") {
    const known = program.classes.get(type.name);
    if (known) return namedClass(known, program, depth);
    return Object.hasOwn(pythonTypes, type.name) ? { ...pythonTypes[type.name] } : {};
  }
  if (type.kind === "operation" && type.operator === "or") return union(type.args, program, depth);
  if (type.kind === "member" && type.object.kind === "name") {
    const inner = type.property.kind === "list" ? type.property.items : [type.property];
    return generic(type.object.name, inner, { program, depth });
  }
  return {};
}

function namedClass(
  { bases, fields }: { bases: readonly string[]; fields: readonly Field[] },
  program: Program,
  depth: number,
): JsonSchema {
  if (!bases.some((base) => /Enum$/.test(base))) return classSchema(fields, program, depth);
  return { type: "string", enum: fields.flatMap(({ value }) => textOf(value) ?? []) };
}

function generic(name: string, inner: readonly Expression[], { program, depth }: { program: Program; depth: number }) {
  const [first, second] = inner;
  switch (name) {
    case "Optional":
      return orNull(typeSchema(first, program, depth + 1));
    case "List":
    case "list":
    case "Sequence":
    case "Set":
    case "set":
      return { type: "array", items: typeSchema(first, program, depth + 1) };
    case "Dict":
    case "dict":
      return { type: "object", additionalProperties: typeSchema(second, program, depth + 1) };
    case "Literal":
      return enumSchema({
        kind: "list",
        items: inner.flatMap((one) => (one.kind === "literal" ? [{ kind: "literal", value: one.value } as const] : [])),
      });
    case "Union":
      return union(inner, program, depth);
    case "Annotated":
      return typeSchema(first, program, depth + 1);
    default:
      return {};
  }
}

function union(types: readonly Expression[], program: Program, depth: number): JsonSchema {
  const rest = types.filter((type) => !(type.kind === "literal" && type.value === null));
  const schemas = rest.map((type) => typeSchema(type, program, depth + 1));
  const [only] = schemas;
  const joined = schemas.length === 1 && only ? only : { anyOf: schemas };
  return rest.length < types.length ? orNull(joined) : joined;
}
