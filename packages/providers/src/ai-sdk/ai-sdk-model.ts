import {
  AISDKError,
  APICallError,
  type JSONObject,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4FinishReason,
  type LanguageModelV4GenerateResult,
  type LanguageModelV4Message,
  type LanguageModelV4StreamPart,
  type LanguageModelV4StreamResult,
  type LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { describeNetworkError, toReason } from "@weft/engine/http";
import type {
  ChatModel,
  ModelAnswer,
  ModelCall,
  ModelContentPart,
  ModelMessage,
  ModelParameters,
  ModelToolCall,
} from "@weft/engine/ports/chat-model";
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
import { type CallReader, createCallReader, readThoughts } from "./thoughts.ts";

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

type UserPart = Extract<LanguageModelV4Message, { role: "user" }>["content"][number];
type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

/** The differences of a vendor's library and wire format. */
type VendorDialect = {
  /** The key of the library's own provider options. */
  optionsKey: string;
  options?: JSONObject;
  /** Adds a user message to a conversation that ends with the model's own: the vendor would continue or refuse it. */
  asksAtTheEnd?: boolean;
  /** Whether a failed tool's result is marked as such; otherwise only its text tells. */
  marksToolErrors?: boolean;
  /** Whether thoughts are sent back with the calls that they led to: see `ModelToolCall.vendorState`. */
  returnsThoughts?: boolean;
  /** The library's options for this many thinking tokens; 0 for no thinking. */
  toThinking?(tokens: number): JSONObject;
};

/** Converts a call of our port to LanguageModelV4. */
function toCallOptions(call: ModelCall, dialect: VendorDialect): LanguageModelV4CallOptions {
  const { tools, responseSchema, parameters = {} } = call;
  const options: LanguageModelV4CallOptions = { prompt: toPrompt(call.messages, dialect), abortSignal: call.signal };
  Object.assign(options, toSettings(parameters));
  if (tools !== undefined && tools.length > 0) {
    options.tools = tools.map(({ name, description, parameters: schema }) => ({
      type: "function",
      name,
      description,
      inputSchema: schema,
    }));
    options.toolChoice = { type: call.toolChoice ?? "auto" };
  }
  if (responseSchema !== undefined) {
    options.responseFormat = { type: "json", schema: responseSchema.schema };
  }
  const { thinkingTokens } = parameters;
  const thinking = thinkingTokens === undefined ? {} : dialect.toThinking?.(thinkingTokens);
  options.providerOptions = { [dialect.optionsKey]: { ...dialect.options, ...thinking } };
  return options;
}

function toSettings({ maxTokens, stop, ...parameters }: ModelParameters): Partial<LanguageModelV4CallOptions> {
  const { temperature, topP, topK, frequencyPenalty, presencePenalty, seed, reasoning } = parameters;
  const settings = { temperature, topP, topK, frequencyPenalty, presencePenalty, seed, reasoning };
  const all = { ...settings, maxOutputTokens: maxTokens, stopSequences: stop };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** For a model that follows another one without a user message in between. */
const goOn = "Continue.";

/**
 * Results of one turn's tools become one message, as Google requires. Empty messages are left out, since Anthropic
 * refuses a conversation with one.
 */
function toPrompt(messages: readonly ModelMessage[], dialect: VendorDialect): LanguageModelV4Message[] {
  const prompt: LanguageModelV4Message[] = [];
  for (const message of messages) {
    const next = toPromptMessage(message, dialect);
    const last = prompt.at(-1);
    if (next.role === "tool" && last?.role === "tool") last.content.push(...next.content);
    else if (next.content.length > 0) prompt.push(next);
  }
  const last = prompt.at(-1);
  if (dialect.asksAtTheEnd && last?.role === "assistant" && last.content.every(({ type }) => type === "text")) {
    prompt.push({ role: "user", content: [{ type: "text", text: goOn }] });
  }
  return prompt;
}

/** Tool arguments stay the JSON text that the model wrote, so that it reads back exactly its own output. */
function toPromptMessage(message: ModelMessage, dialect: VendorDialect): LanguageModelV4Message {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content };
    case "user":
      return { role: "user", content: toUserParts(message.content) };
    case "assistant": {
      const opening: AssistantPart[] = [];
      const content: AssistantPart[] = message.content === "" ? [] : [{ type: "text", text: message.content }];
      for (const call of message.toolCalls ?? []) {
        const { id: toolCallId, name: toolName, arguments: input } = call;
        const thoughts = readThoughts(call, dialect);
        opening.push(...thoughts.opening);
        content.push(...thoughts.following, { type: "tool-call", toolCallId, toolName, input, ...thoughts.options });
      }
      return { role: "assistant", content: [...opening, ...content] };
    }
    case "tool": {
      const { toolCallId, toolName, content, isError } = message;
      const output = { type: isError && dialect.marksToolErrors ? "error-text" : "text", value: content } as const;
      return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] };
    }
  }
}

function toUserParts(content: string | ModelContentPart[]): UserPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.flatMap((part): UserPart[] => {
    if (part.type === "text") return part.text === "" ? [] : [{ type: "text", text: part.text }];
    const { data, mediaType } = part;
    const file = data instanceof URL ? ({ type: "url", url: data } as const) : ({ type: "data", data } as const);
    return [{ type: "file", mediaType, data: file }];
  });
}
