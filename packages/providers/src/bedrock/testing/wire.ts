import { type EmbeddingFormat, jsonWire } from "../../testing/embedding-format.ts";
import type { RecordedRequest } from "../../testing/script-step.ts";
import {
  defineChatWire,
  type ReadMessage,
  type ReadRequest,
  testKey,
  textOf,
  type VendorWire,
} from "../../testing/vendor-wire.ts";
import { answerTool, noCalls } from "../converse-request.ts";
import { type ConverseRequest, converseFormat, toException } from "./converse-format.ts";

type CohereRequest = { texts: string[]; input_type: string };

const isInvoke = (path: string) => /^\/model\/[^/]+\/invoke$/.test(path);
const toError = (message: string) => ({ message });
const keyOf = ({ authorization }: Record<string, string>) => authorization?.replace("Bearer ", "");

export const cohereFormat: EmbeddingFormat<CohereRequest> = {
  wire: jsonWire({ basePath: "", isAnswerPath: isInvoke, toError }),
  textsOf: ({ texts }) => texts,
  toAnswer: (float) => ({ id: "e1", embeddings: { float }, response_type: "embeddings_by_type" }),
  keyOf,
  queryMark: /"search_query"/,
};

export const titanFormat: EmbeddingFormat<{ inputText: string }> = {
  wire: jsonWire({ basePath: "", isAnswerPath: isInvoke, toError }),
  textsOf: ({ inputText }) => [inputText],
  toAnswer: ([embedding]) => ({ embedding, inputTextTokenCount: 1 }),
  keyOf,
};

export const wires: Record<string, VendorWire> = {
  bedrock: {
    embeddings: cohereFormat,
    chat: defineChatWire({
      read: readConverseRequest,
      format: converseFormat,
      model: "amazon.nova-lite-v1:0",
      marksToolErrors: true,
      lengthReason: "max_tokens",
      toError,
      // A key that a frame repeats is taken out on the way, which breaks the frame; here it was taken out before.
      streamError(message) {
        const said = message.replace(testKey, "[secret]");
        return { event: toException("serviceUnavailableException", said), status: 503 };
      },
      unreadableEvent: "this is no message of an event stream, oops",
    }),
  },
};

/** Translates the adapter's substitutes for what the API lacks back to what they stand for. */
function readConverseRequest({ path, headers, body }: RecordedRequest<ConverseRequest>): ReadRequest {
  const { system = [], inferenceConfig, toolConfig } = body;
  const specs = toolConfig?.tools.map(({ toolSpec }) => toolSpec) ?? [];
  const tools = specs.filter(({ name }) => name !== answerTool);
  return {
    key: keyOf(headers),
    model: decodeURIComponent(/^\/model\/([^/]+)\//.exec(path)?.[1] ?? ""),
    system: textOf(system.filter(({ text }) => text !== noCalls)),
    messages: body.messages.flatMap(readMessage),
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, schema: inputSchema.json })),
    mayCallTools: tools.length > 0 && !system.some(({ text }) => text === noCalls),
    parameters: inferenceConfig,
    schema: specs.find(({ name }) => name === answerTool)?.inputSchema.json,
  };
}

type Call = { toolUseId: string; name: string; input: object };
type Result = { toolUseId: string; content: { text: string }[]; status: string };
type Image = { format: string; source: { bytes: string } };

function readMessage({ role, content }: ConverseRequest["messages"][number]): ReadMessage[] {
  const text = textOf(content);
  if (role === "assistant") {
    const calls = content.flatMap(({ toolUse }) => (toolUse === undefined ? [] : [toolUse as Call]));
    return [
      { role, text, calls: calls.map(({ toolUseId, name, input }) => ({ id: toolUseId, name, arguments: input })) },
    ];
  }
  const results = content.flatMap(({ toolResult }) => (toolResult === undefined ? [] : [toolResult as Result]));
  const images = content.flatMap(({ image }) => (image === undefined ? [] : [image as Image]));
  if (results.length === 0) {
    const urls = images.map(({ format, source }) => `data:image/${format};base64,${source.bytes}`);
    return [{ role: "user", text, images: urls }];
  }
  return results.map((result) => ({
    role: "tool",
    id: result.toolUseId,
    content: textOf(result.content),
    isError: result.status === "error",
  }));
}
