import type { JSONObject, JSONSchema7, LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import type { ModelCall, ModelContentPart, ModelMessage, ModelParameters } from "@weft/engine/ports/chat-model";
import { readThoughts } from "./thoughts.ts";

type UserPart = Extract<LanguageModelV4Message, { role: "user" }>["content"][number];
type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

/** The differences of a vendor's library and wire format. */
export type VendorDialect = {
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
export function toCallOptions(call: ModelCall, dialect: VendorDialect): LanguageModelV4CallOptions {
  const { tools, responseSchema, parameters = {} } = call;
  const options: LanguageModelV4CallOptions = { prompt: toPrompt(call.messages, dialect), abortSignal: call.signal };
  Object.assign(options, toSettings(parameters));
  if (tools !== undefined && tools.length > 0) {
    options.tools = tools.map(({ name, description, parameters: schema }) => ({
      type: "function",
      name,
      description,
      inputSchema: schema as JSONSchema7,
    }));
    options.toolChoice = { type: call.toolChoice ?? "auto" };
  }
  if (responseSchema !== undefined) {
    options.responseFormat = { type: "json", schema: responseSchema.schema as JSONSchema7 };
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
