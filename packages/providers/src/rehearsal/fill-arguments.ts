import type { ModelTool } from "@weft/engine";
import type { Json, JsonObject, JsonSchema } from "@weft/schema";
import { findDate } from "./find-date.ts";
import { propertiesOf, propertyKind } from "./tool-shape.ts";
import { findAction, toWords } from "./words.ts";

/** What a message asks for. `today`: see `findDate`. */
export type Asked = { text: string; id: string | undefined; today: string | undefined };

const quoted = /"([^"]+)"|“([^”]+)”|(?<!\p{L})'(.+?)'(?!\p{L})/u;
const ofThing = "(?:\\s+of(?:\\s+[\\p{L}#]+){1,5}?(?=\\s+(?:is|to|as|becomes?|should|will)\\b))?";
const said = `${ofThing}(?:\\s+(?:is|to|as|of|in|at|becomes?|should be|will be))*\\s*[:=]?\\s*`;
const stop = "(?=\\s+(?:on|at|in|for|from|with|and|to|location|date|called|named)\\b|\\s*[,;!?]|\\.(?:\\s|$)|\\s*$)";
const nameWords = "(?:called|named|titled|entitled|name|title|subject)";
const placeWords = "(?:location|place|venue|city|address|where|town)";
const calledName = new RegExp(`\\b${nameWords}${said}(\\p{L}.*?)${stop}`, "iu");
const plainName = new RegExp(`\\b(?:an?|another) (?:new )?(?:\\p{L}+: ?)?(\\p{L}.*?)${stop}`, "iu");
const statedPlace = new RegExp(`\\b${placeWords}${said}(\\p{L}.*?)${stop}`, "iu");
const nearPlace = new RegExp(
  `\\b(?:in|at|to) (?!\\S+ (?:calendar|list|schedule|system)\\b)(?=[\\p{Lu}\\d]|(?:the|an?|my|our) )(.+?)${stop}`,
  "u",
);

/** The ids in a text as people and JSON write them: `id 3`, `#3`, `"id":"3"`, or after the thing's name (`event 3`). */
export function findIds(text: string, things: Iterable<string>): string[] {
  const names = ["record", "item", "entry", "number", ...things].map((thing) => `${thing}s?`).join("|");
  const before = `#|\\bids?"?(?:\\s+(?:is|of))?\\s*[:=#]?\\s*["']?|\\b(?:${names})\\s+#?`;
  const id = "(?!\\d{4}-\\d\\d-\\d\\d)[\\w-]*\\d[\\w-]*";
  return [...new Set(Array.from(text.matchAll(new RegExp(`(?:${before})(${id})`, "gi")), (match) => match[1] ?? ""))];
}

/** Arguments for a tool, as far as what was asked gives them. */
export function fillArguments(tool: ModelTool, { text, id, today }: Asked): JsonObject {
  const date = findDate(text, today);
  const rest = date?.rest ?? text;
  const found = { id, date: date?.value, query: text, ...findNameAndPlace(id ? rest.replaceAll(id, " ") : rest) };
  const args: JsonObject = {};
  for (const [name, schema] of propertiesOf(tool)) {
    const kind = propertyKind(name, schema);
    const value = kind === "other" ? findOther(name, schema, text) : found[kind];
    if (value !== undefined) args[name] = isNumeric(schema) ? Number(value) : value;
  }
  return args;
}

function findNameAndPlace(text: string): { name?: string | undefined; place?: string | undefined } {
  let rest = text.replaceAll(/"(\w+)"\s*:/g, "$1: ");
  const found: { name?: string | undefined; place?: string | undefined } = {};
  for (let match = quoted.exec(rest); match !== null; match = quoted.exec(rest)) {
    const before = rest.slice(0, match.index);
    const kind = new RegExp(`\\b(?:${placeWords}${said}|in |at )$`, "iu").test(before) ? "place" : "name";
    found[kind] ??= match[1] ?? match[2] ?? match[3];
    rest = `${before.replace(new RegExp(`\\b${nameWords}${said}$`, "iu"), "")}, ${rest.slice(match.index + match[0].length)}`;
  }
  const creates = findAction(text) === "create";
  found.name ??= calledName.exec(rest)?.[1] ?? (creates ? plainName.exec(rest)?.[1] : undefined);
  rest = rest.replace(found.name ?? "", " ");
  found.place ??= statedPlace.exec(rest)?.[1] ?? nearPlace.exec(rest)?.[1];
  return found;
}

/** A choice that the text mentions, a number beside the parameter's name, or what follows the name. */
function findOther(name: string, schema: JsonSchema, text: string): Json | undefined {
  const words = toWords(text);
  const mentioned = (choice: Json) => toWords(String(choice)).every((word) => words.includes(word));
  if (Array.isArray(schema.enum)) return schema.enum.find(mentioned);
  const label = toWords(name).join("[ _-]?");
  const number = `\\b(?:${label}${said}|(?:first|top|last) )(-?\\d+(?:\\.\\d+)?)\\b`;
  const pattern = isNumeric(schema) ? number : `\\b${label}${said}["']?(\\p{L}.*?)["']?${stop}`;
  return isNumeric(schema) || schema.type === "string" ? new RegExp(pattern, "iu").exec(text)?.[1] : undefined;
}

function isNumeric(schema: JsonSchema): boolean {
  return schema.type === "integer" || schema.type === "number";
}

/** A value of a schema for an answer that must be JSON: choices and numbers of the text, its words with a label. */
export function fillSchema(schema: JsonSchema, given: { text: string; label: string }): Json {
  if (Array.isArray(schema.enum)) return findOther("", schema, given.text) ?? schema.enum[0] ?? null;
  if (isNumeric(schema)) return Number(/-?\d+/.exec(given.text)?.[0] ?? 0);
  if (schema.type === "boolean" || schema.type === "array") return schema.type === "array" ? [] : false;
  if (schema.type !== "object") return `${given.label} ${given.text}`;
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return Object.fromEntries(fields.map(([name, field]) => [name, fillSchema(field, given)]));
}
