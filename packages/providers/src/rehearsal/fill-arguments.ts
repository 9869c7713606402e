import type { Json, JsonObject, JsonSchema } from "@weft/schema";
import { type Found, findDate } from "./find-date.ts";
import { type Action, findKind, findNouns, toWords } from "./words.ts";

/** What a message asks for. `id`: of the record that it is about; `today`: see `findDate`. */
export type Asked = { text: string; action: Action; id: string | undefined; today: string | undefined };

const names = "name|title|subject|label";
const places = "location|place|venue|city|address|where|town";
const kinds = {
  id: /^(id|uuid|identifier)$/,
  date: /^(date|time|datetime|when|start|deadline|day)$/,
  place: new RegExp(`^(${places})$`),
  name: new RegExp(`^(${names})$`),
  query: /^(query|question|search|text|input|message|prompt|q)$/,
};
const quoted = `(?<![\\p{L}\\d])(?!.\\d{4}-\\d\\d)(?:"([^"]+)"|“([^”]+)”|'(.+?)'(?!\\p{L}))`;
const particle = "(?:on|at|in|for|from|with|and|to|that|which|location|date|called|named)\\b";
const stop = `(?=\\s+${particle}|\\s*[,;!?]|\\.(?:\\s|$)|\\s*$)`;
const ofThing = "(?:\\s+of(?:\\s+[\\p{L}\\d#-]+){1,5}?(?=\\s+(?:is|to|as|becomes?|should|will)\\b))?";
const said = `${ofThing}(?:\\s+(?:is|to|as|of|in|at|becomes?|should be|will be))*\\s*[:=]?\\s*`;
const naming = `\\b(?:called|named|titled|entitled|${names})${said}`;
const placing = `\\b(?:${places})${said}`;
const near = "\\b(?:in|at|to) (?!\\S+ (?:calendar|list|schedule|system)\\b)(?=[\\p{Lu}\\d]|(?:the|an?|my|our) )";

/** What a parameter is for: by its format, else the last telling word of its name, else the first of its description. */
export function kindOf(name: string, schema: JsonSchema): keyof typeof kinds | "other" {
  if (Array.isArray(schema.enum)) return "other";
  if (String(schema.format).startsWith("date")) return "date";
  const description = schema.type === "string" ? toWords(String(schema.description ?? "")) : [];
  return findKind([...toWords(name).reverse(), ...description], kinds) ?? "other";
}

/** Arguments for a tool's properties, as far as what was asked gives them. */
export function fillArguments(tool: string, properties: [string, JsonSchema][], asked: Asked): JsonObject {
  const found: Record<string, Json | undefined> = { id: asked.id, query: asked.text };
  let rest = asked.text.replaceAll(/"(\w+)"\s*:/g, "$1: ");
  for (const [kind, find] of findersOf(tool, asked)) {
    const next = found[kind] === undefined ? find(rest) : undefined;
    found[kind] ??= next?.value;
    rest = next?.rest ?? rest;
  }
  const args = properties.map(([name, schema]) => {
    const kind = kindOf(name, schema);
    const value = kind === "other" ? findOther(name, schema, asked.text) : found[kind];
    return [name, value !== undefined && isNumeric(schema) ? Number(value) : value] as const;
  });
  return Object.fromEntries(args.filter(([, value]) => value !== undefined && !Number.isNaN(value))) as JsonObject;
}

/** In the order in which they take their part out of the text: quoted parts first, those with the weakest mark last. */
function findersOf(tool: string, { action, today }: Asked): [string, (text: string) => Found | undefined][] {
  const before = ["an?", "another", "new", ...findNouns(tool).map((noun) => `${noun}s?`)].join("|");
  const unmarked = `\\b(?:${before}):? (?!(?:${before})\\b|${particle})(\\p{L}.*?)${stop}`;
  return [
    ["place", by(`(?:${placing}|\\b(?:in|at) )${quoted}`)],
    ["name", by(`(?:${naming})?${quoted}`)],
    ["date", (text) => findDate(text, today)],
    ["name", by(`${naming}(\\p{L}.*?)${stop}`)],
    ["name", action === "create" ? by(unmarked) : () => undefined],
    ["place", by(`${placing}(\\p{L}.*?)${stop}`)],
    ["place", by(`${near}(.+?)${stop}`, "u")],
  ];
}

function by(pattern: string, flags = "iu"): (text: string) => Found | undefined {
  return (text) => {
    const [whole = "", ...groups] = new RegExp(pattern, flags).exec(text) ?? [];
    const value = groups.find((group) => group !== undefined);
    return value === undefined ? undefined : { value, rest: text.replace(whole, ", ") };
  };
}

/** A choice that the text mentions, a number beside the parameter's name, or what follows the name. */
function findOther(name: string, schema: JsonSchema, text: string): Json | undefined {
  if (Array.isArray(schema.enum)) return findChoice(schema.enum, text);
  const label = toWords(name).join("[ _-]?");
  if (isNumeric(schema)) return by(`\\b(?:${label}${said}|(?:first|top|last) )(-?\\d+(?:\\.\\d+)?)\\b`)(text)?.value;
  return schema.type === "string" ? by(`\\b${label}${said}["']?(\\p{L}.*?)["']?${stop}`)(text)?.value : undefined;
}

/** A value of a schema for an answer that must be JSON: choices and numbers of the text, its words with a label. */
export function fillSchema(schema: JsonSchema, given: { text: string; label: string }): Json {
  if (Array.isArray(schema.enum)) return findChoice(schema.enum, given.text) ?? schema.enum[0] ?? null;
  if (isNumeric(schema)) return Number(/-?\d+/.exec(given.text)?.[0] ?? 0);
  if (schema.type === "boolean" || schema.type === "array") return schema.type === "array" ? [] : false;
  if (schema.type !== "object") return `${given.label} ${given.text}`;
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return Object.fromEntries(fields.map(([name, field]) => [name, fillSchema(field, given)]));
}

function findChoice(choices: Json[], text: string): Json | undefined {
  const words = toWords(text);
  return choices.find((choice) => toWords(String(choice)).every((word) => words.includes(word)));
}

function isNumeric({ type }: JsonSchema): boolean {
  return type === "integer" || type === "number";
}
