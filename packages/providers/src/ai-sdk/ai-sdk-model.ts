import type { LanguageModelV4, LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import type { ChatModel, ModelAnswer, ModelCall } from "@weft/engine";
import { readStream } from "./read-stream.ts";
import { toCallOptions } from "./to-call-options.ts";
import { finishAnswer } from "./to-model-answer.ts";
import { toModelError } from "./to-model-error.ts";

export type AiSdkModelOptions = {
  /** As in `openai/gpt-4o-mini`. */
  id: string;
  model: LanguageModelV4;
  /** Under which name the vendor's library reads its own options. */
  optionsKey: string;
  /** Texts that no error message may contain. */
  secrets: readonly string[];
};

/**
 * A chat model over the AI SDK's provider specification (LanguageModelV4), without its `ai` package: no retries, no
 * telemetry, no reading of the environment. With `onText` it streams, else it asks for the answer in one piece.
 */
export function createAiSdkModel({ id, model, optionsKey, secrets }: AiSdkModelOptions): ChatModel {
  return {
    id,
    async answer(call) {
      call.signal.throwIfAborted();
      try {
        return await ask(model, call, optionsKey);
      } catch (error) {
        if (call.signal.aborted) throw call.signal.reason;
        throw toModelError(error, { id, secrets });
      }
    },
  };
}

async function ask(model: LanguageModelV4, call: ModelCall, optionsKey: string): Promise<ModelAnswer> {
  const options = toCallOptions(call, optionsKey);
  if (call.onText === undefined) return toAnswer(await model.doGenerate(options));
  const { stream } = await model.doStream(options);
  return readStream(stream, { signal: call.signal, onText: call.onText });
}

function toAnswer({ content, finishReason, usage }: LanguageModelV4GenerateResult): ModelAnswer {
  let text = "";
  const toolCalls: ModelAnswer["toolCalls"] = [];
  for (const part of content) {
    if (part.type === "text") text += part.text;
    if (part.type === "tool-call") toolCalls.push({ id: part.toolCallId, name: part.toolName, arguments: part.input });
  }
  return finishAnswer({ text, toolCalls, finishReason: finishReason.unified, usage });
}
