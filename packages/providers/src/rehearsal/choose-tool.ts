import type { ModelTool } from "@weft/engine";
import type { JsonObject, JsonSchema } from "@weft/schema";
import { type Asked, findOther, numeric } from "./read-message.ts";
import { findAction, findKind, findNouns, toWords } from "./words.ts";

/** What a parameter is for: by the last telling word of its name, else the first of its format and description. */
const kinds = {
  id: /^(id|uuid|identifier)$/,
  date: /^(date|time|datetime|when|start|deadline|day)$/,
  place: /^(location|place|venue|city|address|where|town)$/,
  name: /^(name|title|subject|label)$/,
  query: /^(query|question|search|text|input|message|prompt|q)$/,
};

/** The tool that fits best, with its arguments as far as given, or undefined when none is about what was asked. */
export function chooseTool(tools: readonly ModelTool[], asked: Asked) {
  const fits = tools.map((tool) => fitTool(tool, asked)).filter(({ score }) => score > 0);
  return fits.sort((a, b) => b.score - a.score)[0];
}

function fitTool({ name, description, parameters }: ModelTool, asked: Asked) {
  const required = Array.isArray(parameters.required) ? parameters.required.map(String) : [];
  const properties = Object.entries((parameters.properties ?? {}) as Record<string, JsonSchema>);
  const { id, args } = fillArguments(properties, asked);
  const action = findAction(name) ?? findAction(description);
  const [nouns, named] = [findNouns(asked.text), findNouns(name)];
  const described = findNouns(`${description} ${properties.map(([key]) => key).join(" ")}`);
  const shared = nouns.reduce((sum, noun) => sum + (named.includes(noun) ? 3 : Number(described.includes(noun))), 0);
  // An id is enough to read; a change of something else by the same id is not; a creation must give all that is needed.
  const used = findNouns(Object.values(args).join(" "));
  const isComplete = required.length > 1 && required.every((key) => args[key] !== undefined);
  const isOfId = asked.action === "read" || nouns.every((noun) => used.includes(noun));
  const isAbout = shared > 0 || (action !== undefined && (asked.id === undefined ? isComplete : isOfId));
  const lacksId = asked.id === undefined ? required.includes(id ?? "") : id === undefined;
  const score = 10 + shared - (lacksId ? 6 : 0) - (action === undefined ? 4 : 0);
  return { name, action, args, required, id, score: isAbout && (action ?? asked.action) === asked.action ? score : 0 };
}

function fillArguments(properties: [string, JsonSchema][], asked: Asked) {
  const args: JsonObject = {};
  let id: string | undefined;
  for (const [key, schema] of properties) {
    const hints = schema.type === "string" ? toWords(`${schema.format} ${schema.description}`) : [];
    const kind = Array.isArray(schema.enum) ? undefined : findKind([...toWords(key).reverse(), ...hints], kinds);
    const value = kind === undefined ? findOther(key, schema, asked.text) : asked[kind];
    const typed = numeric.test(String(schema.type)) ? Number(value) : value;
    if (value !== undefined && !Number.isNaN(typed)) args[key] = typed ?? null;
    if (kind === "id") id ??= key;
  }
  return { id, args };
}
