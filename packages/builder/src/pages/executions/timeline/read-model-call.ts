import type { Json } from "@weft/client";

type JsonObject = { [key: string]: Json };

/** A message sent to a model. `toolCalls`: calls the model requested in an earlier message of its own. */
export type SentMessage = { role: string; text: string; toolCalls: Json[] };

/** A model call as stored in the journal; values that are not stored are empty. */
export type ModelCall = {
  /** Those that an earlier call of the same step did not have. */
  messages: SentMessage[];
  tools: string[];
  parameters: JsonObject;
  text: string;
  /** Tool calls the model requests in this response. */
  toolCalls: Json[];
  finishReason: string;
};

export function readModelCall(input: Json, output: Json): ModelCall {
  const [asked, answered] = [toObject(input), toObject(output)];
  return {
    messages: toList(asked.messages).map(toMessage),
    tools: toList(asked.tools).map(String),
    parameters: toObject(asked.parameters ?? null),
    text: toText(answered.text),
    toolCalls: toList(answered.toolCalls),
    finishReason: toText(answered.finishReason),
  };
}

function toMessage(value: Json): SentMessage {
  const { role, content, toolCalls } = toObject(value);
  const text = Array.isArray(content) ? content.map(toPart).join("\n") : toText(content);
  return { role: toText(role), text, toolCalls: toList(toolCalls) };
}

/** A part of a message: a text, or a description of an image. */
function toPart(part: Json): string {
  const { type, text } = toObject(part);
  return type === "text" ? toText(text) : JSON.stringify(part);
}

function toObject(value: Json): JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
}

function toList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function toText(value: Json | undefined): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
}
