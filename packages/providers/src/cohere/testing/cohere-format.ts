import type { AnswerStep } from "../../testing/script-step.ts";
import { parseJsonBody, splitText, type WireFormat, type WireStream } from "../../testing/wire-format.ts";

/** The body of `POST /v2/chat`, as far as scripts look at it. */
export type CohereRequest = {
  model: string;
  messages: { role: string; content?: unknown; tool_plan?: string; tool_calls?: unknown[]; tool_call_id?: string }[];
  tools?: { function: { name: string; description?: string; parameters?: unknown } }[];
  stream?: boolean;
  [key: string]: unknown;
};

/** Cohere's Chat API, version 2. Words beside calls are a plan. */
export const cohereFormat: WireFormat<CohereRequest> = {
  basePath: "/v2",
  isAnswerPath: (path) => path === "/chat",
  parse: parseJsonBody,
  wantsStream: ({ stream }) => stream === true,
  render(step) {
    const calls = toCalls(step);
    const text = step.text === undefined ? [] : [{ type: "text", text: step.text }];
    const message = calls.length > 0 ? { tool_plan: step.text, tool_calls: calls } : { content: text };
    return { id: "c14c80c3", ...toEnd(step), message: { role: "assistant", ...message } };
  },
  renderStream,
  streamType: "text/event-stream",
  toError: (message) => ({ id: "e1", message }),
};

function renderStream(step: AnswerStep): WireStream {
  const calls = toCalls(step);
  const words = splitText(step.text ?? "", step.pieces);
  const empty = { role: "assistant", content: [], tool_plan: "", tool_calls: [], citations: [] };
  return {
    events: [
      toEvent("message-start", { id: "29f14a5a", delta: { message: empty } }),
      ...(calls.length > 0 ? words.map((word) => toDelta("tool-plan-delta", { tool_plan: word })) : toContent(words)),
      ...calls.flatMap(({ function: { name, arguments: args }, ...call }, index) => [
        toDelta("tool-call-start", { tool_calls: { ...call, function: { name, arguments: "" } } }, index),
        ...splitText(args, step.pieces).map((piece) =>
          toDelta("tool-call-delta", { tool_calls: { function: { arguments: piece } } }, index),
        ),
        toEvent("tool-call-end", { index }),
      ]),
    ],
    end: [toEvent("message-end", { delta: toEnd(step) })],
  };
}

function toContent(words: string[]): string[] {
  return [
    toDelta("content-start", { content: { type: "text", text: "" } }, 0),
    ...words.map((text) => toDelta("content-delta", { content: { text } }, 0)),
    toEvent("content-end", { index: 0 }),
  ];
}

function toDelta(type: string, message: object, index?: number): string {
  return toEvent(type, { ...(index === undefined ? {} : { index }), delta: { message } });
}

function toEvent(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

function toCalls({ toolCalls = [] }: AnswerStep) {
  return toolCalls.map(({ id, name, arguments: args }, index) => ({
    id: id ?? `${name}_${index}`,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
  }));
}

function toEnd({ finishReason, toolCalls = [], usage }: AnswerStep) {
  const tokens = { input_tokens: usage?.prompt_tokens ?? 10, output_tokens: usage?.completion_tokens ?? 5 };
  return {
    finish_reason: finishReason ?? (toolCalls.length > 0 ? "TOOL_CALL" : "COMPLETE"),
    usage: { billed_units: { input_tokens: 1, output_tokens: 1 }, tokens },
  };
}
