import type { MessagesRequest } from "./anthropic-format.ts";
import type { GenerateContentRequest } from "./google-format.ts";
import type { OllamaChatRequest } from "./ollama-format.ts";
import type { ChatCompletionRequest, RecordedRequest } from "./script-step.ts";

/** What a request says, whatever its wire format. What the format has no place for is absent. */
export type ReadRequest = {
  key: string | undefined;
  model: string;
  system: string;
  messages: ReadMessage[];
  tools: { name: string; description: string | undefined; schema: unknown }[];
  mayCallTools: boolean;
  parameters: { temperature?: unknown; maxTokens?: unknown; topP?: unknown };
  schema: unknown;
};

export type ReadMessage =
  | { role: "user"; text: string; images: string[] }
  | { role: "assistant"; text: string; calls: { id: unknown; name: unknown; arguments: unknown }[] }
  | { role: "tool"; id: unknown; content: unknown; isError?: boolean };

type Fields = Record<string, unknown>;

export function readOpenAiRequest({ headers, body }: RecordedRequest<ChatCompletionRequest>): ReadRequest {
  const format = body.response_format as { json_schema: { schema: unknown } } | undefined;
  return {
    key: headers.authorization?.replace("Bearer ", ""),
    model: body.model,
    system: textOf(body.messages.filter(({ role }) => role === "system")),
    messages: body.messages.filter(({ role }) => role !== "system").map(readOpenAiMessage),
    tools: (body.tools ?? []).map(({ function: { name, description, parameters } }) => {
      return { name, description, schema: parameters };
    }),
    mayCallTools: body.tools !== undefined && body.tool_choice !== "none",
    parameters: { temperature: body.temperature, maxTokens: body.max_tokens, topP: body.top_p },
    schema: format?.json_schema.schema,
  };
}

function readOpenAiMessage(message: ChatCompletionRequest["messages"][number]): ReadMessage {
  const { role, content } = message;
  if (role === "tool") return { role, id: message.tool_call_id, content };
  if (role === "assistant") {
    const calls = (message.tool_calls ?? []) as { id: string; function: { name: string; arguments: string } }[];
    return {
      role,
      text: String(content ?? ""),
      calls: calls.map((call) => {
        return { id: call.id, name: call.function.name, arguments: JSON.parse(call.function.arguments) };
      }),
    };
  }
  if (typeof content === "string") return { role: "user", text: content, images: [] };
  const parts = content as { text?: string; image_url?: { url: string } }[];
  const images = parts.flatMap(({ image_url }) => (image_url === undefined ? [] : [image_url.url]));
  return { role: "user", text: textOf(parts), images };
}

export function readAnthropicRequest({ headers, body }: RecordedRequest<MessagesRequest>): ReadRequest {
  const config = body.output_config as { format: { schema: unknown } } | undefined;
  return {
    key: headers["x-api-key"],
    model: body.model,
    system: textOf((body.system ?? []) as Fields[]),
    messages: body.messages.flatMap(readAnthropicMessage),
    tools: (body.tools ?? []).map(({ name, description, input_schema }) => ({
      name,
      description,
      schema: input_schema,
    })),
    mayCallTools: body.tools !== undefined && (body.tool_choice as Fields | undefined)?.type !== "none",
    parameters: { temperature: body.temperature, maxTokens: body.max_tokens, topP: body.top_p },
    schema: config?.format.schema,
  };
}

function readAnthropicMessage({ role, content }: MessagesRequest["messages"][number]): ReadMessage[] {
  const blocks = content as Fields[];
  const ofType = (type: string) => blocks.filter((block) => block.type === type);
  const text = textOf(ofType("text"));
  if (role === "assistant") {
    const calls = ofType("tool_use").map(({ id, name, input }) => ({ id, name, arguments: input }));
    return [{ role, text, calls }];
  }
  const results = ofType("tool_result").map((block): ReadMessage => {
    return { role: "tool", id: block.tool_use_id, content: block.content, isError: block.is_error === true };
  });
  const images = ofType("image").map(({ source }) => toDataUrl(source as Fields, "media_type"));
  return results.length > 0 ? results : [{ role: "user", text, images }];
}

export function readGoogleRequest({ path, headers, body }: RecordedRequest<GenerateContentRequest>): ReadRequest {
  const config = (body.generationConfig ?? {}) as Fields;
  const toolConfig = body.toolConfig as { functionCallingConfig: { mode: string } } | undefined;
  const declarations = (body.tools ?? []).flatMap(({ functionDeclarations }) => functionDeclarations);
  return {
    key: headers["x-goog-api-key"],
    model: /models\/(.+):/.exec(path)?.[1] ?? "",
    system: textOf(body.systemInstruction?.parts ?? []),
    messages: body.contents.flatMap(readGoogleContent),
    tools: declarations.map((tool) => ({
      name: tool.name,
      description: tool.description,
      schema: (tool as Fields).parametersJsonSchema,
    })),
    mayCallTools: declarations.length > 0 && toolConfig?.functionCallingConfig.mode !== "NONE",
    parameters: { temperature: config.temperature, maxTokens: config.maxOutputTokens, topP: config.topP },
    schema: config.responseJsonSchema,
  };
}

function readGoogleContent({ role, parts }: GenerateContentRequest["contents"][number]): ReadMessage[] {
  const every = (key: string) => parts.filter((part) => key in part).map((part) => part[key] as Fields);
  const text = textOf(parts);
  if (role === "model") {
    const calls = every("functionCall").map(({ id, name, args }) => ({ id, name, arguments: args }));
    return [{ role: "assistant", text, calls }];
  }
  const results = every("functionResponse").map((part): ReadMessage => {
    const { content, error } = part.response as Fields;
    return { role: "tool", id: part.id, content: content ?? error, isError: error !== undefined };
  });
  const images = every("inlineData").map((data) => toDataUrl(data, "mimeType"));
  return results.length > 0 ? results : [{ role: "user", text, images }];
}

export function readOllamaRequest({ headers, body }: RecordedRequest<OllamaChatRequest>): ReadRequest {
  const { temperature, num_predict, top_p } = body.options ?? {};
  const tools = (body.tools ?? []) as { function: { name: string; description: string; parameters: unknown } }[];
  return {
    key: headers.authorization?.replace("Bearer ", ""),
    model: body.model,
    system: textOf(body.messages.filter(({ role }) => role === "system")),
    messages: body.messages.filter(({ role }) => role !== "system").map(readOllamaMessage),
    tools: tools.map(({ function: { name, description, parameters } }) => ({ name, description, schema: parameters })),
    mayCallTools: tools.length > 0,
    parameters: { temperature, maxTokens: num_predict, topP: top_p },
    schema: body.format,
  };
}

function readOllamaMessage(message: OllamaChatRequest["messages"][number]): ReadMessage {
  const { role, content, images = [] } = message;
  if (role === "tool") return { role, id: message.tool_call_id, content };
  if (role !== "assistant") {
    return { role: "user", text: content, images: images.map((data) => `data:image/png;base64,${data}`) };
  }
  const calls = (message.tool_calls ?? []) as { id: string; function: { name: string; arguments: object } }[];
  return { role, text: content, calls: calls.map(({ id, function: call }) => ({ id, ...call })) };
}

function textOf(parts: readonly { text?: unknown; content?: unknown }[]): string {
  return parts.flatMap(({ text, content }) => text ?? content ?? []).join("\n");
}

function toDataUrl(source: Fields, typeKey: string): string {
  return `data:${source[typeKey]};base64,${source.data}`;
}
