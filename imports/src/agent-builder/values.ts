import type { Json, JsonSchema } from "@weft/schema";
import type { Expression, Operator, Statement } from "./syntax/index.ts";

/** What an expression of the program stands for in the flow. Nothing is computed: an operation is kept as one. */
export type Value =
  | { kind: "literal"; value: Json }
  /** A native path, such as `$flow.state.topic` or `writer.output.title`. */
  | { kind: "path"; path: string; schema?: JsonSchema | undefined }
  | { kind: "text"; parts: (string | Value)[] }
  | { kind: "object"; fields: Map<string, Value> }
  | { kind: "list"; items: Value[] }
  | { kind: "spread"; value: Value }
  | { kind: "operation"; operator: Operator | NamedOperation; args: Value[] }
  | { kind: "pattern"; source: string; flags: string }
  /** What the run of an agent gives back. `nodeIds`: the nodes that may have answered. */
  | { kind: "run"; nodeIds: string[]; text: Value; data: Value }
  /** The new messages of a run. */
  | { kind: "messages"; of: string[] }
  /** The list of messages that agents share. */
  | { kind: "history"; first: Value[] }
  | { kind: "state"; prefix: string }
  /** What the workflow is called with. */
  | { kind: "input" }
  | { kind: "category"; nodeId: string; ids: ReadonlyMap<string, string> }
  | { kind: "approval"; message: Value; isPositive: boolean }
  /** A variable in an environment of the server. */
  | { kind: "environment"; name: string }
  /** A call that is a definition: an agent, a tool, a schema. */
  | { kind: "call"; name: string; object?: Value | undefined; args: Value[]; fields: Map<string, Value>; line: number }
  | { kind: "class"; statement: Statement & { kind: "class" } }
  | { kind: "function"; name: string; value: Expression & { kind: "function" }; definition?: Definition; scope: Scope }
  /** Different values on different ways. */
  | { kind: "different"; name: string }
  /** A client, a runner, a logger: nothing that a flow needs. */
  | { kind: "plumbing" }
  | { kind: "unknown"; line: number };

export type Definition = Statement & { kind: "function" };

/** Operations that programs write as calls. */
export const namedOperations = [
  "trim",
  "lower",
  "upper",
  "length",
  "starts-with",
  "ends-with",
  "contains",
  "text",
  "json",
  "number",
  "get",
  "matches",
  "split",
  "join",
  "replace",
  "parse",
  "match",
  "index-of",
  "substring",
  "fixed",
  "round",
  "floor",
  "ceil",
  "abs",
  "least",
  "most",
  "attempt",
] as const;
export type NamedOperation = (typeof namedOperations)[number];

/** The values of names. */
export type Scope = { find(name: string): Value | undefined };

export const nothing: Value = { kind: "literal", value: null };

export function literal(value: Json): Value {
  return { kind: "literal", value };
}

export function operation(operator: Operator | NamedOperation, ...args: Value[]): Value {
  return { kind: "operation", operator, args };
}

/** A text of the program in the value; undefined where it is none that is known at once. */
export function textIn(value: Value | undefined): string | undefined {
  if (value?.kind === "literal") return typeof value.value === "string" ? value.value : undefined;
  if (value?.kind === "operation" && (value.operator === "or" || value.operator === "otherwise")) {
    return value.args.map(textIn).find((text) => text !== undefined);
  }
  return undefined;
}

export function numberIn(value: Value | undefined): number | undefined {
  return value?.kind === "literal" && typeof value.value === "number" ? value.value : undefined;
}

export function itemsIn(value: Value | undefined): Value[] {
  return value?.kind === "list" ? value.items : [];
}

/** The data that the value is; undefined where it is known at run time only. */
export function jsonIn(value: Value): Json | undefined {
  if (value.kind === "literal") return value.value;
  if (value.kind === "list") {
    const items = value.items.map(jsonIn);
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (value.kind !== "object") return undefined;
  const entries = [...value.fields].map(([key, field]) => [key, jsonIn(field)] as const);
  const known = entries.flatMap(([key, item]) => (item === undefined ? [] : [[key, item] as const]));
  return known.length === entries.length ? Object.fromEntries(known) : undefined;
}

/** The settings of a definition: keyword arguments, and the fields of an object that is its first argument. */
export function settingsOf(value: Value | undefined): ReadonlyMap<string, Value> {
  if (value?.kind === "object") return value.fields;
  if (value?.kind !== "call") return new Map();
  const [first] = value.args;
  return first?.kind === "object" ? new Map([...first.fields, ...value.fields]) : value.fields;
}

/** A setting under its name in either language. */
export function settingOf(settings: ReadonlyMap<string, Value>, ...names: string[]): Value | undefined {
  const found = names.map((name) => settings.get(name)).find((value) => value !== undefined);
  return found?.kind === "literal" && found.value === null ? undefined : found;
}

/** Two values with the same print are the same. Definitions are told apart by where they stand. */
export function printValue(value: Value): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (item instanceof Map) return [...item];
    if (typeof item !== "object" || item === null || !("kind" in item)) return item;
    if (item.kind === "call" && "name" in item && "line" in item) return ["call", item.name, item.line];
    if (item.kind === "function" && "name" in item && "value" in item) return ["function", item.name];
    return item.kind === "class" ? ["class"] : item;
  });
}

/** Fields that a path can go through. */
export function isPathName(name: string): boolean {
  return /^[^\s[\].{}]+$/.test(name);
}

export function fieldSchema(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  const properties = schema?.properties;
  if (typeof properties !== "object" || properties === null || Array.isArray(properties)) return undefined;
  const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return typeof field === "object" && field !== null && !Array.isArray(field) ? field : undefined;
}

/** Types that a JSON Schema names; empty where it says nothing. */
export function typesOf(schema: JsonSchema | undefined): string[] {
  const types = [schema?.type ?? []].flat().filter((type) => typeof type === "string");
  return types.length === 0 && Array.isArray(schema?.enum) ? ["string"] : types;
}

const sizes = new WeakMap<Value, number>();

/** How many parts a value has when it is written out. A text counts one for each hundred of its characters. */
export function sizeOf(value: Value): number {
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const parts = partsOf(value);
  const own = value.kind === "literal" ? textSize(value.value) : 1;
  const size = parts.reduce((sum, part) => sum + (typeof part === "string" ? textSize(part) : sizeOf(part)), own);
  sizes.set(value, size);
  return size;
}

const textSize = (value: unknown): number => (typeof value === "string" ? 1 + value.length / 100 : 1);

function partsOf(value: Value): (string | Value)[] {
  switch (value.kind) {
    case "text":
      return value.parts;
    case "list":
      return value.items;
    case "object":
      return [...value.fields.values()];
    case "operation":
      return value.args;
    case "spread":
      return [value.value];
    case "call":
      return [...value.args, ...value.fields.values(), ...(value.object ? [value.object] : [])];
    case "run":
      return [value.text, value.data];
    case "approval":
      return [value.message];
    case "history":
      return value.first;
    default:
      return [];
  }
}
