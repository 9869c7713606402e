import type { ChatModel, ModelAnswer, ModelCall, ModelParameters } from "@weft/engine/ports/chat-model";
import { parseJson, usageOf } from "@weft/schema";
import { z } from "zod";
import { createEventReader, toChatRequest } from "../chat-completions/index.ts";
import type { ChatModelOptions } from "../define-provider.ts";
import {
  brokenOff,
  fromVendorError,
  invalidAnswer,
  type ModelErrorContext,
  unreadable,
} from "../failure/model-failure.ts";
import { readVendorError } from "../failure/vendor-error.ts";
import { type ChatStream, createHttpChatModel } from "../http-chat-model.ts";

/** A Cohere model, by version 2 of its Chat API. (https://docs.cohere.com/reference/chat) */
export function createCohereModel({ model, apiKey = "", baseUrl, exchange }: ChatModelOptions): ChatModel {
  const context = { id: `cohere/${model}`, secrets: [apiKey] };
  const headers = { "content-type": "application/json", authorization: `Bearer ${apiKey}` };
  return createHttpChatModel(
    {
      toRequest: (call) => ({ url: `${baseUrl}/chat`, headers, body: JSON.stringify(toCohereRequest(model, call)) }),
      readWhole,
      openStream: (call) => openStream(call, context),
    },
    context,
    exchange,
  );
}

/** As OpenAI's, except for a few names. Text beside tool calls is Cohere's `tool_plan`. */
function toCohereRequest(model: string, call: ModelCall): object {
  const {
    messages,
    tools,
    tool_choice,
    top_p,
    top_k,
    stop,
    reasoning_effort: __,
    stream_options: _,
    response_format,
    ...request
  } = toChatRequest(model, call);
  return {
    ...request,
    messages: messages.map((message) => {
      if (message.role !== "assistant" || message.tool_calls === undefined) return message;
      const { content, tool_calls } = message;
      return { role: "assistant", tool_calls, ...(content && { tool_plan: content }) };
    }),
    p: top_p,
    k: top_k,
    stop_sequences: stop,
    ...toThinking(call.parameters),
    ...(tools && { tools }),
    ...(tool_choice === "none" && { tool_choice: "NONE" }),
    ...(response_format && {
      response_format: { type: "json_object", json_schema: response_format.json_schema.schema },
    }),
  };
}

function toThinking({ thinkingTokens }: ModelParameters = {}): object {
  if (thinkingTokens === undefined) return {};
  return { thinking: thinkingTokens === 0 ? { type: "disabled" } : { type: "enabled", token_budget: thinkingTokens } };
}

const usageSchema = z.object({
  tokens: z.object({ input_tokens: z.number().default(0), output_tokens: z.number().default(0) }).optional(),
});

const answerSchema = z.object({
  finish_reason: z.string(),
  message: z.object({
    content: z.array(z.object({ type: z.string(), text: z.string().default("") })).nullish(),
    tool_plan: z.string().nullish(),
    tool_calls: z
      .array(
        z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string().default("{}") }) }),
      )
      .nullish(),
  }),
  usage: usageSchema.nullish(),
});

function readWhole(body: string): ModelAnswer {
  const value = parseJson(body);
  const answer = answerSchema.safeParse(value).data;
  if (answer === undefined) throw value === undefined ? unreadable(body) : invalidAnswer(notPromised);
  const { content, tool_plan, tool_calls } = answer.message;
  const words = (content ?? []).filter(({ type }) => type === "text").map(({ text }) => text);
  return finish({
    text: (tool_plan ?? "") + words.join(""),
    toolCalls: (tool_calls ?? []).map(({ id, function: called }) => ({ id, ...called })),
    reason: answer.finish_reason,
    usage: answer.usage ?? {},
  });
}

const notPromised = "it is not what the API promises";

const pieceSchema = z.object({
  type: z.string(),
  delta: z
    .object({
      message: z
        .object({
          content: z.object({ text: z.string().optional() }).or(z.array(z.unknown())).nullish(),
          tool_plan: z.string().nullish(),
          tool_calls: z
            .object({
              id: z.string().optional(),
              function: z.object({ name: z.string().optional(), arguments: z.string().default("") }),
            })
            .or(z.array(z.unknown()))
            .nullish(),
        })
        .nullish(),
      finish_reason: z.string().optional(),
      error: z.string().optional(),
      usage: usageSchema.nullish(),
    })
    .nullish(),
});

type Parts = {
  text: string;
  toolCalls: ModelAnswer["toolCalls"];
  reason: string | undefined;
  usage: z.infer<typeof usageSchema>;
};

function openStream({ onText, onProgress }: ModelCall, context: ModelErrorContext): ChatStream {
  const parts: Parts = { text: "", toolCalls: [], reason: undefined, usage: {} };
  const events = createEventReader((data) => {
    const { type, delta } = readPiece(data, context);
    if (type === "message-end") {
      parts.reason = delta?.finish_reason;
      parts.usage = delta?.usage ?? {};
      return;
    }
    const { content, tool_plan, tool_calls } = delta?.message ?? {};
    const text = (tool_plan ?? "") + (Array.isArray(content) ? "" : (content?.text ?? ""));
    if (type !== "message-start") onProgress?.();
    parts.text += text;
    if (text !== "") onText?.(text);
    if (tool_calls && !Array.isArray(tool_calls)) addCall(parts.toolCalls, tool_calls, type === "tool-call-start");
  });
  return {
    push: events.push,
    finish() {
      events.end();
      return finish(parts);
    },
  };
}

function readPiece(data: string, { id, secrets }: ModelErrorContext): z.infer<typeof pieceSchema> {
  const value = parseJson(data);
  const piece = pieceSchema.safeParse(value).data;
  const said = piece?.delta?.error ?? (piece === undefined ? readVendorError(value)?.message : undefined);
  // The stream started normally, so a later failure is the vendor's.
  if (said !== undefined) {
    throw fromVendorError(
      { status: 500, message: said, code: undefined, retryAfterSeconds: undefined },
      { id, secrets },
    );
  }
  if (piece === undefined) throw invalidAnswer(notPromised);
  return piece;
}

type CallPiece = { id?: string | undefined; function: { name?: string | undefined; arguments: string } };

/** Calls arrive in sequence, each in deltas. */
function addCall(calls: ModelAnswer["toolCalls"], { id, function: called }: CallPiece, begins: boolean): void {
  if (begins) {
    if (id === undefined || called.name === undefined) throw invalidAnswer(notPromised);
    calls.push({ id, name: called.name, arguments: called.arguments });
    return;
  }
  const last = calls.at(-1);
  if (last === undefined) throw invalidAnswer(notPromised);
  last.arguments += called.arguments;
}

function finish({ text, toolCalls, reason, usage }: Parts): ModelAnswer {
  if (reason === undefined || reason === "ERROR" || reason === "TIMEOUT") throw invalidAnswer(brokenOff);
  return {
    text,
    toolCalls: toolCalls.map((call) => ({ ...call, arguments: call.arguments || "{}" })),
    finishReason: reasons[reason] ?? "other",
    usage: usageOf(usage.tokens?.input_tokens ?? 0, usage.tokens?.output_tokens ?? 0),
  };
}

const reasons: Readonly<Record<string, ModelAnswer["finishReason"]>> = {
  COMPLETE: "stop",
  STOP_SEQUENCE: "stop",
  MAX_TOKENS: "length",
  TOOL_CALL: "tool-calls",
  ERROR_TOXIC: "content-filter",
};
