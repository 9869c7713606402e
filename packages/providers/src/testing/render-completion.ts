import type { ScriptedExtras, ScriptedToolCall } from "./script-step.ts";

/** A step that ends in a completion: words, tool calls, or both. */
export type CompletionStep = { text?: string; toolCalls?: readonly ScriptedToolCall[] } & ScriptedExtras;

const head = { id: "chatcmpl-scripted", created: 1_700_000_000, model: "scripted" };
const defaultUsage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** The JSON answer of `POST /v1/chat/completions`. */
export function renderCompletion(step: CompletionStep): Buffer {
  const toolCalls = toWireToolCalls(step);
  const message = {
    role: "assistant",
    content: step.text ?? null,
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
  };
  const choices = [{ index: 0, message, finish_reason: finishReasonOf(step) }];
  return Buffer.from(
    JSON.stringify({ ...head, object: "chat.completion", choices, usage: step.usage ?? defaultUsage }),
  );
}

/** The same as server-sent events, one string each, as OpenAI sends them with `include_usage`. */
export function renderEvents(step: CompletionStep): string[] {
  const deltas: object[] = [{ role: "assistant", content: "" }];
  for (const content of split(step.text ?? "", step.pieces)) deltas.push({ content });
  for (const [index, call] of toWireToolCalls(step).entries()) {
    const { name, arguments: text } = call.function;
    deltas.push({ tool_calls: [{ ...call, index, function: { name, arguments: "" } }] });
    for (const piece of split(text, step.pieces)) {
      deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  return [
    ...deltas.map((delta) => toEvent({ choices: [{ index: 0, delta, finish_reason: null }] })),
    toEvent({ choices: [{ index: 0, delta: {}, finish_reason: finishReasonOf(step) }] }),
    toEvent({ choices: [], usage: step.usage ?? defaultUsage }),
    "data: [DONE]\n\n",
  ];
}

function toEvent(fields: object): string {
  return `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", ...fields })}\n\n`;
}

function toWireToolCalls({ toolCalls = [] }: CompletionStep) {
  return toolCalls.map(({ id, name, arguments: args }, index) => ({
    id: id ?? `call_${index}_${name}`,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
  }));
}

function finishReasonOf({ finishReason, toolCalls = [] }: CompletionStep): string {
  return finishReason ?? (toolCalls.length > 0 ? "tool_calls" : "stop");
}

function split(text: string, pieces: number | undefined): string[] {
  if (text === "") return [];
  if (pieces === undefined) return text.match(/\s*\S+\s*$|\s*\S+/g) ?? [text];
  const size = Math.max(1, Math.ceil(text.length / pieces));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}
