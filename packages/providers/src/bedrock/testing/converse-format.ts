import type { AnswerStep } from "../../testing/script-step.ts";
import {
  parseJsonBody,
  splitText,
  toArgumentObject,
  type WireFormat,
  type WireStream,
} from "../../testing/wire-format.ts";
import { toAwsFrame } from "./aws-frame.ts";

/** The body of `Converse`, as far as scripts look at it. */
export type ConverseRequest = {
  system?: { text: string }[];
  messages: { role: string; content: Record<string, unknown>[] }[];
  inferenceConfig: { maxTokens?: number; temperature?: number; topP?: number; stopSequences?: string[] };
  additionalModelRequestFields?: Record<string, unknown>;
  toolConfig?: {
    tools: { toolSpec: { name: string; description?: string; inputSchema: { json: unknown } } }[];
    toolChoice?: object;
  };
};

/** Bedrock's Converse API. */
export const converseFormat: WireFormat<ConverseRequest> = {
  basePath: "",
  isAnswerPath: (path) => /^\/model\/[^/]+\/converse(-stream)?$/.test(path),
  parse: parseJsonBody,
  wantsStream: (_, path) => path.endsWith("-stream"),
  render: (step) => ({
    output: { message: { role: "assistant", content: toBlocks(step) } },
    stopReason: stopReasonOf(step),
    usage: usageOf(step),
    metrics: { latencyMs: 1 },
  }),
  renderStream,
  streamType: "application/vnd.amazon.eventstream",
  toError: (message) => ({ message }),
};

type Block =
  | { reasoningContent: { reasoningText: { text: string; signature: string } } }
  | { text: string }
  | { toolUse: { toolUseId: string; name: string; input: object } };

function toBlocks({ thought, text, toolCalls = [] }: AnswerStep): Block[] {
  const calls = toolCalls.map(({ id, name, arguments: args }, index): Block => {
    return { toolUse: { toolUseId: id ?? `tooluse_${index}`, name, input: toArgumentObject(args) } };
  });
  return [
    ...(thought ? [{ reasoningContent: { reasoningText: thought } }] : []),
    ...(text === undefined ? [] : [{ text }]),
    ...calls,
  ];
}

function renderStream(step: AnswerStep): WireStream {
  return {
    events: [
      toEvent("messageStart", { role: "assistant" }),
      ...toBlocks(step).flatMap((block, contentBlockIndex) => {
        const at = (type: string, fields: object = {}) => toEvent(type, { contentBlockIndex, ...fields });
        const end = at("contentBlockStop");
        if ("reasoningContent" in block) {
          const { text, signature } = block.reasoningContent.reasoningText;
          const pieces = [...splitText(text, undefined).map((piece) => ({ text: piece })), { signature }];
          return [...pieces.map((piece) => at("contentBlockDelta", { delta: { reasoningContent: piece } })), end];
        }
        if ("text" in block) {
          const words = splitText(block.text, step.pieces);
          return [...words.map((text) => at("contentBlockDelta", { delta: { text } })), end];
        }
        const { input, ...call } = block.toolUse;
        const pieces = splitText(JSON.stringify(input), step.pieces);
        return [
          at("contentBlockStart", { start: { toolUse: call } }),
          ...pieces.map((piece) => at("contentBlockDelta", { delta: { toolUse: { input: piece } } })),
          end,
        ];
      }),
    ],
    end: [
      toEvent("messageStop", { stopReason: stopReasonOf(step) }),
      toEvent("metadata", { usage: usageOf(step), metrics: { latencyMs: 1 } }),
    ],
  };
}

export function toEvent(type: string, fields: object): Buffer {
  const headers = { ":event-type": type, ":content-type": "application/json", ":message-type": "event" };
  return toAwsFrame(headers, JSON.stringify({ ...fields, p: "abcdefghijk" }));
}

export function toException(type: string, message: string): Buffer {
  const headers = { ":exception-type": type, ":content-type": "application/json", ":message-type": "exception" };
  return toAwsFrame(headers, JSON.stringify({ message }));
}

function stopReasonOf({ finishReason, toolCalls = [] }: AnswerStep): string {
  return finishReason ?? (toolCalls.length > 0 ? "tool_use" : "end_turn");
}

function usageOf({ usage }: AnswerStep) {
  const inputTokens = usage?.prompt_tokens ?? 10;
  const outputTokens = usage?.completion_tokens ?? 5;
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}
