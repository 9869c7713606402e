import { linkSignal } from "@weft/engine";
import type {
  ChatModel,
  ModelAnswer,
  ModelCall,
  ModelParameterName,
  ModelParameters,
} from "@weft/engine/ports/chat-model";
import type { Stopwatch } from "@weft/engine/ports/clock";
import type { HttpExchange } from "@weft/engine/ports/http-client";
import { modelParameterNames, WeftError } from "@weft/schema";
import type { ChatProvider, ModelHttp } from "./define-provider.ts";

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

/** Common to all chat models, unless the provider `leavesOut` one. */
const common: ReadonlySet<ModelParameterName> = new Set(["temperature", "maxTokens", "topP"]);

/** The parameters that models of the provider take. */
export function parametersOf({ parameters }: ChatProvider): ModelParameterName[] {
  return modelParameterNames.filter((name) => common.has(name) || parameters.includes(name));
}

/** The model, which receives only parameters that it accepts and can report those left out. */
export function withTakenParameters(model: ChatModel, provider: ChatProvider, name: string): ChatModel {
  const taken = new Set(parametersOf(provider));

  function unsent(given: ModelParameters): ModelParameterName[] {
    const left = new Set(provider.leavesOut?.(name, given));
    if (given.thinkingTokens !== undefined && taken.has("thinkingTokens")) left.add("reasoning");
    return modelParameterNames.filter((one) => given[one] !== undefined && (!taken.has(one) || left.has(one)));
  }

  return {
    ...model,
    unsent,
    answer(call) {
      const { parameters } = call;
      if (parameters === undefined || Object.keys(parameters).length === 0) return model.answer(call);
      const left = new Set(unsent(parameters));
      if (left.size === 0) return model.answer(call);
      const sent = Object.entries(parameters).filter(([one]) => !left.has(one as ModelParameterName));
      return model.answer({ ...call, parameters: Object.fromEntries(sent) });
    },
  };
}

/** How long a model may stay silent. */
export type AnswerLimits = {
  /** For a streamed answer. */
  firstTokenMs: number;
  /** For a streamed answer that has begun. */
  betweenTokensMs: number;
  /** For an answer in one piece. */
  answerMs: number;
};

/** The operator's settings for the limits. */
const settings: Record<keyof AnswerLimits, { awaited: string; setting: string }> = {
  firstTokenMs: { awaited: "no first token", setting: "MODEL_FIRST_TOKEN_MS" },
  betweenTokensMs: { awaited: "no further token", setting: "MODEL_BETWEEN_TOKENS_MS" },
  answerMs: { awaited: "no answer", setting: "MODEL_ANSWER_MS" },
};

export type Patience = { limits: AnswerLimits; clock: Stopwatch };

/** The model, whose `answer` aborts the request and rejects with `model-timeout` if it stays silent for too long. */
export function withPatience(model: ChatModel, { limits, clock }: Patience): ChatModel {
  async function answer(call: ModelCall) {
    const link = linkSignal(call.signal);
    const ended = new AbortController();
    let awaited: keyof AnswerLimits = call.onText === undefined ? "answerMs" : "firstTokenMs";
    let since = clock.elapsed();

    /** Polls often enough to enforce the shorter limit in time, which may have started meanwhile. */
    async function watch(): Promise<void> {
      for (;;) {
        const leftMs = since + limits[awaited] - clock.elapsed();
        if (leftMs <= 0) return link.abort(silentTooLong(awaited, limits));
        await clock.sleep(Math.min(leftMs, limits.betweenTokensMs), ended.signal);
      }
    }

    watch().catch(() => undefined);
    try {
      return await model.answer({
        ...call,
        signal: link.signal,
        onProgress() {
          since = clock.elapsed();
          awaited = "betweenTokensMs";
        },
      });
    } finally {
      ended.abort("ended");
      link.release();
    }
  }
  return { ...model, answer };
}

function silentTooLong(awaited: keyof AnswerLimits, limits: AnswerLimits): WeftError {
  return new WeftError("model-timeout", { params: { limitMs: limits[awaited], ...settings[awaited] } });
}
