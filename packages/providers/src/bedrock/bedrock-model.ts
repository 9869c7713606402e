import type { ChatModel, ModelAnswer, ModelCall, ModelToolCall } from "@weft/engine/ports/chat-model";
import { type JsonObject, jsonObjectSchema, parseJson, toJsonObject, usageOf } from "@weft/schema";
import { z } from "zod";
import type { ChatModelOptions } from "../define-provider.ts";
import {
  brokenOff,
  fromVendorError,
  invalidAnswer,
  type ModelErrorContext,
  unreadable,
} from "../failure/model-failure.ts";
import { type ChatStream, createHttpChatModel } from "../http-chat-model.ts";
import { type AwsMessage, AwsStreamError, createAwsStreamReader } from "./aws-event-stream.ts";
import { secretsOf, toBedrockCall } from "./bedrock-call.ts";
import { answerTool, thoughtsKey, toConverseRequest } from "./converse-request.ts";

/** A model on Amazon Bedrock, by its Converse API. */
export function createBedrockModel(options: ChatModelOptions): ChatModel {
  const { model, exchange } = options;
  const context = { id: `bedrock/${model}`, secrets: secretsOf(options) };
  const path = `/model/${encodeURIComponent(model)}`;
  return createHttpChatModel(
    {
      toRequest: (call) =>
        toBedrockCall(
          options,
          path + (call.onText === undefined ? "/converse" : "/converse-stream"),
          JSON.stringify(toConverseRequest(call)),
        ),
      readWhole,
      openStream: (call) => openStream(call, context),
    },
    context,
    exchange,
  );
}

const notPromised = "it is not what the API promises";
const usageSchema = z.object({ inputTokens: z.number().default(0), outputTokens: z.number().default(0) });

const answerSchema = z.object({
  output: z.object({
    message: z.object({
      content: z.array(
        z.object({
          text: z.string().optional(),
          toolUse: z.object({ toolUseId: z.string(), name: z.string(), input: z.unknown() }).optional(),
          reasoningContent: jsonObjectSchema.optional(),
        }),
      ),
    }),
  }),
  stopReason: z.string(),
  usage: usageSchema.optional(),
});

function readWhole(body: string): ModelAnswer {
  const value = parseJson(body);
  const answer = answerSchema.safeParse(value).data;
  if (answer === undefined) throw value === undefined ? unreadable(body) : invalidAnswer(notPromised);
  const blocks = answer.output.message.content.map(({ text = "", toolUse, reasoningContent }): Block => {
    if (reasoningContent !== undefined) return { text: "", thought: reasoningContent };
    if (toolUse === undefined) return { text };
    return { id: toolUse.toolUseId, name: toolUse.name, text: JSON.stringify(toolUse.input ?? {}) };
  });
  return finish(blocks, answer.stopReason, answer.usage);
}

/** Text, a call with the text of its arguments, or a thought. */
type Block = { text: string; id?: string; name?: string; thought?: JsonObject };

/** The payload of an event, limited to the fields read. */
const eventSchema = z.object({
  contentBlockIndex: z.number().default(0),
  start: z.object({ toolUse: z.object({ toolUseId: z.string(), name: z.string() }).optional() }).optional(),
  delta: z
    .object({
      text: z.string().optional(),
      toolUse: z.object({ input: z.string().default("") }).optional(),
      reasoningContent: z
        .object({ text: z.string(), signature: z.string(), redactedContent: z.string() })
        .partial()
        .optional(),
    })
    .optional(),
  stopReason: z.string().optional(),
  usage: usageSchema.optional(),
});

