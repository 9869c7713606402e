import type { ModelAnswer, ModelCall } from "@weft/engine/ports/chat-model";
import { type JsonObject, parseJson, usageOf } from "@weft/schema";
import {
  brokenOff,
  fromVendorError,
  invalidAnswer,
  type ModelErrorContext,
  unreadable,
} from "../failure/model-failure.ts";
import { readVendorError } from "../failure/vendor-error.ts";
import { createThoughtFilter, type ThoughtFilter } from "../thoughts-in-tags.ts";
import { createEventReader } from "./event-stream.ts";
import { createRepetition } from "./repeated-event.ts";
import { type CallCollector, createCallCollector } from "./tool-calls.ts";

type Fields = Record<string, unknown>;

/** The parts of an answer so far. */
type Parts = {
  text: string;
  thoughts: ThoughtFilter;
  hasThoughts: boolean;
  hasRefusal: boolean;
  finishReason: string | undefined;
  usage: unknown;
  /** The requested model, and the one that the answer names. */
  asked: string;
  model: string | undefined;
  /** Messages of the conversation before it, which makes ids of calls unique there. */
  earlier: number;
  /** Absent until it calls a tool. */
  calls?: CallCollector;
};

const longestName = 200;
const notPromised = "it is not what the API promises";
const done = "[DONE]";

/**
 * The answer of the model `asked` in a body of one piece; one in the events of a stream, which some servers send
 * unrequested, is read as well. Throws the vendor's error if the body contains one, and `model-invalid-answer` for
 * anything else.
 */
export function readChatAnswer(body: string, call: ModelCall, { context, asked }: AskedModel): ModelAnswer {
  const value = parseJson(body);
  if (value === undefined && /^\s*(?:data|event|id|:)/.test(body)) return readEvents(body, call, { context, asked });
  const choices = isRecord(value) ? readChoices(value, context) : undefined;
  if (!isRecord(value) || choices === undefined) throw unreadable(body);
  const parts = createParts(call, asked);
  const [choice] = choices;
  const message = isRecord(choice) ? (choice.message ?? choice.delta) : undefined;
  if (!isRecord(choice) || !isRecord(message)) throw invalidAnswer(notPromised);
  addMessage(parts, message, { onText: call.onText, isWhole: true });
  parts.finishReason = readReason(choice.finish_reason);
  parts.usage = readUsage(value, choice);
  parts.model = readText(value.model);
  const answer = toAnswer(parts, call.onText);
  if (saysNothing(parts) && parts.finishReason === undefined) throw invalidAnswer(notPromised);
  return answer;
}

/** The requested model, and the context of its failures. */
export type AskedModel = { context: ModelErrorContext; asked: string };

function readEvents(body: string, call: ModelCall, model: AskedModel): ModelAnswer {
  const reader = createChatAnswerReader(call, model);
  const events = createEventReader(reader.add);
  events.push(Buffer.from(body));
  events.end();
  return reader.finish();
}

/** Assembles an answer from the data of the events of its stream. */
export type ChatAnswerReader = { add(data: string): void; finish(): ModelAnswer };

/**
 * Passes text to the call's `onText` as it arrives. Events without a choice, or unreadable ones, are skipped if an
 * answer arrives anyway. Throws the vendor's error if an event contains one, and `model-invalid-answer` for a stream
 * that ends without a finish reason, was truncated, or contains nothing readable.
 */
export function createChatAnswerReader(call: ModelCall, { context, asked }: AskedModel): ChatAnswerReader {
  const parts = createParts(call, asked);
  const repeated = createRepetition();
  let isDone = false;
  let isOdd = false;

  function addChoice(choice: Fields): void {
    parts.finishReason = readReason(choice.finish_reason) ?? parts.finishReason;
    const piece = choice.delta ?? (saysNothing(parts) ? choice.message : undefined) ?? choice.text;
    const delta = typeof piece === "string" ? { content: piece } : piece;
    if (!isRecord(delta)) return;
    const isWhole = choice.delta === undefined || choice.delta === null;
    if (addMessage(parts, delta, { onText: call.onText, isWhole })) call.onProgress?.();
  }

  return {
    add(data) {
      if (data.trim() === done) {
        isDone = true;
        return;
      }
      const repeatedText = isDone ? undefined : repeated.textOf(data);
      if (repeatedText !== undefined) {
        say(parts, parts.thoughts.add(repeatedText), call.onText);
        call.onProgress?.();
        return;
      }
      const event = readEvent(data);
      const choices = event && readChoices(event, context);
      isOdd ||= choices === undefined;
      if (event === undefined) return;
      const [choice] = choices ?? [];
      parts.usage = readUsage(event, choice) ?? parts.usage;
      parts.model ??= readText(event.model);
      // Usage may follow the end, text may not.
      if (isRecord(choice) && !isDone) addChoice(choice);
      repeated.learn(data, event);
    },
    finish() {
      if (saysNothing(parts) && isOdd) throw invalidAnswer(notPromised);
      if (parts.finishReason === undefined) throw invalidAnswer(brokenOff);
      return toAnswer(parts, call.onText);
    },
  };
}

