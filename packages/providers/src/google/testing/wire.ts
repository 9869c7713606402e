import { type EmbeddingFormat, jsonWire } from "../../testing/embedding-format.ts";
import type { RecordedRequest } from "../../testing/script-step.ts";
import {
  defineChatWire,
  type ReadMessage,
  type ReadRequest,
  textOf,
  toDataUrl,
  type VendorWire,
} from "../../testing/vendor-wire.ts";
import { type GenerateContentRequest, googleFormat } from "./google-format.ts";

type Fields = Record<string, unknown>;
type BatchRequest = { requests: { content: { parts: { text: string }[] }; taskType: string }[] };

const googleEmbeddingFormat: EmbeddingFormat<BatchRequest> = {
  wire: jsonWire({
    basePath: "/v1beta",
    isAnswerPath: (path) => /^\/models\/[^/]+:batchEmbedContents$/.test(path),
    toError: (message) => ({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }),
  }),
  textsOf: ({ requests }) => requests.map(({ content }) => content.parts.map(({ text }) => text).join("")),
  toAnswer: (vectors) => ({ embeddings: vectors.map((values) => ({ values })) }),
  keyOf: (headers) => headers["x-goog-api-key"],
  queryMark: /RETRIEVAL_QUERY/,
};

/** How Gemini looks on the wire, wherever it is. */
export const googleTraits = {
  read: readGoogleRequest,
  format: googleFormat,
  model: "gemini-3.5-flash",
  marksToolErrors: true,
  lengthReason: "MAX_TOKENS",
  toError: (message: string) => ({ error: { code: 400, message, status: "X" } }),
  streamError(message: string) {
    const error = { code: 503, message, status: "UNAVAILABLE" };
    return { event: `data: ${JSON.stringify({ error })}\r\n\r\n`, status: 503 };
  },
  unreadableEvent: "data: {oops\r\n\r\n",
};

export const wires: Record<string, VendorWire> = {
  google: { embeddings: googleEmbeddingFormat, chat: defineChatWire(googleTraits) },
};

function readGoogleRequest({ path, headers, body }: RecordedRequest<GenerateContentRequest>): ReadRequest {
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
