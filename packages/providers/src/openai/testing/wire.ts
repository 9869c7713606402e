import type { ChatCompletionRequest, RecordedRequest } from "../../testing/script-step.ts";
import {
  defineChatWire,
  type ReadMessage,
  type ReadRequest,
  textOf,
  type VendorWire,
} from "../../testing/vendor-wire.ts";
import { openAiEmbeddingFormat } from "./openai-embedding-format.ts";
import { openAiFormat } from "./openai-format.ts";

/** How OpenAI's chat models look on the wire, wherever they are. */
export const openAiTraits = {
  format: openAiFormat,
  read: readOpenAiRequest,
  model: "gpt-4o-mini",
  marksToolErrors: false,
  lengthReason: "length",
  toError: (message: string) => ({ error: { message, type: "x", param: null, code: null } }),
  streamError(message: string) {
    const error = { message, type: "server_error", code: null };
    return { event: `data: ${JSON.stringify({ error })}\n\n`, status: 500 };
  },
  unreadableEvent: "data: {oops\n\n",
};

/** OpenAI's, which compatible vendors share. */
export const openAiWire: VendorWire = { embeddings: openAiEmbeddingFormat, chat: defineChatWire(openAiTraits) };

export const wires: Record<string, VendorWire> = { openai: openAiWire };

function readOpenAiRequest({ headers, body }: RecordedRequest<ChatCompletionRequest>): ReadRequest {
  const format = body.response_format as { json_schema: { schema: unknown } } | undefined;
  return {
    key: headers.authorization?.replace("Bearer ", ""),
    model: body.model,
    system: textOf(body.messages.filter(({ role }) => role === "system")),
    messages: body.messages.filter(({ role }) => role !== "system").map(readOpenAiMessage),
    tools: (body.tools ?? []).map(({ function: { name, description, parameters } }) => {
      return { name, description, schema: parameters };
    }),
    mayCallTools: body.tools !== undefined && body.tool_choice !== "none",
    parameters: { temperature: body.temperature, maxTokens: body.max_tokens, topP: body.top_p },
    schema: format?.json_schema.schema,
  };
}

function readOpenAiMessage(message: ChatCompletionRequest["messages"][number]): ReadMessage {
  const { role, content } = message;
  if (role === "tool") return { role, id: message.tool_call_id, content };
  if (role === "assistant") {
    const calls = (message.tool_calls ?? []) as { id: string; function: { name: string; arguments: string } }[];
    return {
      role,
      text: String(content ?? ""),
      calls: calls.map((call) => {
        return { id: call.id, name: call.function.name, arguments: JSON.parse(call.function.arguments) };
      }),
    };
  }
  if (typeof content === "string") return { role: "user", text: content, images: [] };
  const parts = content as { text?: string; image_url?: { url: string } }[];
  const images = parts.flatMap(({ image_url }) => (image_url === undefined ? [] : [image_url.url]));
  return { role: "user", text: textOf(parts), images };
}
