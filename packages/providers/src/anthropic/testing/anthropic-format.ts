import type { AnswerStep } from "../../testing/script-step.ts";
import {
  parseJsonBody,
  splitText,
  toArgumentObject,
  type WireFormat,
  type WireStream,
} from "../../testing/wire-format.ts";

/** The body of `POST /v1/messages`, as far as scripts look at it. */
export type MessagesRequest = {
  model: string;
  system?: unknown;
  messages: { role: string; content: unknown }[];
  tools?: { name: string; description?: string; input_schema?: unknown }[];
  stream?: boolean;
  [key: string]: unknown;
};

const head = { id: "msg_scripted", type: "message", role: "assistant", model: "scripted", stop_sequence: null };

/** Anthropic's Messages API. */
export const anthropicFormat: WireFormat<MessagesRequest> = {
  basePath: "/v1",
  isAnswerPath: (path) => path === "/messages",
  parse: parseJsonBody,
  wantsStream: ({ stream }) => stream === true,
  render: (step) => ({ ...head, content: toBlocks(step), stop_reason: stopReasonOf(step), usage: usageOf(step) }),
  renderStream,
  streamType: "text/event-stream",
  toError: (message) => ({ type: "error", error: { type: "invalid_request_error", message } }),
};

type Block =
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: object };

function toBlocks({ thought, text, toolCalls = [] }: AnswerStep): Block[] {
  const calls = toolCalls.map(({ id, name, arguments: args }, index): Block => {
    return { type: "tool_use", id: id ?? `toolu_${index}_${name}`, name, input: toArgumentObject(args) };
  });
  return [
    ...(thought ? [{ type: "thinking" as const, thinking: thought.text, signature: thought.signature }] : []),
    ...(text === undefined ? [] : [{ type: "text" as const, text }]),
    ...calls,
  ];
}

function renderStream(step: AnswerStep): WireStream {
  const { output_tokens, ...input } = usageOf(step);
  const usage = { ...input, output_tokens: 1 };
  return {
    events: [
      toEvent("message_start", { message: { ...head, content: [], stop_reason: null, usage } }),
      toEvent("ping", {}),
      ...toBlocks(step).flatMap((block, index) => toBlockEvents(block, index, step.pieces)),
    ],
    end: [
      toEvent("message_delta", {
        delta: { stop_reason: stopReasonOf(step), stop_sequence: null },
        usage: { output_tokens },
      }),
      toEvent("message_stop", {}),
    ],
  };
}

function toBlockEvents(block: Block, index: number, pieces: number | undefined): string[] {
  if (block.type === "thinking") return toThinkingEvents(block, index);
  const empty = block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
  const deltas =
    block.type === "text"
      ? splitText(block.text, pieces).map((text) => ({ type: "text_delta", text }))
      : splitText(JSON.stringify(block.input), pieces).map((text) => ({
          type: "input_json_delta",
          partial_json: text,
        }));
  return [
    toEvent("content_block_start", { index, content_block: empty }),
    ...deltas.map((delta) => toEvent("content_block_delta", { index, delta })),
    toEvent("content_block_stop", { index }),
  ];
}

function toThinkingEvents({ thinking, signature }: { thinking: string; signature: string }, index: number): string[] {
  return [
    toEvent("content_block_start", { index, content_block: { type: "thinking", thinking: "", signature: "" } }),
    ...splitText(thinking, undefined).map((text) =>
      toEvent("content_block_delta", { index, delta: { type: "thinking_delta", thinking: text } }),
    ),
    toEvent("content_block_delta", { index, delta: { type: "signature_delta", signature } }),
    toEvent("content_block_stop", { index }),
  ];
}

function toEvent(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

function usageOf({ usage }: AnswerStep) {
  return { input_tokens: usage?.prompt_tokens ?? 10, output_tokens: usage?.completion_tokens ?? 5 };
}

function stopReasonOf({ finishReason, toolCalls = [] }: AnswerStep): string {
  return finishReason ?? (toolCalls.length > 0 ? "tool_use" : "end_turn");
}
