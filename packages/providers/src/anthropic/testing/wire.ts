import type { RecordedRequest } from "../../testing/script-step.ts";
import {
  defineChatWire,
  type ReadMessage,
  type ReadRequest,
  textOf,
  toDataUrl,
  type VendorWire,
} from "../../testing/vendor-wire.ts";
import { anthropicFormat, type MessagesRequest } from "./anthropic-format.ts";

export const wires: Record<string, VendorWire> = {
  anthropic: {
    chat: defineChatWire({
      read: readAnthropicRequest,
      format: anthropicFormat,
      model: "claude-sonnet-4-5",
      marksToolErrors: true,
      lengthReason: "max_tokens",
      toError: (message) => ({ type: "error", error: { type: "x", message } }),
      streamError(message) {
        const data = { type: "error", error: { type: "overloaded_error", message } };
        return { event: `event: error\ndata: ${JSON.stringify(data)}\n\n`, status: 529 };
      },
      unreadableEvent: "event: message_start\ndata: {oops\n\n",
    }),
  },
};

type Fields = Record<string, unknown>;

function readAnthropicRequest({ headers, body }: RecordedRequest<MessagesRequest>): ReadRequest {
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
