import type { AnswerStep } from "../../testing/script-step.ts";
import { parseJsonBody, splitText, toArgumentObject, type WireFormat } from "../../testing/wire-format.ts";

/** The body of `POST /api/chat`, as far as scripts look at it. */
export type OllamaChatRequest = {
  model: string;
  messages: {
    role: string;
    content: string;
    images?: string[];
    tool_calls?: unknown[];
    tool_name?: string;
    tool_call_id?: string;
  }[];
  tools?: unknown[];
  format?: unknown;
  options?: Record<string, unknown>;
  think?: boolean | string;
  stream?: boolean;
  [key: string]: unknown;
};

/** Ollama's own chat API. It streams unless told not to. */
export const ollamaFormat: WireFormat<OllamaChatRequest> = {
  basePath: "",
  isAnswerPath: (path) => path === "/api/chat",
  parse: parseJsonBody,
  wantsStream: ({ stream }) => stream !== false,
  render: (step) => toChunk({ content: step.text ?? "", ...toToolCalls(step) }, toEnd(step)),
  renderStream(step) {
    const messages: object[] = splitText(step.text ?? "", step.pieces).map((content) => ({ content }));
    if (step.toolCalls !== undefined) messages.push({ content: "", ...toToolCalls(step) });
    return {
      events: messages.map((message) => toLine(toChunk(message))),
      end: [toLine(toChunk({ content: "" }, toEnd(step)))],
    };
  },
  streamType: "application/x-ndjson",
  toError: (message) => ({ error: message }),
  pages: { "/api/version": { status: 200, body: { version: "0.12.0" } } },
};

function toChunk(message: object, end: object = { done: false }): object {
  const head = { model: "scripted", created_at: "2026-01-01T00:00:00Z" };
  return { ...head, message: { role: "assistant", ...message }, ...end };
}

function toToolCalls({ toolCalls }: AnswerStep): object {
  if (toolCalls === undefined) return {};
  const calls = toolCalls.map(({ id, name, arguments: args }, index) => ({
    ...(id === undefined ? {} : { id }),
    function: { index, name, arguments: toArgumentObject(args) },
  }));
  return { tool_calls: calls };
}

function toEnd({ finishReason = "stop", usage }: AnswerStep): object {
  const counts = { prompt_eval_count: usage?.prompt_tokens ?? 10, eval_count: usage?.completion_tokens ?? 5 };
  return { done: true, done_reason: finishReason, total_duration: 1_000_000, ...counts };
}

function toLine(chunk: object): string {
  return `${JSON.stringify(chunk)}\n`;
}
