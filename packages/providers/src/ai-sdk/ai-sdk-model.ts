import {
  AISDKError,
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4FinishReason,
  type LanguageModelV4GenerateResult,
  type LanguageModelV4StreamPart,
  type LanguageModelV4StreamResult,
  type LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { describeNetworkError, toReason } from "@weft/engine/http";
import type { ChatModel, ModelAnswer, ModelToolCall } from "@weft/engine/ports/chat-model";
import { usageOf, type WeftError } from "@weft/schema";
import {
  brokenOff,
  fromConnection,
  fromVendorError,
  invalidAnswer,
  type ModelErrorContext,
  toRefusal,
  unreachable,
  unreadable,
  unsent,
} from "../failure/model-failure.ts";
import { readVendorError } from "../failure/vendor-error.ts";
import { type CallReader, createCallReader } from "./thoughts.ts";
import { toCallOptions, type VendorDialect } from "./to-call-options.ts";

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
 * telemetry, no access to the environment. Streams with `onText`, otherwise requests the answer in one piece.
 */
export function createAiSdkModel({ id, model, dialect, secrets }: AiSdkModelOptions): ChatModel {
  return {
    id,
    async answer(call) {
      call.signal.throwIfAborted();
      const { onText, onProgress, signal } = call;
      let isAnswered = false;
      try {
        const options = toCallOptions(call, dialect);
        if (onText === undefined) return toAnswer(await model.doGenerate(options), { dialect, asked: model.modelId });
        const { stream } = await beginStream(model.doStream(options));
        isAnswered = true;
        return await readStream(stream, { signal, onText, onProgress, dialect, asked: model.modelId });
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw toModelError(error, { id, secrets }, isAnswered);
      }
    },
  };
}

/** Anthropic's adapter reads the first event itself, and throws a bare `Error` if it cannot parse it. */
async function beginStream(result: PromiseLike<LanguageModelV4StreamResult>): Promise<LanguageModelV4StreamResult> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error && error.constructor === Error) throw invalidAnswer("its first event is unreadable");
    throw error;
  }
}

/** Google's adapter accepts an empty object as an answer: without content or a finish reason it is none. */
function toAnswer(
  { content, finishReason, usage, response }: LanguageModelV4GenerateResult,
  { dialect, asked }: { dialect: VendorDialect; asked: string },
): ModelAnswer {
  if (content.length === 0 && finishReason.raw === undefined) throw invalidAnswer("it is not what the API promises");
  let text = "";
  const toolCalls: ModelAnswer["toolCalls"] = [];
  const calls = createCallReader(dialect);
  for (const [index, part] of content.entries()) {
    if (part.type === "text") text += part.text;
    if (part.type === "reasoning") {
      calls.think(`${index}`, { text: part.text, metadata: part.providerMetadata, opens: text === "" });
    }
    if (part.type === "tool-call") toolCalls.push(calls.toCall(part));
  }
  return finishAnswer({ text, toolCalls, finishReason: finishReason.unified, usage, model: response?.modelId, asked });
}

/**
 * Translates an error of the vendor's library into a `WeftError` of a `model-*` code. The library's own error is not
 * kept as the cause: it contains the whole prompt. An egress refusal passes through unchanged, as does an error that is
 * not the vendor's: a bug. `isAnswered`: whether the answer had begun.
 */
function toModelError(error: unknown, context: ModelErrorContext, isAnswered: boolean): unknown {
  const hasStatus = APICallError.isInstance(error) && error.statusCode !== undefined;
  const broken = fromConnection(error, context, isAnswered || hasStatus);
  if (broken !== undefined) return broken;
  if (APICallError.isInstance(error)) return fromCallError(error, context);
  const vendorError = readVendorError(error);
  if (vendorError !== undefined) return fromVendorError(vendorError, context);
  return AISDKError.isInstance(error) ? fromLibraryError(error, context) : error;
}

function fromCallError(error: APICallError, context: ModelErrorContext): WeftError {
  const { statusCode: status, responseBody: body, responseHeaders: headers = {}, data } = error;
  if (status === undefined) return unreachable(describeNetworkError(error.cause ?? error, context.secrets));
  if (status < 400) return unreadable(body);
  return toRefusal({ status, statusText: error.message, headers, body, data }, context);
}

/** The library rejected the request (nothing was sent) or could not read the answer. */
function fromLibraryError(error: AISDKError, { secrets }: ModelErrorContext): WeftError {
  if (requestErrorNames.has(error.name)) return unsent(toReason(error.message, secrets));
  return invalidAnswer("it is not what the API promises");
}

const requestErrorNames = new Set([
  "AI_UnsupportedFunctionalityError",
  "AI_InvalidArgumentError",
  "AI_InvalidPromptError",
]);

type ReadStreamOptions = {
  signal: AbortSignal;
  onText: (text: string) => void;
  onProgress?: (() => void) | undefined;
  dialect: VendorDialect;
  asked: string;
};

/**
 * Reads a model's stream to its end. Rejects with the stream's error, with `model-invalid-answer` if it ends early, or
 * immediately with the signal's reason, even if the vendor's stream ignores the signal.
 */
async function readStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  options: ReadStreamOptions,
): Promise<ModelAnswer> {
  const { signal } = options;
  const reader = stream.getReader();
  const stop = () => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  const { asked, onText } = options;
  const calls = createCallReader(options.dialect);
  const nothing = { text: "", usage: undefined, model: undefined };
  const answer: AnswerParts = { ...nothing, toolCalls: [], finishReason: "interrupted", asked };
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (!openings.has(next.value.type)) options.onProgress?.();
      addPart(answer, next.value, { onText, calls });
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

const longestName = 200;

/** Parts that arrive with the headers, before any output of the model. */
const openings = new Set(["stream-start", "response-metadata", "raw"]);

function addPart(
  answer: AnswerParts,
  part: LanguageModelV4StreamPart,
  { onText, calls }: Pick<ReadStreamOptions, "onText"> & { calls: CallReader },
): void {
  switch (part.type) {
    case "text-delta":
      answer.text += part.delta;
      if (part.delta !== "") onText(part.delta);
      return;
    case "tool-call":
      answer.toolCalls.push(calls.toCall(part));
      return;
    case "reasoning-start":
    case "reasoning-delta":
    case "reasoning-end": {
      const text = "delta" in part ? part.delta : "";
      calls.think(part.id, { text, metadata: part.providerMetadata, opens: answer.text === "" });
      return;
    }
    case "finish":
      answer.finishReason = part.finishReason.unified;
      answer.usage = part.usage;
      return;
    case "response-metadata":
      answer.model = part.modelId;
      return;
    case "error":
      throw part.error;
    default:
  }
}

type AnswerParts = {
  text: string;
  toolCalls: ModelToolCall[];
  finishReason: LanguageModelV4FinishReason["unified"];
  usage: LanguageModelV4Usage | undefined;
  asked: string;
  model: string | undefined;
};

/**
 * Rejects an answer that the vendor did not finish with `model-invalid-answer`: its text or arguments may be truncated.
 */
function finishAnswer({ text, toolCalls, finishReason, usage, asked, model }: AnswerParts): ModelAnswer {
  if (finishReason === "error" || finishReason === "interrupted") throw invalidAnswer(brokenOff);
  return {
    text,
    toolCalls,
    finishReason: finishReason === "stop" && toolCalls.length > 0 ? "tool-calls" : finishReason,
    usage: usageOf(usage?.inputTokens.total ?? 0, usage?.outputTokens.total ?? 0),
    ...(model && model !== asked && model.length <= longestName && { model }),
  };
}
