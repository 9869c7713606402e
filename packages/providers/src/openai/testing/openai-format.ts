import type { AnswerStep, ChatCompletionRequest } from "../../testing/script-step.ts";
import { parseJsonBody, splitText, type WireFormat, type WireStream } from "../../testing/wire-format.ts";

const head = { id: "chatcmpl-scripted", created: 1_700_000_000, model: "scripted" };
const defaultUsage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const model = { id: "scripted", object: "model", created: 1_700_000_000, owned_by: "weft" };

/** OpenAI's Chat Completions. */
export const openAiFormat: WireFormat<ChatCompletionRequest> = {
  basePath: "/v1",
  isAnswerPath: (path) => path === "/chat/completions",
  parse: parseJsonBody,
  wantsStream: ({ stream }) => stream === true,
  render,
  renderStream,
  streamType: "text/event-stream",
  toError: (message) => ({ error: { message, type: "invalid_request_error", param: null, code: null } }),
  pages: { "/models": { status: 200, body: { object: "list", data: [model] } } },
};

function render(step: AnswerStep): object {
  const toolCalls = toWireToolCalls(step);
  const message = {
    role: "assistant",
    content: step.text ?? null,
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
  };
  const choices = [{ index: 0, message, finish_reason: finishReasonOf(step) }];
  return { ...head, object: "chat.completion", choices, usage: step.usage ?? defaultUsage };
}

/** As OpenAI sends them with `include_usage`. */
function renderStream(step: AnswerStep): WireStream {
  const deltas: object[] = [{ role: "assistant", content: "" }];
  for (const content of splitText(step.text ?? "", step.pieces)) deltas.push({ content });
  for (const [index, call] of toWireToolCalls(step).entries()) {
    const { name, arguments: text } = call.function;
    deltas.push({ tool_calls: [{ ...call, index, function: { name, arguments: "" } }] });
    for (const piece of splitText(text, step.pieces)) {
      deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  return {
    events: deltas.map((delta) => toEvent({ choices: [{ index: 0, delta, finish_reason: null }] })),
    end: [
      toEvent({ choices: [{ index: 0, delta: {}, finish_reason: finishReasonOf(step) }] }),
      toEvent({ choices: [], usage: step.usage ?? defaultUsage }),
      "data: [DONE]\n\n",
    ],
  };
}

function toEvent(fields: object): string {
  return `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", ...fields })}\n\n`;
}

function toWireToolCalls({ toolCalls = [] }: AnswerStep) {
  return toolCalls.map(({ id, name, arguments: args, signature }, index) => ({
    id: id ?? `call_${index}_${name}`,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
    // As Google's compatible endpoint sends it.
    ...(signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } }),
  }));
}

function finishReasonOf({ finishReason, toolCalls = [] }: AnswerStep): string {
  return finishReason ?? (toolCalls.length > 0 ? "tool_calls" : "stop");
}
