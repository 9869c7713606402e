import type { ModelParameterName, ModelParameters } from "@weft/engine/ports/chat-model";
import { isJsonObject, type Json, type JsonSchema, parseJson } from "@weft/schema";
import type { ChatRequest } from "../chat-completions/index.ts";

import { unsent } from "../failure/model-failure.ts";

/**
 * Differences of OpenAI's own models from compatible servers, by model name: reasoning models (o1 and later, GPT-5 and
 * later except `gpt-5-chat`) call the system role `developer`, use `max_completion_tokens`, and refuse `temperature`
 * and `top_p`, unless reasoning is off. GPT-5.6 and its successors call functions only with reasoning off, which is set
 * unless the caller chooses otherwise. Search previews refuse `temperature`.
 * (https://platform.openai.com/docs/guides/reasoning)
 */
export function createOpenAiRules(model: string): (request: ChatRequest) => ChatRequest {
  const traits = readTraits(model);
  return (given) => {
    const request = toOwnWords(given);
    if (!traits.reasons) return traits.refusesTemperature ? { ...request, temperature: undefined } : request;
    const stopsReasoning = traits.callsWithoutReasoning && request.tools !== undefined;
    const { temperature, top_p, max_tokens, reasoning_effort = stopsReasoning ? "none" : undefined } = request;
    return {
      ...request,
      messages: request.messages.map((message) =>
        message.role === "system" ? { role: "developer", content: message.content } : message,
      ),
      max_tokens: undefined,
      max_completion_tokens: max_tokens,
      reasoning_effort,
      ...(reasoning_effort === "none" ? { temperature, top_p } : { temperature: undefined, top_p: undefined }),
    };
  };
}

/**
 * Reasoning models accept no sampling parameters. Whether one reasons may also depend on its tools, so
 * `createOpenAiRules` decides about temperature and top P.
 */
export function leavesOutOfOpenAi(model: string, { reasoning }: ModelParameters): readonly ModelParameterName[] {
  const { reasons, callsWithoutReasoning, refusesTemperature } = readTraits(model);
  if (!reasons) return [...(refusesTemperature ? temperatureAlone : []), ...(isOlder(model) ? reasoningAlone : [])];
  const chosen: ModelParameterName[] = ["frequencyPenalty", "presencePenalty", "stop"];
  return reasoning === "none" || callsWithoutReasoning ? chosen : [...chosen, "temperature", "topP"];
}

const temperatureAlone = ["temperature"] as const;
const reasoningAlone = ["reasoning"] as const;

function isOlder(model: string): boolean {
  return /^(?:chat)?gpt-(?:3|4)/.test(model);
}

type Traits = { reasons: boolean; callsWithoutReasoning: boolean; refusesTemperature: boolean };

function readTraits(model: string): Traits {
  const [isGpt, major, minor, variant = ""] = /^gpt-(\d+)(?:\.(\d+))?(?:-(.+))?$/.exec(model) ?? [];
  const isChat = minor === undefined && variant.startsWith("chat");
  return {
    reasons: /^o\d+(-|$)/.test(model) || (isGpt !== undefined && Number(major) >= 5 && !isChat),
    callsWithoutReasoning: Number(major) === 5 && Number(minor) >= 6,
    refusesTemperature: /^gpt-4o-(mini-)?search-preview/.test(model),
  };
}

/** The vendor refuses arguments that are not objects, unknown fields, and some of JSON Schema. */
function toOwnWords(request: ChatRequest): ChatRequest {
  const own: ChatRequest = { ...request, messages: request.messages.map(toOwnMessage) };
  if (request.tools !== undefined) {
    own.tools = request.tools.map(({ type, function: called }) => {
      return { type, function: { ...called, parameters: toKnownSchema(called.parameters) } };
    });
  }
  if (request.response_format !== undefined) {
    const { type, json_schema: format } = request.response_format;
    own.response_format = { type, json_schema: { ...format, schema: toKnownSchema(format.schema) } };
  }
  return own;
}

