import { isJsonObject, type Json, type JsonObject } from "@weft/schema";
import { anyOf, fieldOf, kindIn, numberIn, objectIn, objectsIn, textIn, textsIn } from "./fields.ts";
import { definitionOf } from "./recognise-file.ts";

/** An agent that a workflow can name, as its file describes it. */
export type AgentFile = {
  /** Every name that it is known by. */
  names: readonly string[];
  instructions: string;
  model: { id: string; provider: string; apiKey: string; endpoint: string };
  options: { temperature?: number; topP?: number; maxTokens?: number };
  /** Options of the model that a flow does not have. */
  ignoredOptions: readonly string[];
  tools: readonly JsonObject[];
  /** JSON Schema of the answer; undefined: words. */
  outputSchema: JsonObject | undefined;
};

/** The agent that a file defines: YAML of kind Prompt, or the JSON of Foundry's API. */
export function readAgent(document: JsonObject, fileName: string): AgentFile {
  const definition = definitionOf(document) ?? document;
  const model = fieldOf(definition, "model");
  const settings = isJsonObject(model) ? model : {};
  const connection = objectIn(settings, "connection");
  const options = { ...definition, ...objectIn(definition, "options"), ...objectIn(settings, "options") };
  return {
    names: namesOf(document, definition, fileName),
    instructions: [textIn(definition, "instructions"), textIn(definition, "additionalInstructions")]
      .filter((text) => text !== "")
      .join("\n\n"),
    model: {
      id: typeof model === "string" ? model.trim() : textIn(settings, "id", "name", "deployment"),
      provider: textIn(settings, "provider"),
      apiKey: textIn(connection, "apiKey", "key") || textIn(settings, "apiKey"),
      endpoint: textIn(connection, "endpoint"),
    },
    options: optionsOf(options),
    ignoredOptions: ignored.filter((name) => fieldOf(options, name) !== undefined),
    tools: toolsOf(definition),
    outputSchema: schemaOf(definition),
  };
}

const ignored = ["topK", "seed", "stopSequences", "frequencyPenalty", "presencePenalty", "allowMultipleToolCalls"];

function namesOf(document: JsonObject, definition: JsonObject, fileName: string): string[] {
  const bare = fileName.replace(/^.*[/\\]/, "").replace(/(\.agent)?\.(ya?ml|json)$/i, "");
  const names = [
    textIn(document, "name"),
    textIn(definition, "name"),
    textIn(definition, "displayName"),
    textIn(document, "id"),
    bare,
  ];
  return [...new Set(names.filter((name) => name !== ""))];
}

function optionsOf(options: JsonObject): AgentFile["options"] {
  const temperature = within(numberIn(options, "temperature"), 0, 2);
  const topP = within(numberIn(options, "topP", "top_p"), 0, 1);
  const maxTokens = within(numberIn(options, "maxOutputTokens", "max_output_tokens", "maxTokens"), 1, 10_000_000);
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(maxTokens === undefined ? {} : { maxTokens: Math.trunc(maxTokens) }),
  };
}

function within(value: number | undefined, least: number, most: number): number | undefined {
  return value !== undefined && value >= least && value <= most ? value : undefined;
}

/** A list of tools, or an object with one under each name. */
function toolsOf(definition: JsonObject): JsonObject[] {
  const tools = fieldOf(definition, "tools");
  if (!isJsonObject(tools)) return objectsIn(definition, "tools");
  return Object.entries(tools).flatMap(([name, tool]) => (isJsonObject(tool) ? [{ name, ...tool }] : []));
}

function schemaOf(definition: JsonObject): JsonObject | undefined {
  const own = anyOf(definition, "outputSchema", "outputs");
  if (isJsonObject(own)) return toObjectSchema(own);
  const format = objectIn(objectIn(definition, "text"), "format");
  const schema = anyOf(format, "schema");
  return kindIn(anyOf(format, "type")) === "json_schema" && isJsonObject(schema) ? schema : undefined;
}

/** A schema of Foundry as JSON Schema: an object whose properties have kinds, as a mapping or as a list with names. */
function toObjectSchema(schema: JsonObject): JsonObject {
  const given = fieldOf(schema, "properties") ?? schema;
  const rows: [string, Json][] = Array.isArray(given)
    ? given.filter(isJsonObject).map((row) => [textIn(row, "name"), row])
    : Object.entries(isJsonObject(given) ? given : {});
  const fields = rows.filter(([name, row]) => name !== "" && isJsonObject(row));
  const listed = textsIn(schema, "required");
  const required = fields.flatMap(([name, row]) =>
    listed.includes(name) || (isJsonObject(row) && fieldOf(row, "required") === true) ? [name] : [],
  );
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, row]) => [name, toPropertySchema(row)])),
    required: required.length === 0 ? fields.map(([name]) => name) : required,
    additionalProperties: false,
  };
}

function toPropertySchema(row: Json): JsonObject {
  if (!isJsonObject(row)) return {};
  const kind = (textIn(row, "kind") || textIn(row, "type") || "string").toLowerCase();
  const description = textIn(row, "description");
  const values = fieldOf(row, "enum");
  const shared = {
    ...(description === "" ? {} : { description }),
    ...(Array.isArray(values) && values.length > 0 ? { enum: values } : {}),
  };
  if (kind === "object") return { ...toObjectSchema(row), ...shared };
  if (kind === "array" || kind === "list") {
    const items = fieldOf(row, "items");
    return { type: "array", items: isJsonObject(items) ? toPropertySchema(items) : {}, ...shared };
  }
  const type = kind === "float" ? "number" : kind;
  return { type: ["string", "number", "integer", "boolean"].includes(type) ? type : "string", ...shared };
}

/** Names of providers that files use, and what they are called here. Azure's are reached through an own address. */
const providers: ReadonlyMap<string, string> = new Map([
  ["openai", "openai"],
  ["anthropic", "anthropic"],
  ["google", "google"],
  ["gemini", "google"],
  ["ollama", "ollama"],
  ["groq", "groq"],
  ["mistral", "mistral"],
  ["together", "together"],
  ["xai", "xai"],
  ["perplexity", "perplexity"],
  ["fireworks", "fireworks"],
  ["cerebras", "cerebras"],
  ["nvidia", "nvidia"],
  ["sambanova", "sambanova"],
  ["deepseek", "deepseek"],
  ["openrouter", "openrouter"],
]);

/** The provider that a file names, such as `OpenAI` or `OpenAI.Chat`; undefined for those that have no counterpart. */
export function providerNamed(name: string): string | undefined {
  return providers.get(name.toLowerCase().split(/[.\s_-]/)[0] ?? "");
}
