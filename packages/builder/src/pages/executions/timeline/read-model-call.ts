import type { Json } from "@weft/client";
import { toJsonList, toJsonObject } from "@weft/schema";

type JsonObject = { [key: string]: Json };

/** A message sent to a model. `toolCalls`: calls the model requested in an earlier message of its own. */
export type SentMessage = { role: string; text: string; toolCalls: Json[] };

/** A model call as stored in the journal; values that are not stored are empty. */
type ModelCall = {
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
  const [asked, answered] = [toJsonObject(input), toJsonObject(output)];
  return {
    messages: toJsonList(asked.messages).map(toMessage),
    tools: toJsonList(asked.tools).map(String),
    parameters: toJsonObject(asked.parameters ?? null),
    text: toText(answered.text),
    toolCalls: toJsonList(answered.toolCalls),
    finishReason: toText(answered.finishReason),
  };
}

function toMessage(value: Json): SentMessage {
  const { role, content, toolCalls } = toJsonObject(value);
  const text = Array.isArray(content) ? content.map(toPart).join("\n") : toText(content);
  return { role: toText(role), text, toolCalls: toJsonList(toolCalls) };
}

/** A part of a message: a text, or a description of an image. */
function toPart(part: Json): string {
  const { type, text } = toJsonObject(part);
  return type === "text" ? toText(text) : JSON.stringify(part);
}

function toText(value: Json | undefined): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
}
