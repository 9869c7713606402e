import type {
  ChatModel,
  ModelAnswer,
  ModelCall,
  ModelContentPart,
  ModelMessage,
  ModelToolCall,
} from "@weft/engine/ports/chat-model";
import type { HttpExchange } from "@weft/engine/ports/http-client";
import { isJsonObject, type Json, type JsonSchema, parseJson } from "@weft/schema";
import { invalidAnswer, unsent } from "../failure/model-failure.ts";
import { type ChatStream, createHttpChatModel } from "../http-chat-model.ts";
import { type AskedModel, createChatAnswerReader, readChatAnswer } from "./chat-answer.ts";

import { createEventReader } from "./event-stream.ts";

/** The body of `POST /chat/completions`, limited to the fields that adapters use. Undefined fields are not sent. */
export type ChatRequest = {
  model: string;
  messages: ChatMessage[];
  max_tokens?: number | undefined;
  max_completion_tokens?: number | undefined;
  temperature?: number | undefined;
  top_p?: number | undefined;
  top_k?: number | undefined;
  frequency_penalty?: number | undefined;
  presence_penalty?: number | undefined;
  seed?: number | undefined;
  random_seed?: number | undefined;
  stop?: string[] | undefined;
  reasoning_effort?: string | undefined;
  response_format?: { type: "json_schema"; json_schema: { name: string; strict: boolean; schema: JsonSchema } };
  tools?: { type: "function"; function: { name: string; description: string; parameters: JsonSchema } }[];
  tool_choice?: "auto" | "none";
  stream?: true;
  stream_options?: { include_usage: true };
};

