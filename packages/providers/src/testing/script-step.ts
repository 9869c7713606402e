/**
 * A tool call that the scripted server makes. `arguments`: an object is sent as JSON, a string as it is. `signature`:
 * Gemini's thought signature, where the format has a place for it.
 */
export type ScriptedToolCall = {
  id?: string;
  name: string;
  arguments: Record<string, unknown> | string;
  signature?: string;
};

/** What a step may say besides its answer. Every wire format says it in its own words. */
export type ScriptedExtras = {
  /** Wait before the first byte, in milliseconds. Default 0. */
  delayMs?: number;
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
  /** What the model thought first, with its seal, where the format has a place for it. */
  thought?: { text: string; signature: string };
  /** In the vendor's words. */
  finishReason?: string;
  /** Streams only: the connection is cut after this many events. */
  cutStreamAfter?: number;
  /** Streams only: pieces that the text or each tool call's arguments are sent in. Default one per word. */
  pieces?: number;
};

/** A step that answers: words, tool calls, or both. */
export type AnswerStep =
  | ({ text: string; toolCalls?: undefined } & ScriptedExtras)
  | ({ toolCalls: readonly ScriptedToolCall[]; text?: string } & ScriptedExtras);

/** One answer of a scripted server. */
export type ScriptStep =
  | AnswerStep
  /** An answer of any status. An object body is sent as JSON. */
  | { status: number; body?: unknown; headers?: Record<string, string>; delayMs?: number }
  /** 200 with this text instead of JSON or events. */
  | { garbage: string; contentType?: string; delayMs?: number }
  /** Takes the request and never answers. With `afterText` the stream starts with that text and then hangs. */
  | { hang: true; afterText?: string }
  /** A stream, byte for byte, each chunk in a write of its own. */
  | { chunks: readonly (string | Uint8Array)[]; delayMs?: number };

/** The body of a chat completion request, as far as scripts look at it. */
export type ChatCompletionRequest = {
  model: string;
  messages: { role: string; content?: unknown; tool_calls?: unknown[]; tool_call_id?: string }[];
  tools?: { type: "function"; function: { name: string; description?: string; parameters?: unknown } }[];
  stream?: boolean;
  [key: string]: unknown;
};

/** A request that came in. `path` is what follows the base URL. */
export type RecordedRequest<Request = ChatCompletionRequest> = {
  path: string;
  headers: Record<string, string>;
  body: Request;
};

/** Answers by a function, or step by step; after the last step the server answers 500. */
export type Script<Request = ChatCompletionRequest> =
  | readonly ScriptStep[]
  | ((request: Request, index: number) => ScriptStep);
