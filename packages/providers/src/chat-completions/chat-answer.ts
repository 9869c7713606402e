import type { ModelAnswer, ModelCall } from "@weft/engine/ports/chat-model";
import { type JsonObject, usageOf } from "@weft/schema";
import {
  brokenOff,
  fromVendorError,
  invalidAnswer,
  type ModelErrorContext,
  parseJson,
  unreadable,
} from "../failure/model-failure.ts";
import { readVendorError } from "../failure/vendor-error.ts";
import { type CallCollector, createCallCollector } from "./tool-calls.ts";

type Fields = Record<string, unknown>;

/** Parts of an answer, as far as it has come. */
type Parts = {
  text: string;
  hasThoughts: boolean;
  hasRefusal: boolean;
  finishReason: string | undefined;
  usage: unknown;
  /** Which model was asked, and which one says that it answered. */
  asked: string;
  model: string | undefined;
  calls: CallCollector;
};

const longestName = 200;
const notPromised = "it is not what the API promises";

/** The answer of the model `asked` in a body of one piece. Throws `model-invalid-answer` for anything else. */
export function readChatAnswer(body: string, call: ModelCall, asked: string): ModelAnswer {
  const value = parseJson(body);
  if (!isRecord(value) || !Array.isArray(value.choices)) throw unreadable(body);
  const parts = createParts(call, asked);
  const [choice] = value.choices;
  if (!isRecord(choice) || !isRecord(choice.message)) throw invalidAnswer(notPromised);
  for (const [position, wireCall] of readList(choice.message.tool_calls).entries()) {
    addToolCall(parts, wireCall, position);
  }
  addMessage(parts, choice.message, undefined);
  parts.finishReason = readText(choice.finish_reason);
  parts.usage = value.usage;
  parts.model = readText(value.model);
  const answer = toAnswer(parts);
  const isSilent = parts.text === "" && !parts.hasThoughts && answer.toolCalls.length === 0;
  if (isSilent && parts.finishReason === undefined) throw invalidAnswer(notPromised);
  return answer;
}

/** Puts an answer together from the data of the events of its stream. */
export type ChatAnswerReader = { add(data: string): void; finish(): ModelAnswer };

/**
 * Hands words to the call's `onText` as they come. Throws the vendor's error when an event holds one, and
 * `model-invalid-answer` for an event that cannot be read or a stream that ends before the model says why.
 */
export function createChatAnswerReader(call: ModelCall, context: ModelErrorContext, asked: string): ChatAnswerReader {
  const parts = createParts(call, asked);
  return {
    add(data) {
      if (data === "[DONE]") return;
      const event = readEvent(data, context);
      if (event.usage !== undefined && event.usage !== null) parts.usage = event.usage;
      parts.model ??= readText(event.model);
      const [choice] = event.choices;
      if (!isRecord(choice)) return;
      parts.finishReason = readText(choice.finish_reason) ?? parts.finishReason;
      if (!isRecord(choice.delta)) return;
      const says = addMessage(parts, choice.delta, call.onText);
      const wireCalls = readList(choice.delta.tool_calls);
      for (const wireCall of wireCalls) addToolCall(parts, wireCall, undefined);
      if (says || wireCalls.length > 0) call.onProgress?.();
    },
    finish() {
      if (parts.finishReason === undefined) throw invalidAnswer(brokenOff);
      return toAnswer(parts);
    },
  };
}

function readEvent(data: string, context: ModelErrorContext): Fields & { choices: unknown[] } {
  const event = parseJson(data);
  if (!isRecord(event)) throw invalidAnswer(notPromised);
  const error = isRecord(event.error) ? readVendorError(event.error) : undefined;
  if (error !== undefined) throw fromVendorError(error, context);
  if (!Array.isArray(event.choices)) throw invalidAnswer(notPromised);
  return event as Fields & { choices: unknown[] };
}

function createParts({ messages }: ModelCall, asked: string): Parts {
  return {
    text: "",
    hasThoughts: false,
    hasRefusal: false,
    finishReason: undefined,
    usage: undefined,
    asked,
    model: undefined,
    // Unlike any other of the conversation.
    calls: createCallCollector((position) => `call_${messages.length}_${position}`),
  };
}

/** Adds what a message or a piece of one says, and whether that is anything. A refusal is told in words too. */
function addMessage(parts: Parts, message: Fields, onText: ModelCall["onText"]): boolean {
  const thinks = Boolean(message.reasoning_content ?? message.reasoning);
  if (thinks) parts.hasThoughts = true;
  const refusal = readText(message.refusal) ?? "";
  if (refusal !== "") parts.hasRefusal = true;
  const text = readContent(message.content, parts) + refusal;
  parts.text += text;
  if (text !== "") onText?.(text);
  return thinks || text !== "";
}

/** A text, or a list of parts of which those of type `text` count: Mistral sends thoughts and words so. */
function readContent(content: unknown, parts: Parts): string {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  if (!Array.isArray(content)) throw invalidAnswer(notPromised);
  let text = "";
  for (const part of content as unknown[]) {
    if (!isRecord(part)) throw invalidAnswer(notPromised);
    if (part.type === "text" && typeof part.text === "string") text += part.text;
    else if (part.type === "thinking") parts.hasThoughts = true;
  }
  return text;
}

/** `position`: that of a whole call, which stands for its index. */
function addToolCall(parts: Parts, wireCall: unknown, position: number | undefined): void {
  const called = isRecord(wireCall) ? wireCall.function : undefined;
  if (!isRecord(wireCall) || !isRecord(called)) throw invalidAnswer(notPromised);
  const index = position ?? wireCall.index;
  parts.calls.add({
    index: typeof index === "number" ? index : undefined,
    id: readText(wireCall.id)?.trim() ? readText(wireCall.id) : undefined,
    name: readText(called.name),
    arguments: readText(called.arguments) ?? "",
    vendorState: readSignature(wireCall.extra_content),
  });
}

/** Gemini's, as Google's compatible endpoint sends it. */
function readSignature(extra: unknown): JsonObject | undefined {
  const google = isRecord(extra) ? extra.google : undefined;
  const signature = isRecord(google) ? readText(google.thought_signature) : undefined;
  return signature ? { thoughtSignature: signature } : undefined;
}

function toAnswer({ text, hasRefusal, finishReason, usage, asked, model, calls }: Parts): ModelAnswer {
  if (finishReason === "error") throw invalidAnswer(brokenOff);
  const toolCalls = calls.finish();
  const unified = toFinishReason(finishReason, hasRefusal);
  const { prompt_tokens, completion_tokens } = isRecord(usage) ? usage : {};
  return {
    text,
    toolCalls,
    finishReason: unified === "stop" && toolCalls.length > 0 ? "tool-calls" : unified,
    usage: usageOf(readCount(prompt_tokens), readCount(completion_tokens)),
    ...(model && model !== asked && model.length <= longestName && { model }),
  };
}

/** OpenAI calls a refusal a stop. Mistral tells the limit of the model from that of the request. */
function toFinishReason(reason: string | undefined, hasRefusal: boolean): ModelAnswer["finishReason"] {
  switch (reason) {
    case "stop":
      return hasRefusal ? "content-filter" : "stop";
    case "length":
    case "model_length":
      return "length";
    case "content_filter":
      return "content-filter";
    case "tool_calls":
    case "function_call":
      return "tool-calls";
    default:
      return "other";
  }
}

function readList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalidAnswer(notPromised);
  return value;
}

function readText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function readCount(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : 0;
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
