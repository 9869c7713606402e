import type { AnswerStep } from "../../testing/script-step.ts";
import { parseJsonBody, splitText, toArgumentObject, type WireFormat } from "../../testing/wire-format.ts";

/** The body of `generateContent`, as far as scripts look at it. */
export type GenerateContentRequest = {
  systemInstruction?: { parts: { text: string }[] };
  contents: { role: string; parts: Record<string, unknown>[] }[];
  tools?: { functionDeclarations: { name: string; description?: string; parameters?: unknown }[] }[];
  [key: string]: unknown;
};

/** Google's Gemini API. */
export const googleFormat: WireFormat<GenerateContentRequest> = {
  basePath: "/v1beta",
  isAnswerPath: (path) => /^\/models\/[^/]+:(generateContent|streamGenerateContent\?alt=sse)$/.test(path),
  parse: parseJsonBody,
  wantsStream: (_, path) => path.includes(":stream"),
  render: (step) => toResponse([...textParts(step.text ?? ""), ...callParts(step)], toEnd(step)),
  renderStream(step) {
    const parts = [...splitText(step.text ?? "", step.pieces).flatMap(textParts), ...callParts(step)];
    return {
      events: parts.map((part) => toEvent(toResponse([part]))),
      end: [toEvent(toResponse([{ text: "" }], toEnd(step)))],
    };
  },
  streamType: "text/event-stream",
  toError: (message) => ({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }),
};

type End = { finishReason: string; usageMetadata: object };

function toResponse(parts: object[], end?: End): object {
  const candidate = { content: { role: "model", parts }, index: 0 };
  const head = { modelVersion: "scripted", responseId: "scripted" };
  if (end === undefined) return { candidates: [candidate], ...head };
  const { finishReason, usageMetadata } = end;
  return { candidates: [{ ...candidate, finishReason }], usageMetadata, ...head };
}

function textParts(text: string): object[] {
  return text === "" ? [] : [{ text }];
}

function callParts({ toolCalls = [] }: AnswerStep): object[] {
  return toolCalls.map(({ id, name, arguments: args, signature }) => ({
    functionCall: { ...(id === undefined ? {} : { id }), name, args: toArgumentObject(args) },
    ...(signature === undefined ? {} : { thoughtSignature: signature }),
  }));
}

function toEnd({ finishReason = "STOP", usage }: AnswerStep): End {
  const promptTokenCount = usage?.prompt_tokens ?? 10;
  const candidatesTokenCount = usage?.completion_tokens ?? 5;
  const totalTokenCount = promptTokenCount + candidatesTokenCount;
  return { finishReason, usageMetadata: { promptTokenCount, candidatesTokenCount, totalTokenCount } };
}

/** Google's lines end as HTTP's do. */
function toEvent(response: object): string {
  return `data: ${JSON.stringify(response)}\r\n\r\n`;
}
