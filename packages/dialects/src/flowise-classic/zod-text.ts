import type { Json, JsonObject } from "@weft/schema";

/**
 * The JSON Schema that the source text of a Zod schema means: objects, lists, texts, numbers, booleans, dates, enums and
 * literals with their limits, `optional`, `nullable`, `describe`, and comments behind a property as its description.
 * Nothing is executed. Undefined for any other source.
 */
export function parseZodText(source: string): JsonObject | undefined {
  try {
    const tokens = tokenise(source);
    const { schema } = readSchema(tokens, 0);
    skipComments(tokens);
    if (tokens.current()?.text === ";") tokens.next();
    skipComments(tokens);
    return tokens.current() === undefined ? schema : undefined;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Unreadable extends Error {}

type Token = { kind: "word" | "text" | "number" | "sign" | "comment"; text: string };
type Tokens = { current(): Token | undefined; next(): Token; expect(text: string): void };
type Read = { schema: JsonObject; isOptional: boolean };

const maxDepth = 50;
const token =
  /\s*(?:(\/\/[^\n]*)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.)*`)|(-?\d+(?:\.\d+)?)|([A-Za-z_$][\w$]*)|([^\s\w"'`]))/y;

function tokenise(source: string): Tokens {
  const all: Token[] = [];
  const text = source.trim();
  token.lastIndex = 0;
  for (let at = 0; at < text.length; at = token.lastIndex) {
    const [, comment, quoted, number, word, sign] = token.exec(text) ?? [];
    if (comment !== undefined) all.push({ kind: "comment", text: comment.slice(2).trim() });
    else if (quoted !== undefined) all.push({ kind: "text", text: unquote(quoted) });
    else if (number !== undefined) all.push({ kind: "number", text: number });
    else if (word !== undefined) all.push({ kind: "word", text: word });
    else if (sign !== undefined) all.push({ kind: "sign", text: sign });
    else throw new Unreadable();
  }
  let at = 0;
  return {
    current: () => all[at],
    next() {
      const taken = all[at];
      if (taken === undefined) throw new Unreadable();
      at += 1;
      return taken;
    },
    expect(wanted) {
      skipComments(this);
      if (this.next().text !== wanted) throw new Unreadable();
    },
  };
}

function unquote(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(.)/g, (_, character: string) => (character === "n" ? "\n" : character));
}

function skipComments(tokens: Tokens): string {
  const comments: string[] = [];
  while (tokens.current()?.kind === "comment") comments.push(tokens.next().text);
  return comments.join(" ").trim();
}

/** `z.<kind>(<arguments>)` and the calls behind it. */
function readSchema(tokens: Tokens, depth: number): Read {
  if (depth > maxDepth) throw new Unreadable();
  tokens.expect("z");
  tokens.expect(".");
  const kind = tokens.next().text;
  const read: Read = { schema: readKind(tokens, kind, depth), isOptional: false };
  while (tokens.current()?.text === ".") {
    tokens.next();
    applyCall(read, tokens.next().text, readArguments(tokens));
  }
  return read;
}

const plainKinds: Readonly<Record<string, JsonObject>> = {
  string: { type: "string" },
  number: { type: "number" },
  int: { type: "integer" },
  boolean: { type: "boolean" },
  date: { type: "string", description: "A date" },
  any: {},
  unknown: {},
};

function readKind(tokens: Tokens, kind: string, depth: number): JsonObject {
  if (kind === "object") return readObject(tokens, depth);
  if (kind === "array") {
    tokens.expect("(");
    skipComments(tokens);
    const { schema } = readSchema(tokens, depth + 1);
    if (tokens.current()?.text === ",") tokens.next();
    tokens.expect(")");
    return { type: "array", items: schema };
  }
  const values = readArguments(tokens);
  if (kind === "enum" && Array.isArray(values[0])) return { type: "string", enum: values[0] };
  if (kind === "literal" && values[0] !== undefined) return { const: values[0] };
  const plain = Object.hasOwn(plainKinds, kind) ? plainKinds[kind] : undefined;
  if (plain === undefined) throw new Unreadable();
  return { ...plain };
}

