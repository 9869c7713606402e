import type { ChatModel, ModelAnswer, ModelCall } from "@weft/engine/ports/chat-model";
import type { ExchangeAnswer, HttpExchange } from "@weft/engine/ports/http-client";
import { fromConnection, type ModelErrorContext, toRefusal, unreadable } from "../failure/model-failure.ts";
import { createChatAnswerReader, readChatAnswer } from "./chat-answer.ts";
import { type ChatRequest, toChatRequest } from "./chat-request.ts";
import { createEventReader } from "./event-stream.ts";

export type ChatCompletionsOptions = {
  /** As in `openai/gpt-4o-mini`. */
  id: string;
  model: string;
  /** Without one no Authorization header is sent. */
  apiKey?: string | undefined;
  /** Without a trailing slash. */
  baseUrl: string;
  exchange: HttpExchange;
  /** Puts a request into the words of the vendor's own models. Default: as it is. */
  adapt?(request: ChatRequest): ChatRequest;
};

/**
 * A model behind OpenAI's Chat Completions, which compatible servers share. With `onText` it streams, and hands over
 * words in the tick in which their bytes arrive; else it asks for the answer in one piece.
 */
export function createChatCompletionsModel(options: ChatCompletionsOptions): ChatModel {
  const { id, model, apiKey, exchange, adapt = (request) => request } = options;
  const context: Asked = { id, model, secrets: apiKey === undefined ? [] : [apiKey] };
  const url = `${options.baseUrl}/chat/completions`;
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (apiKey !== undefined) headers.authorization = `Bearer ${apiKey}`;
  return {
    id,
    async answer(call) {
      const { signal } = call;
      signal.throwIfAborted();
      let isAnswered = false;
      try {
        const body = JSON.stringify(adapt(toChatRequest(model, call)));
        const answer = await exchange({ method: "POST", url, headers, body, signal });
        isAnswered = true;
        return await readAnswer(answer, call, context);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw fromConnection(error, context, isAnswered) ?? error;
      }
    },
  };
}

type Asked = ModelErrorContext & { model: string };

async function readAnswer(answer: ExchangeAnswer, call: ModelCall, context: Asked): Promise<ModelAnswer> {
  const { status } = answer;
  if (status < 200 || status > 299) {
    const body = await answer.text();
    throw status < 400 ? unreadable(body) : toRefusal({ ...answer, body }, context);
  }
  if (call.onText === undefined) return readChatAnswer(await answer.text(), call, context.model);
  const reader = createChatAnswerReader(call, context, context.model);
  const events = createEventReader(reader.add);
  await answer.read(events.push);
  events.end();
  return reader.finish();
}
