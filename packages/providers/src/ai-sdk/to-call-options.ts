import type { JSONSchema7, LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import type { ModelCall, ModelContentPart, ModelMessage } from "@weft/engine";
import { isStrictSchema } from "./strict-schema.ts";

type UserPart = Extract<LanguageModelV4Message, { role: "user" }>["content"][number];
type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

/** A call of our port in the words of LanguageModelV4. `optionsKey`: the vendor's name for its own options. */
export function toCallOptions(call: ModelCall, optionsKey: string): LanguageModelV4CallOptions {
  const { tools, responseSchema, parameters } = call;
  const options: LanguageModelV4CallOptions = { prompt: call.messages.map(toPromptMessage), abortSignal: call.signal };
  if (parameters?.temperature !== undefined) options.temperature = parameters.temperature;
  if (parameters?.maxTokens !== undefined) options.maxOutputTokens = parameters.maxTokens;
  if (parameters?.topP !== undefined) options.topP = parameters.topP;
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
    const { name, schema } = responseSchema;
    options.responseFormat = { type: "json", name: toFormatName(name), schema: schema as JSONSchema7 };
    options.providerOptions = { [optionsKey]: { strictJsonSchema: isStrictSchema(schema) } };
  }
  return options;
}

/** Tool arguments stay the JSON text that the model wrote: what it reads back is what it said. */
function toPromptMessage(message: ModelMessage): LanguageModelV4Message {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content };
    case "user":
      return { role: "user", content: toUserParts(message.content) };
    case "assistant": {
      const content: AssistantPart[] = message.content === "" ? [] : [{ type: "text", text: message.content }];
      for (const { id, name, arguments: input } of message.toolCalls ?? []) {
        content.push({ type: "tool-call", toolCallId: id, toolName: name, input });
      }
      return { role: "assistant", content };
    }
    case "tool": {
      const { toolCallId, toolName, content } = message;
      const output = { type: "text", value: content } as const;
      return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] };
    }
  }
}

function toUserParts(content: string | ModelContentPart[]): UserPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.map((part) => {
    if (part.type === "text") return { type: "text", text: part.text };
    const { data, mediaType } = part;
    return { type: "file", mediaType, data: data instanceof URL ? { type: "url", url: data } : { type: "data", data } };
  });
}

/** OpenAI's rule for the name of a response format. */
function toFormatName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "answer";
}