function readObject(tokens: Tokens, depth: number): JsonObject {
  const properties: [string, JsonObject][] = [];
  const required: string[] = [];
  tokens.expect("(");
  tokens.expect("{");
  for (skipComments(tokens); tokens.current()?.text !== "}"; ) {
    const name = tokens.next();
    if (name.kind !== "word" && name.kind !== "text") throw new Unreadable();
    tokens.expect(":");
    skipComments(tokens);
    const { schema, isOptional } = readSchema(tokens, depth + 1);
    const before = skipComments(tokens);
    if (tokens.current()?.text === ",") tokens.next();
    else if (tokens.current()?.text !== "}") throw new Unreadable();
    const comment = [before, skipComments(tokens)].filter((text) => text !== "").join(" ");
    const description = comment === "" || "description" in schema ? {} : { description: comment };
    properties.push([name.text, { ...schema, ...description }]);
    if (!isOptional) required.push(name.text);
  }
  tokens.expect("}");
  if (tokens.current()?.text === ",") tokens.next();
  tokens.expect(")");
  return { type: "object", properties: Object.fromEntries(properties), required, additionalProperties: false };
}

/** Plain values between parentheses. */
function readArguments(tokens: Tokens): Json[] {
  tokens.expect("(");
  const values: Json[] = [];
  for (skipComments(tokens); tokens.current()?.text !== ")"; skipComments(tokens)) {
    values.push(readValue(tokens));
    skipComments(tokens);
    if (tokens.current()?.text === ",") tokens.next();
    else if (tokens.current()?.text !== ")") throw new Unreadable();
  }
  tokens.expect(")");
  return values;
}

function readValue(tokens: Tokens): Json {
  const { kind, text } = tokens.next();
  if (kind === "text") return text;
  if (kind === "number") return Number(text);
  if (text === "true" || text === "false") return text === "true";
  if (text !== "[") throw new Unreadable();
  const items: Json[] = [];
  for (skipComments(tokens); tokens.current()?.text !== "]"; skipComments(tokens)) {
    const item = tokens.next();
    if (item.kind !== "text" && item.kind !== "number") throw new Unreadable();
    items.push(item.kind === "text" ? item.text : Number(item.text));
    skipComments(tokens);
    if (tokens.current()?.text === ",") tokens.next();
  }
  tokens.expect("]");
  return items;
}

/** Names of limits by the type they limit. */
const limits: Readonly<Record<string, readonly [least: string, most: string]>> = {
  string: ["minLength", "maxLength"],
  array: ["minItems", "maxItems"],
  number: ["minimum", "maximum"],
  integer: ["minimum", "maximum"],
};

const formats: Readonly<Record<string, JsonObject>> = {
  email: { format: "email" },
  url: { format: "uri" },
  uuid: { format: "uuid" },
  datetime: { format: "date-time" },
  positive: { exclusiveMinimum: 0 },
  negative: { exclusiveMaximum: 0 },
  nonnegative: { minimum: 0 },
  nonempty: {},
  strict: {},
  trim: {},
};

function applyCall(read: Read, call: string, [value]: readonly Json[]): void {
  const { schema } = read;
  if (optional.has(call)) read.isOptional = true;
  if (call === "nullable" || call === "nullish") read.schema = { anyOf: [schema, { type: "null" }] };
  else if (call === "array") read.schema = { type: "array", items: schema };
  else if (call === "int") schema.type = "integer";
  else if (call === "describe" && typeof value === "string") schema.description = value;
  else if (Object.hasOwn(formats, call)) Object.assign(schema, formats[call]);
  else if (!optional.has(call) && !applyLimit(schema, call, value)) throw new Unreadable();
}

const optional = new Set(["optional", "default", "nullish"]);

const bounds: Readonly<Record<string, readonly number[]>> = {
  min: [0],
  gte: [0],
  max: [1],
  lte: [1],
  length: [0, 1],
};

function applyLimit(schema: JsonObject, call: string, value: Json | undefined): boolean {
  const names = limits[String(schema.type)];
  const sides = Object.hasOwn(bounds, call) ? bounds[call] : undefined;
  if (names === undefined || sides === undefined || typeof value !== "number") return false;
  for (const side of sides) schema[names[side] ?? ""] = value;
  return true;
}
