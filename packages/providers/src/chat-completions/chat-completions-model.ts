import type { ChatModel } from "@weft/engine/ports/chat-model";
import type { HttpExchange } from "@weft/engine/ports/http-client";
import { createHttpChatModel } from "../http-chat-model.ts";
import { readChatAnswer } from "./chat-answer.ts";
import { type ChatRequest, toChatRequest } from "./chat-request.ts";
import { openChatStream } from "./chat-stream.ts";

export type ChatCompletionsOptions = {
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