/** Undefined for a keep-alive, which is not JSON. Truncated JSON contains text of the answer: that throws. */
function readEvent(data: string): Fields | undefined {
  const event = parseJson(data);
  if (event === undefined && /^\s*[{[]/.test(data)) throw invalidAnswer(notPromised);
  return isRecord(event) ? event : undefined;
}

/** Undefined if there are none. Throws an error sent in their place, beside them or in one of them. */
function readChoices(value: Fields, context: ModelErrorContext): readonly unknown[] | undefined {
  const choices = Array.isArray(value.choices) ? value.choices : undefined;
  const [choice] = choices ?? [];
  const said = [value.error, isRecord(choice) ? choice.error : undefined].find(Boolean);
  const reported = said === undefined ? choices === undefined && value : { error: said };
  const error = reported === false ? undefined : readVendorError(reported);
  if (error !== undefined) throw fromVendorError(error, context);
  return choices;
}

/** Beside the choices, or inside one, as Moonshot and Groq send it. */
function readUsage(value: Fields, choice: unknown): unknown {
  const groq = isRecord(value.x_groq) ? value.x_groq.usage : undefined;
  return [value.usage, isRecord(choice) ? choice.usage : undefined, groq].find((usage) => isRecord(usage));
}

function createParts({ messages }: ModelCall, asked: string): Parts {
  return {
    text: "",
    thoughts: createThoughtFilter(),
    hasThoughts: false,
    hasRefusal: false,
    finishReason: undefined,
    usage: undefined,
    asked,
    model: undefined,
    earlier: messages.length,
  };
}

function saysNothing({ text, hasThoughts, thoughts, calls }: Parts): boolean {
  return text === "" && !hasThoughts && !thoughts.found() && calls === undefined;
}

type Told = { onText: ModelCall["onText"]; isWhole: boolean };

/** Adds the content of a message or a delta, and returns whether there was any. A refusal counts as text too. */
function addMessage(parts: Parts, message: Fields, { onText, isWhole }: Told): boolean {
  const thinks = Boolean(message.reasoning_content ?? message.reasoning);
  if (thinks) parts.hasThoughts = true;
  const refusal = readText(message.refusal) ?? "";
  if (refusal !== "") parts.hasRefusal = true;
  const content = readContent(message.content, parts);
  say(parts, parts.thoughts.add(content) + refusal, onText);
  const calls = [...readList(message.tool_calls), ...(isRecord(message.function_call) ? [message.function_call] : [])];
  for (const [position, wireCall] of calls.entries()) addToolCall(parts, wireCall, isWhole ? position : undefined);
  return thinks || content !== "" || refusal !== "" || calls.length > 0;
}

function say(parts: Parts, text: string, onText: ModelCall["onText"]): void {
  parts.text += text;
  if (text !== "") onText?.(text);
}

/** A text, or a list of parts of which those of type `text` count: Mistral sends thoughts and text this way. */
function readContent(content: unknown, parts: Parts): string {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  if (!Array.isArray(content)) throw invalidAnswer(notPromised);
  let text = "";
  for (const part of content) {
    if (!isRecord(part)) throw invalidAnswer(notPromised);
    if (part.type === "text" && typeof part.text === "string") text += part.text;
    else if (part.type === "thinking") parts.hasThoughts = true;
  }
  return text;
}

/** `position`: that of a whole call, used as its index. The legacy form has name and arguments beside each other. */
function addToolCall(parts: Parts, wireCall: unknown, position: number | undefined): void {
  if (wireCall === null) return;
  const called = isRecord(wireCall) ? (wireCall.function ?? wireCall) : undefined;
  if (!isRecord(wireCall) || !isRecord(called) || !("name" in called || "arguments" in called)) {
    throw invalidAnswer(notPromised);
  }
  const index = position ?? wireCall.index;
  parts.calls ??= createCallCollector((at) => `call_${parts.earlier}_${at}`);
  parts.calls.add({
    index: typeof index === "number" ? index : undefined,
    id: readText(wireCall.id)?.trim() ? readText(wireCall.id) : undefined,
    name: readText(called.name),
    arguments: readArguments(called.arguments),
    vendorState: readSignature(wireCall.extra_content),
  });
}

/** JSON as text, or as the value itself. */
function readArguments(value: unknown): string {
  return readText(value) ?? (typeof value === "object" && value !== null ? JSON.stringify(value) : "");
}

/** Gemini's signature, as Google's compatible endpoint sends it. */
function readSignature(extra: unknown): JsonObject | undefined {
  const google = isRecord(extra) ? extra.google : undefined;
  const signature = isRecord(google) ? readText(google.thought_signature) : undefined;
  return signature ? { thoughtSignature: signature } : undefined;
}

function toAnswer(parts: Parts, onText: ModelCall["onText"]): ModelAnswer {
  say(parts, parts.thoughts.end(), onText);
  const { text, hasRefusal, finishReason, usage, asked, model, calls } = parts;
  if (finishReason === "error") throw invalidAnswer(brokenOff);
  const toolCalls = calls?.finish() ?? [];
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

/** OpenAI reports a refusal as `stop`. Mistral distinguishes the model's limit from the request's. */
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

/** Some servers send an empty one with every delta. */
function readReason(value: unknown): string | undefined {
  return readText(value) || undefined;
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
