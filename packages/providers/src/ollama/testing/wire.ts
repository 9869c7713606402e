import { type EmbeddingFormat, jsonWire } from "../../testing/embedding-format.ts";
import type { RecordedRequest } from "../../testing/script-step.ts";
import {
  defineChatWire,
  type ReadMessage,
  type ReadRequest,
  textOf,
  type VendorWire,
} from "../../testing/vendor-wire.ts";
import { type OllamaChatRequest, ollamaFormat } from "./ollama-format.ts";

type EmbedRequest = { model: string; input: string[] };

const ollamaEmbeddingFormat: EmbeddingFormat<EmbedRequest> = {
  wire: jsonWire({
    basePath: "",
    isAnswerPath: (path) => path === "/api/embed",
    toError: (message) => ({ error: message }),
  }),
  textsOf: ({ input }) => input,
  toAnswer: (embeddings) => ({ model: "scripted", embeddings, total_duration: 1_000_000 }),
  keyOf: ({ authorization }) => authorization?.replace("Bearer ", ""),
};

export const wires: Record<string, VendorWire> = {
  ollama: {
    embeddings: ollamaEmbeddingFormat,
    chat: defineChatWire({
      read: readOllamaRequest,
      format: ollamaFormat,
      model: "llama3.2",
      marksToolErrors: false,
      lengthReason: "length",
      toError: (message) => ({ error: message }),
      streamError: (message) => ({ event: `${JSON.stringify({ error: message })}\n`, status: 500 }),
      unreadableEvent: "{oops\n",
    }),
  },
};

function readOllamaRequest({ headers, body }: RecordedRequest<OllamaChatRequest>): ReadRequest {
  const { temperature, num_predict, top_p } = body.options ?? {};
  const tools = (body.tools ?? []) as { function: { name: string; description: string; parameters: unknown } }[];
  return {
    key: headers.authorization?.replace("Bearer ", ""),
    model: body.model,
    system: textOf(body.messages.filter(({ role }) => role === "system")),
    messages: body.messages.filter(({ role }) => role !== "system").map(readOllamaMessage),
    tools: tools.map(({ function: { name, description, parameters } }) => ({ name, description, schema: parameters })),
    mayCallTools: tools.length > 0,
    parameters: { temperature, maxTokens: num_predict, topP: top_p },
    schema: body.format,
  };
}

function readOllamaMessage(message: OllamaChatRequest["messages"][number]): ReadMessage {
  const { role, content, images = [] } = message;
  if (role === "tool") return { role, id: message.tool_call_id, content };
  if (role !== "assistant") {
    return { role: "user", text: content, images: images.map((data) => `data:image/png;base64,${data}`) };
  }
  const calls = (message.tool_calls ?? []) as { id: string; function: { name: string; arguments: object } }[];
  return { role, text: content, calls: calls.map(({ id, function: call }) => ({ id, ...call })) };
}
