import type { ChatModel, ModelAnswer } from "@weft/engine/ports/chat-model";
import type { HttpExchange } from "@weft/engine/ports/http-client";
import { WeftError } from "@weft/schema";
import type { ModelHttp } from "./define-provider.ts";

/** A body in one piece has escapes, names and usage besides the answer. */
const wholeFactor = 4;
/** An event of a stream carries a few characters of the answer in a few hundred bytes. */
const streamFactor = 64;

/**
 * The same client, whose responses fail with `model-answer-too-large` once they have more bytes than any answer within
 * the limit: the rest is not read, and the connection is closed.
 */
export function withinAnswerLimit(http: ModelHttp, limitBytes: number): ModelHttp {
  const counter = (type: string | null | undefined) => {
    const factor = /^(text\/event-stream|application\/(vnd\.amazon\.eventstream|x-ndjson))\b/i.test(type ?? "")
      ? streamFactor
      : wholeFactor;
    let left = limitBytes * factor;
    return (piece: Uint8Array) => {
      left -= piece.byteLength;
      if (left < 0) throw tooLarge(limitBytes);
    };
  };
  return { ...http, exchange: limitedExchange(http.exchange, counter), fetch: limitedFetch(http.fetch, counter) };
}

type Counter = (type: string | null | undefined) => (piece: Uint8Array) => void;

function limitedExchange(exchange: HttpExchange, counter: Counter): HttpExchange {
  return async (request) => {
    const answer = await exchange(request);
    const count = counter(answer.headers["content-type"]);
    return {
      ...answer,
      text: () => answer.text(count),
      read: (take) =>
        answer.read((piece) => {
          count(piece);
          take(piece);
        }),
    };
  };
}

function limitedFetch(fetch: typeof globalThis.fetch, counter: Counter): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const count = counter(response.headers.get("content-type"));
    const limited = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        count(piece);
        controller.enqueue(piece);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(limited), { status, statusText, headers });
  };
}

/**
 * The same model, which fails with `model-answer-too-large` for a longer answer. Streamed text counts as it arrives.
 */
export function withAnswerLimit(model: ChatModel, limitBytes: number): ChatModel {
  return {
    ...model,
    async answer(call) {
      const { onText } = call;
      let saidBytes = 0;
      const counted = (text: string) => {
        saidBytes += Buffer.byteLength(text);
        if (saidBytes > limitBytes) throw tooLarge(limitBytes);
        onText?.(text);
      };
      const answer = await model.answer({ ...call, ...(onText && { onText: counted }) });
      if (sizeOf(answer) > limitBytes) throw tooLarge(limitBytes);
      return answer;
    },
  };
}

function sizeOf({ text, toolCalls }: ModelAnswer): number {
  return toolCalls.reduce((sum, call) => sum + Buffer.byteLength(call.arguments), Buffer.byteLength(text));
}

function tooLarge(limitBytes: number): WeftError {
  return new WeftError("model-answer-too-large", { params: { limitBytes } });
}