type ChatMessage =
  | { role: "system" | "developer"; content: string }
  | { role: "user"; content: string | object[] }
  | { role: "assistant"; content: string | null; tool_calls?: ChatToolCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

type ChatToolCall = {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
  extra_content?: { google: { thought_signature: string } };
};

type ChatCompletionsOptions = {
  /** As in `openai/gpt-4o-mini`. */
  id: string;
  model: string;
  /** If absent, no Authorization header is sent. */
  apiKey?: string | undefined;
  /** Without a trailing slash. */
  baseUrl: string;
  exchange: HttpExchange;
  /** Adapts a request to the vendor's models. Default: unchanged. */
  adapt?(request: ChatRequest): ChatRequest;
  /** For a vendor with its own address and header. Default: OpenAI's at the base URL. */
  endpoint?: { url: string; headers: Record<string, string> };
};

/** A model behind OpenAI's Chat Completions or a compatible server. */
export function createChatCompletionsModel(options: ChatCompletionsOptions): ChatModel {
  const { id, model, apiKey, baseUrl, exchange, adapt = (request) => request } = options;
  const context = { id, secrets: apiKey === undefined ? [] : [apiKey] };
  const { url, headers } = options.endpoint ?? {
    url: `${baseUrl}/chat/completions`,
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
  };
  return createHttpChatModel(
    {
      toRequest: (call) => ({
        url,
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(adapt(toChatRequest(model, call))),
      }),
      readWhole: (body, call) => readChatAnswer(body, call, { context, asked: model }),
      openStream: (call) => openChatStream(call, { context, asked: model }),
    },
    context,
    exchange,
  );
}

/** Converts a call of our port to Chat Completions. Streams if the caller wants deltas. */
export function toChatRequest(model: string, call: ModelCall): ChatRequest {
  const { tools = [], responseSchema, parameters = {} } = call;
  const request: ChatRequest = {
    model,
    messages: call.messages.flatMap((message) => toMessage(message) ?? []),
    max_tokens: parameters.maxTokens,
    temperature: parameters.temperature,
    top_p: parameters.topP,
    top_k: parameters.topK,
    frequency_penalty: parameters.frequencyPenalty,
    presence_penalty: parameters.presencePenalty,
    seed: parameters.seed,
    stop: parameters.stop,
    reasoning_effort: parameters.reasoning,
  };
  if (responseSchema !== undefined) {
    const { name, schema } = responseSchema;
    const json_schema = { name: toFormatName(name), strict: isStrictSchema(schema), schema };
    request.response_format = { type: "json_schema", json_schema };
  }
  if (tools.length > 0) {
    request.tools = tools.map(({ name, description, parameters: schema }) => {
      return { type: "function", function: { name, description, parameters: schema } };
    });
    request.tool_choice = call.toolChoice ?? "auto";
  }
  if (call.onText !== undefined) {
    request.stream = true;
    request.stream_options = { include_usage: true };
  }
  return request;
}

/** Empty messages are left out. */
function toMessage(message: ModelMessage): ChatMessage | undefined {
  switch (message.role) {
    case "system":
      return message.content === "" ? undefined : { role: "system", content: message.content };
    case "user": {
      const content = toUserContent(message.content);
      return Array.isArray(content) && content.length === 0 ? undefined : { role: "user", content };
    }
    case "assistant": {
      const { content, toolCalls = [] } = message;
      if (toolCalls.length > 0) {
        return { role: "assistant", content: content || null, tool_calls: toolCalls.map(toToolCall) };
      }
      return content === "" ? undefined : { role: "assistant", content };
    }
    case "tool":
      return { role: "tool", tool_call_id: message.toolCallId, content: message.content };
  }
}

function toUserContent(content: string | ModelContentPart[]): string | object[] {
  if (typeof content === "string") return content;
  const parts = content.filter((part) => part.type !== "text" || part.text !== "");
  const [only] = parts;
  return parts.length === 1 && only?.type === "text" ? only.text : parts.map(toPart);
}

function toPart(part: ModelContentPart): object {
  if (part.type === "text") return { type: "text", text: part.text };
  const { mediaType, data } = part;
  if (!/^image\//i.test(mediaType)) throw unsent(`the API takes pictures, not ${mediaType}`);
  const url = data instanceof URL ? data.href : `data:${mediaType};base64,${toBase64(data)}`;
  return { type: "image_url", image_url: { url } };
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/**
 * Arguments stay the JSON text that the model wrote, so that it reads back exactly its own output. Text that is not
 * JSON is sent as a JSON string.
 */
function toToolCall({ id, name, arguments: text, vendorState }: ModelToolCall): ChatToolCall {
  const written = parseJson(text) === undefined ? JSON.stringify(text) : text;
  const call: ChatToolCall = { id, type: "function", function: { name, arguments: written } };
  const signature = vendorState?.thoughtSignature;
  if (signature) call.extra_content = { google: { thought_signature: String(signature) } };
  return call;
}

/** OpenAI's rule for the name of a response format. */
function toFormatName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "answer";
}

/**
 * Whether a schema follows the rules of OpenAI's strict structured outputs: every object lists all its properties as
 * required and forbids others. Other schemas are sent without `strict`, or the vendor would refuse the request.
 */
function isStrictSchema(schema: JsonSchema): boolean {
  return isObjectSchema(schema) && isStrictEverywhere(schema);
}

function isStrictEverywhere(value: Json): boolean {
  if (Array.isArray(value)) return value.every(isStrictEverywhere);
  if (value === null || typeof value !== "object") return true;
  if (isObjectSchema(value) && !isClosed(value)) return false;
  return Object.values(value).every(isStrictEverywhere);
}

function isObjectSchema(schema: JsonSchema): boolean {
  return schema.type === "object" || (isJsonObject(schema.properties) && schema.type === undefined);
}

function isClosed(schema: JsonSchema): boolean {
  const properties = isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return schema.additionalProperties === false && properties.every((name) => required.includes(name));
}

/**
 * Reads the response to a streaming request: events, or, from servers that do not stream or failed before the stream, a
 * single body. A body of JSON lines is read as events without their field names. The first character decides.
 */
function openChatStream(call: ModelCall, model: AskedModel): ChatStream {
  const reader = createChatAnswerReader(call, model);
  const events = createEventReader(reader.add);
  const whole: Buffer[] = [];
  let leftBytes = mostWholeBytes;
  let isStream = false;
  return {
    push(bytes) {
      if (isStream) return events.push(bytes);
      const first = whole.length === 0 ? firstCharacter(bytes) : "{";
      if (first === "{") {
        leftBytes -= bytes.byteLength;
        if (leftBytes < 0) throw invalidAnswer("it is too large for one in one piece");
        whole.push(Buffer.from(bytes));
        return;
      }
      isStream = first !== "";
      events.push(bytes);
    },
    finish() {
      if (whole.length > 0) return readPlain(withoutMark(Buffer.concat(whole).toString("utf8")), call, model);
      events.end();
      return reader.finish();
    },
  };
}

/** Limit of a body that is buffered and read at once, whatever its content type. The client limits its lines. */
const mostWholeBytes = 8 * 1_024 ** 2;

/** Empty for only white space or a byte order mark. */
function firstCharacter(bytes: Uint8Array): string {
  return withoutMark(Buffer.from(bytes).toString("utf8")).trimStart().slice(0, 1);
}

function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, "");
}

function readPlain(body: string, call: ModelCall, model: AskedModel): ModelAnswer {
  if (parseJson(body) !== undefined || !body.trim().includes("\n")) return readChatAnswer(body, call, model);
  const reader = createChatAnswerReader(call, model);
  for (const line of body.split("\n")) if (line.trim() !== "") reader.add(line);
  return reader.finish();
}
