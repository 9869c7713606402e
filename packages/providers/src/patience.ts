import { type ChatModel, type Clock, linkSignal, type ModelCall } from "@weft/engine";
import { WeftError } from "@weft/schema";

/** How long a model may keep silent. */
export type AnswerLimits = {
  /** Of a streamed answer. */
  firstTokenMs: number;
  /** Of a streamed answer that has begun. */
  betweenTokensMs: number;
  /** Of an answer that comes in one piece. */
  answerMs: number;
};

/** The settings that an operator knows them by. */
const settings: Record<keyof AnswerLimits, { awaited: string; setting: string }> = {
  firstTokenMs: { awaited: "no first token", setting: "MODEL_FIRST_TOKEN_MS" },
  betweenTokensMs: { awaited: "no further token", setting: "MODEL_BETWEEN_TOKENS_MS" },
  answerMs: { awaited: "no answer", setting: "MODEL_ANSWER_MS" },
};

export type Patience = { limits: AnswerLimits; clock: Pick<Clock, "elapsed" | "sleep"> };

/** The model, whose `answer` ends the request and rejects with `model-timeout` when it keeps silent for too long. */
export function withPatience(model: ChatModel, { limits, clock }: Patience): ChatModel {
  async function answer(call: ModelCall) {
    const link = linkSignal(call.signal);
    const ended = new AbortController();
    let awaited: keyof AnswerLimits = call.onText === undefined ? "answerMs" : "firstTokenMs";
    let since = clock.elapsed();

    /** Looks often enough to see the shorter limit in time, which may have begun to count meanwhile. */
    async function watch(): Promise<void> {
      for (;;) {
        const leftMs = since + limits[awaited] - clock.elapsed();
        if (leftMs <= 0) return link.abort(timeout(awaited, limits));
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

function timeout(awaited: keyof AnswerLimits, limits: AnswerLimits): WeftError {
  return new WeftError("model-timeout", { params: { limitMs: limits[awaited], ...settings[awaited] } });
}
