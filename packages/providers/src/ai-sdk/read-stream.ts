import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { ModelAnswer } from "@weft/engine";
import { type AnswerParts, finishAnswer, toToolCall } from "./to-model-answer.ts";

export type ReadStreamOptions = {
  signal: AbortSignal;
  onText: (text: string) => void;
  onProgress?: (() => void) | undefined;
  /** That of the vendor's dialect. */
  optionsKey: string;
};

/**
 * Reads a model's stream to its end. Rejects with the stream's error, with `model-invalid-answer` when it ends early, or
 * with the signal's reason at once, even if the vendor's stream does not heed the signal.
 */
export async function readStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  options: ReadStreamOptions,
): Promise<ModelAnswer> {
  const { signal } = options;
  const reader = stream.getReader();
  const stop = () => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  const answer: AnswerParts = { text: "", toolCalls: [], finishReason: "interrupted", usage: undefined };
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (!openings.has(next.value.type)) options.onProgress?.();
      addPart(answer, next.value, options);
    }
    signal.throwIfAborted();
    return finishAnswer(answer);
  } catch (error) {
    reader.cancel(error).catch(() => undefined);
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Parts that come with the headers, before the model has said anything. */
const openings = new Set(["stream-start", "response-metadata", "raw"]);

function addPart(
  answer: AnswerParts,
  part: LanguageModelV4StreamPart,
  { onText, optionsKey }: ReadStreamOptions,
): void {
  switch (part.type) {
    case "text-delta":
      answer.text += part.delta;
      if (part.delta !== "") onText(part.delta);
      return;
    case "tool-call":
      answer.toolCalls.push(toToolCall(part, optionsKey));
      return;
    case "finish":
      answer.finishReason = part.finishReason.unified;
      answer.usage = part.usage;
      return;
    case "error":
      throw part.error;
    default:
  }
}
