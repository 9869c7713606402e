import type { LanguageModelV4, LanguageModelV4GenerateResult, LanguageModelV4StreamResult } from "@ai-sdk/provider";
import type { ChatModel, ModelAnswer } from "@weft/engine";
import { invalidAnswer } from "../failure/model-failure.ts";
import { readStream } from "./read-stream.ts";
import { toCallOptions, type VendorDialect } from "./to-call-options.ts";
import { finishAnswer, toToolCall } from "./to-model-answer.ts";
import { toModelError } from "./to-model-error.ts";

export type AiSdkModelOptions = {
  /** As in `openai/gpt-4o-mini`. */
  id: string;
  model: LanguageModelV4;
  dialect: VendorDialect;
  /** Texts that no error message may contain. */
  secrets: readonly string[];
};

/**
 * A chat model over the AI SDK's provider specification (LanguageModelV4), without its `ai` package: no retries, no
 * telemetry, no reading of the environment. With `onText` it streams, else it asks for the answer in one piece.
 */
export function createAiSdkModel({ id, model, dialect, secrets }: AiSdkModelOptions): ChatModel {
  const { optionsKey } = dialect;
  return {
    id,
    async answer(call) {
      call.signal.throwIfAborted();
      const { onText, onProgress, signal } = call;
      let isAnswered = false;
      try {
        const options = toCallOptions(call, dialect);
        if (onText === undefined) return toAnswer(await model.doGenerate(options), optionsKey);
        const { stream } = await beginStream(model.doStream(options));
        isAnswered = true;
        return await readStream(stream, { signal, onText, onProgress, optionsKey });
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw toModelError(error, { id, secrets }, isAnswered);
      }
    },
  };
}

/** Anthropic's adapter looks at the first event itself, and throws a bare `Error` when it cannot read it. */
async function beginStream(result: PromiseLike<LanguageModelV4StreamResult>): Promise<LanguageModelV4StreamResult> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error && error.constructor === Error) throw invalidAnswer("its first event is unreadable");
    throw error;
  }
}

/** An empty object passes for an answer of Google's: what neither says anything nor why it ends is none. */
function toAnswer({ content, finishReason, usage }: LanguageModelV4GenerateResult, optionsKey: string): ModelAnswer {
  if (content.length === 0 && finishReason.raw === undefined) throw invalidAnswer("it is not what the API promises");
  let text = "";
  const toolCalls: ModelAnswer["toolCalls"] = [];
  for (const part of content) {
    if (part.type === "text") text += part.text;
    if (part.type === "tool-call") toolCalls.push(toToolCall(part, optionsKey));
  }
  return finishAnswer({ text, toolCalls, finishReason: finishReason.unified, usage });
}
