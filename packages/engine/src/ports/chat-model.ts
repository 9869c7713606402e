import type { JsonObject, JsonSchema, ModelParameterName, ModelParameters, Usage } from "@weft/schema";

export type { ModelParameterName, ModelParameters };

/** One part of a user's message. Text alone is given as a string instead. */
export type ModelContentPart =
  | { type: "text"; text: string }
  | { type: "image"; mediaType: string; data: Uint8Array | URL };

/**
 * A tool call that a model asked for. `arguments` is the JSON text as the model wrote it; `vendorState` what its vendor
 * wants back with the call's result, as it came: Gemini refuses a call without its thought signature, Claude one without
 * the thoughts before it.
 */
export type ModelToolCall = { id: string; name: string; arguments: string; vendorState?: JsonObject };

/** A tool message that `isOwn` says in the platform's words why nothing was called; adapters need not know. */
export type ModelMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string | ModelContentPart[] }
  | { role: "assistant"; content: string; toolCalls?: ModelToolCall[] }
  | { role: "tool"; toolCallId: string; toolName: string; content: string; isError?: boolean; isOwn?: true };

/** A tool as the model sees it. `name` matches `[A-Za-z0-9_-]{1,64}`. */
export type ModelTool = { name: string; description: string; parameters: JsonSchema };

export type ModelCall = {
  messages: readonly ModelMessage[];
  tools?: readonly ModelTool[];
  /** `none`: the model must answer in words. Default `auto`. */
  toolChoice?: "auto" | "none";
  parameters?: ModelParameters;
  /** The answer's text must be JSON of this schema. */
  responseSchema?: { name: string; schema: JsonSchema };
  /** Aborting ends the HTTP request at once; `answer` then rejects with the signal's reason. */
  signal: AbortSignal;
  /** Called with each piece of answer text as it arrives. Absent: the adapter may ask without streaming. */
  onText?: (text: string) => void;
  /** Called by an answer that is streamed for each piece that arrives: words, thoughts, calls of tools. */
  onProgress?: () => void;
};

export type ModelAnswer = {
  text: string;
  toolCalls: ModelToolCall[];
  finishReason: "stop" | "length" | "tool-calls" | "content-filter" | "other";
  usage: Usage;
  /** Which model answered, where the vendor names another than it was asked for, such as a dated version. */
  model?: string;
};

/**
 * One chat model of one provider.
 * `answer` rejects with a `WeftError` of a `model-*` code (`retryable` and `upstream` set) when the vendor fails.
 * It never retries: retries are the engine's, and journalled.
 */
export type ChatModel = {
  /** As in `openai/gpt-4o-mini`. */
  readonly id: string;
  /** Whether pictures can be sent to it. Default false. */
  readonly acceptsImages?: boolean;
  /** Names the parameters that it is not sent, because its vendor takes none such, or not beside the others. Default none. */
  unsent?(parameters: ModelParameters): ModelParameterName[];
  answer(call: ModelCall): Promise<ModelAnswer>;
};

/** Which model a node wants. Empty fields mean the operator's default. */
export type ModelReference = {
  provider?: string | undefined;
  model?: string | undefined;
  baseUrl?: string | undefined;
  /** Id of a stored credential. */
  credential?: string | undefined;
};

/** Rejects with `model-not-configured` when the provider is unknown or its credential is missing. */
export type ModelResolver = { resolve(reference: ModelReference): Promise<ChatModel> };
