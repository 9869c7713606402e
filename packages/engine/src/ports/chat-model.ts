import type { JsonObject, JsonSchema, ModelParameterName, ModelParameters, Usage } from "@weft/schema";

export type { ModelParameterName, ModelParameters };

/** One part of a user's message. Plain text is sent as a string instead. */
export type ModelContentPart =
  | { type: "text"; text: string }
  | { type: "image"; mediaType: string; data: Uint8Array | URL };

/**
 * A tool call that a model asked for. `arguments` is the JSON text as the model wrote it; `vendorState` is opaque data
 * that the vendor needs back with the call's result: Gemini rejects a call without its thought signature, Claude one
 * without the preceding thoughts.
 */
export type ModelToolCall = { id: string; name: string; arguments: string; vendorState?: JsonObject };

/**
 * A tool message with `isOwn` explains in the platform's words why no tool was called; adapters may ignore the flag.
 */
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
  /** `none`: the model must answer with text. Default `auto`. */
  toolChoice?: "auto" | "none";
  parameters?: ModelParameters;
  /** The answer's text must be JSON of this schema. */
  responseSchema?: { name: string; schema: JsonSchema };
  /** Aborting ends the HTTP request at once; `answer` then rejects with the signal's reason. */
  signal: AbortSignal;
  /** Called with each piece of answer text as it arrives. Absent: the adapter may skip streaming. */
  onText?: (text: string) => void;
  /** Called for each piece of a streamed answer: text, thoughts, tool calls. */
  onProgress?: () => void;
};

export type ModelAnswer = {
  text: string;
  toolCalls: ModelToolCall[];
  finishReason: "stop" | "length" | "tool-calls" | "content-filter" | "other";
  usage: Usage;
  /** The model that answered, if the vendor reports another than requested, such as a dated version. */
  model?: string;
};

/**
 * A chat model of one provider.
 * `answer` rejects with a `WeftError` of a `model-*` code (`retryable` and `upstream` set) when the vendor fails.
 * It never retries: retries are the engine's, and journalled.
 */
export type ChatModel = {
  /** For example `openai/gpt-4o-mini`. */
  readonly id: string;
  /** Accepts images. Default false. */
  readonly acceptsImages?: boolean;
  /**
   * Parameters that are not sent, because the vendor rejects them, alone or in combination with the others. Default
   * none.
   */
  unsent?(parameters: ModelParameters): ModelParameterName[];
  answer(call: ModelCall): Promise<ModelAnswer>;
};

/** The model that a node asks for. Empty fields mean the operator's default. */
export type ModelReference = {
  provider?: string | undefined;
  model?: string | undefined;
  baseUrl?: string | undefined;
  /** Id of a stored credential. */
  credential?: string | undefined;
};

/** Rejects with `model-not-configured` when the provider is unknown or its credential is missing. */
export type ModelResolver = { resolve(reference: ModelReference): Promise<ChatModel> };
