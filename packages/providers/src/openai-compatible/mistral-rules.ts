import { createHash } from "node:crypto";
import type { ChatRequest } from "../chat-completions/index.ts";

/** For a model that follows another one without a user message in between. */
const goOn = "Continue.";

/**
 * Mistral's differences from OpenAI: tool call ids are nine letters and digits, a conversation ends with a user message
 * or a tool's result, `stream_options` is refused, since every stream reports usage, and the seed is called
 * `random_seed`. (https://docs.mistral.ai/api, "Chat Completion")
 */
export function toMistralRequest({ stream_options: _, seed, ...request }: ChatRequest): ChatRequest {
  const messages = request.messages.map(toMistralMessage);
  const last = messages.at(-1);
  if (last?.role === "assistant" && last.tool_calls === undefined) messages.push({ role: "user", content: goOn });
  return { ...request, messages, random_seed: seed };
}

type Message = ChatRequest["messages"][number];

function toMistralMessage(message: Message): Message {
  if (message.role === "tool") return { ...message, tool_call_id: toMistralId(message.tool_call_id) };
  if (message.role !== "assistant" || message.tool_calls === undefined) return message;
  return { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call, id: toMistralId(call.id) })) };
}

/** Converts another model's call id to one that Mistral accepts: deterministic. */
function toMistralId(id: string): string {
  return /^[A-Za-z0-9]{9}$/.test(id) ? id : createHash("sha256").update(id).digest("hex").slice(0, 9);
}