type Message = ChatRequest["messages"][number];

function toOwnMessage(message: Message): Message {
  if (message.role !== "assistant" || message.tool_calls === undefined) return message;
  const calls = message.tool_calls.map(({ id, type, function: { name, arguments: text } }) => {
    return { id, type, function: { name, arguments: isJsonObject(parseJson(text)) ? text : "{}" } };
  });
  return { ...message, tool_calls: calls };
}

/** An agent sends the same tool objects with every call. */
const knownSchemas = new WeakMap<JsonSchema, JsonSchema>();

function toKnownSchema(schema: JsonSchema): JsonSchema {
  const known = knownSchemas.get(schema) ?? toOpenAiSchema(schema);
  knownSchemas.set(schema, known);
  return known;
}

/**
 * Removes from a schema what OpenAI refuses: `propertyNames`, patterns with lookaround, and `allOf` of a single
 * reference, which becomes the reference, or at the root its target. The vendor then does not enforce the first two.
 * Throws `model-invalid-request` if property names must be anything but texts.
 */
function toOpenAiSchema(schema: JsonSchema): JsonSchema {
  return convert(schema, true);
}

/** Keywords whose value is a schema, or a list of them. */
const schemaKeywords = new Set([
  ...["additionalProperties", "additionalItems", "items", "contains", "not", "allOf", "anyOf", "oneOf"],
  ...["if", "then", "else"],
]);
/** Keywords whose value is a record of schemas. */
const recordKeywords = new Set(["properties", "patternProperties", "definitions", "$defs", "dependencies"]);

function convert(schema: JsonSchema, isRoot: boolean): JsonSchema {
  const converted: JsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "propertyNames") checkPropertyNames(value);
    else if (keyword === "pattern" && typeof value === "string" && looksAround(value)) continue;
    else if (schemaKeywords.has(keyword)) converted[keyword] = convertAny(value);
    else if (recordKeywords.has(keyword) && isJsonObject(value)) converted[keyword] = convertValues(value);
    else converted[keyword] = value;
  }
  return withoutSingleReference(converted, isRoot);
}

function convertAny(value: Json): Json {
  if (Array.isArray(value)) return value.map(convertAny);
  return isJsonObject(value) ? convert(value, false) : value;
}

function convertValues(schemas: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schemas).map(([name, value]) => [name, convertAny(value)]));
}

function checkPropertyNames(value: Json): void {
  const type = isJsonObject(value) ? (value.type ?? "string") : undefined;
  if (value !== null && type !== "string") {
    throw unsent("OpenAI takes no JSON Schema whose propertyNames is not a schema of strings");
  }
}

function looksAround(pattern: string): boolean {
  const groups = pattern.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]?/gs, "");
  return /\(\?<?[=!]/.test(groups);
}

function withoutSingleReference(schema: JsonSchema, isRoot: boolean): JsonSchema {
  const { allOf, ...rest } = schema;
  const [only, ...others] = Array.isArray(allOf) ? allOf : [];
  if (!isJsonObject(only) || others.length > 0) return schema;
  const { $ref: reference, ...constraints } = only;
  if (typeof reference !== "string" || Object.keys(constraints).length > 0) return schema;
  if (!isRoot) return { ...rest, $ref: reference };
  const referred = findDefinition(reference, schema);
  return referred === undefined ? schema : { ...referred, ...rest };
}

function findDefinition(reference: string, { definitions, $defs }: JsonSchema): JsonSchema | undefined {
  const [, keyword, encoded = ""] = /^#\/(definitions|\$defs)\/(.+)$/.exec(reference) ?? [];
  const name = encoded.replaceAll("~1", "/").replaceAll("~0", "~");
  const known = keyword === "definitions" ? definitions : $defs;
  const found = isJsonObject(known) && Object.hasOwn(known, name) ? known[name] : undefined;
  return isJsonObject(found) ? found : undefined;
}