function openStream({ onText, onProgress }: ModelCall, context: ModelErrorContext): ChatStream {
  const blocks = new Map<number, Block>();
  let stopReason: string | undefined;
  let usage: z.infer<typeof usageSchema> | undefined;

  function add(message: AwsMessage): void {
    const event = readEvent(message, context);
    const { contentBlockIndex: index, start, delta } = event;
    stopReason ??= event.stopReason;
    usage ??= event.usage;
    if (start?.toolUse) blocks.set(index, { id: start.toolUse.toolUseId, name: start.toolUse.name, text: "" });
    if (start || delta) onProgress?.();
    const thought = delta?.reasoningContent;
    if (thought) blocks.set(index, { text: "", thought: addThought(blocks.get(index)?.thought, thought) });
    const text = delta?.text ?? delta?.toolUse?.input ?? "";
    if (text === "") return;
    const block = blocks.get(index) ?? { text: "" };
    blocks.set(index, block);
    block.text += text;
    if (isWords(block)) onText?.(text);
  }

  const reader = createAwsStreamReader(add);
  return {
    push(bytes) {
      try {
        reader.push(bytes);
      } catch (error) {
        throw error instanceof AwsStreamError ? invalidAnswer(notPromised) : error;
      }
    },
    finish() {
      if (stopReason === undefined || !reader.isWhole()) throw invalidAnswer(brokenOff);
      const ordered = [...blocks].toSorted(([a], [b]) => a - b).map(([, block]) => block);
      return finish(ordered, stopReason, usage);
    },
  };
}

type ThoughtPiece = { text?: string | undefined; signature?: string | undefined; redactedContent?: string | undefined };

/** A thought to send back, extended by a delta. */
function addThought(
  known: JsonObject | undefined,
  { text = "", signature, redactedContent }: ThoughtPiece,
): JsonObject {
  if (redactedContent !== undefined) return { redactedContent };
  const { text: before = "", ...rest } = toJsonObject(known?.reasoningText);
  return { reasoningText: { ...rest, text: `${before}${text}`, ...(signature && { signature }) } };
}

function readEvent({ headers, payload }: AwsMessage, context: ModelErrorContext): z.infer<typeof eventSchema> {
  const value = parseJson(payload);
  const kind = headers[":message-type"];
  if (kind === "exception" || kind === "error") {
    const said = z.object({ message: z.string() }).safeParse(value).data?.message ?? headers[":error-message"];
    const code = headers[":exception-type"] ?? headers[":error-code"];
    const status = statusOf[code ?? ""] ?? 500;
    throw fromVendorError(
      { status, message: said ?? code ?? "it gave no reason", code, retryAfterSeconds: undefined },
      context,
    );
  }
  const event = eventSchema.safeParse(value).data;
  if (event === undefined) throw invalidAnswer(notPromised);
  return event;
}

const statusOf: Readonly<Record<string, number>> = {
  validationException: 400,
  throttlingException: 429,
  modelStreamErrorException: 424,
  internalServerException: 500,
  serviceUnavailableException: 503,
};

function isWords({ name, thought }: Block): boolean {
  return (name === undefined && thought === undefined) || name === answerTool;
}

function finish(blocks: Block[], stopReason: string, usage: z.infer<typeof usageSchema> | undefined): ModelAnswer {
  const toolCalls = blocks.flatMap(({ id, name, text }): ModelToolCall[] =>
    id === undefined || name === undefined || name === answerTool ? [] : [{ id, name, arguments: text || "{}" }],
  );
  const thoughts = blocks.flatMap(({ thought }) => (thought ? [{ reasoningContent: thought }] : []));
  const [first] = toolCalls;
  if (first !== undefined && thoughts.length > 0) first.vendorState = { [thoughtsKey]: thoughts };
  // Only the JSON answer was requested, so text beside it is dropped.
  const answers = blocks.filter(({ name }) => name === answerTool);
  const words = answers.length > 0 ? answers.slice(0, 1) : blocks.filter(isWords);
  const isAnswered = answers.length > 0 && toolCalls.length === 0;
  return {
    text: words.map(({ text }) => text).join(""),
    toolCalls,
    finishReason: stopReason === "tool_use" && isAnswered ? "stop" : (reasons[stopReason] ?? "other"),
    usage: usageOf(usage?.inputTokens ?? 0, usage?.outputTokens ?? 0),
  };
}

const reasons: Readonly<Record<string, ModelAnswer["finishReason"]>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  tool_use: "tool-calls",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  guardrail_intervened: "content-filter",
  content_filtered: "content-filter",
};
