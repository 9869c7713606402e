import { type PredictionResult, WeftError } from "@weft/schema";
import type { EventStream, StreamOptions } from "../predictions/present-sse.ts";
import type { Frame } from "../predictions/stream-frames.ts";
import { createAnswerText } from "./answer-text.ts";
import type { CompletionFacts } from "./chat-completion.ts";
import { openAiFailure } from "./openai-failure.ts";
import { toUsage } from "./to-completion.ts";

/** A streamed chat completion. Source: OpenAI API, "Chat completion chunk". */
export type CompletionStream = {
  readonly response: Response;
  /** The next frames of the run's stream. */
  frames(frames: readonly Frame[]): void;
  finish(result: PredictionResult): void;
  fail(error: unknown): void;
  /** Called when the client leaves before the end. */
  onceLeft(leave: () => void): void;
};

export type CompletionStreamOptions = { includeUsage: boolean; open(options: Partial<StreamOptions>): EventStream };

export function createCompletionStream(facts: CompletionFacts, options: CompletionStreamOptions): CompletionStream {
  const text = createAnswerText();
  const stream = options.open({ toText: ({ data }) => `data: ${toLine(data)}\n\n` });
  const base = { object: "chat.completion.chunk", ...facts };
  const noUsage = options.includeUsage ? { usage: null } : {};
  let isEnded = false;

  function sendChunk(delta: object, finishReason: "stop" | null = null): void {
    const choice = { index: 0, delta, logprobs: null, finish_reason: finishReason };
    send({ ...base, choices: [choice], ...noUsage });
  }

  function send(data: object): void {
    stream.send([{ id: "", event: "chunk", data: data as Frame["data"] }]);
  }

  function fail(error: unknown): void {
    if (isEnded) return;
    isEnded = true;
    const known = error instanceof WeftError ? error : new WeftError("internal", { cause: error });
    send(openAiFailure.toBody(known, known.status) as object);
    stream.end();
  }

  sendChunk({ role: "assistant", content: "" });
  return {
    response: stream.response,
    fail,
    frames(frames) {
      try {
        const content = isEnded ? "" : frames.map(text.read).join("");
        if (content !== "") sendChunk({ content });
      } catch (error) {
        fail(error);
      }
    },
    finish({ usage }) {
      if (isEnded) return;
      isEnded = true;
      sendChunk({}, "stop");
      if (options.includeUsage) send({ ...base, choices: [], usage: toUsage(usage) });
      stream.send([{ id: "", event: "end", data: "[DONE]" }]);
    },
    onceLeft: (leave) =>
      stream.onceOver(() => {
        if (!isEnded) leave();
      }),
  };
}

function toLine(data: Frame["data"]): string {
  return typeof data === "string" ? data : JSON.stringify(data);
}
