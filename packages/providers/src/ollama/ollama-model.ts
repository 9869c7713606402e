import type { ChatModel, ModelAnswer, ModelCall } from "@weft/engine";
import { usageOf } from "@weft/schema";
import { callVendor } from "../call-vendor.ts";
import type { ChatModelOptions } from "../chat-provider.ts";
import {
  brokenOff,
  fromVendorError,
  invalidAnswer,
  type ModelErrorContext,
  parseJson,
  unreadable,
} from "../failure/model-failure.ts";
import { readVendorError } from "../failure/vendor-error.ts";
import { defaultOllamaUrl } from "./ollama-host.ts";
import { type ChatChunk, chatChunkSchema, toChatRequest } from "./ollama-wire.ts";
import { readLines } from "./read-lines.ts";

/** A model of an Ollama server, by its own chat API. It always streams: one way to answer, one way to fail. */
export function createOllamaModel({ model, apiKey, baseUrl, fetch }: ChatModelOptions): ChatModel {
  const context = { id: `ollama/${model}`, secrets: apiKey === undefined ? [] : [apiKey] };
  const url = `${baseUrl ?? defaultOllamaUrl}/api/chat`;
  const headers = {
    "content-type": "application/json",
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  return {
    id: context.id,
    async answer(call) {
      const body = JSON.stringify(toChatRequest(model, call));
      const request = { url, headers, body, signal: call.signal, fetch };
      return callVendor(request, context, (response) => readAnswer(response, call, context));
    },
  };
}

async function readAnswer(response: Response, call: ModelCall, context: ModelErrorContext): Promise<ModelAnswer> {
  const { messages, onText, onProgress } = call;
  const answer: Pick<ModelAnswer, "text" | "toolCalls"> = { text: "", toolCalls: [] };
  for await (const line of readLines(response)) {
    onProgress?.();
    const chunk = readChunk(line, context);
    const { content = "", tool_calls = [] } = chunk.message ?? {};
    answer.text += content;
    if (content !== "") onText?.(content);
    for (const { id, function: call } of tool_calls) {
      // Servers before 0.12 give calls no id.
      const ownId = `call_${messages.length}_${answer.toolCalls.length}`;
      answer.toolCalls.push({ id: id || ownId, name: call.name, arguments: JSON.stringify(call.arguments) });
    }
    if (chunk.done) return { ...answer, ...toEnd(chunk, answer.toolCalls.length > 0) };
  }
  throw invalidAnswer(brokenOff);
}

function readChunk(line: string, context: ModelErrorContext): ChatChunk {
  const value = parseJson(line);
  const chunk = chatChunkSchema.safeParse(value);
  if (chunk.success) return chunk.data;
  const error = readVendorError(value);
  if (error !== undefined) throw fromVendorError(error, context);
  throw value === undefined ? unreadable(line) : invalidAnswer("it is not what the API promises");
}

function toEnd(chunk: ChatChunk, hasToolCalls: boolean): Pick<ModelAnswer, "finishReason" | "usage"> {
  const { done_reason: reason, prompt_eval_count: inputTokens, eval_count: outputTokens } = chunk;
  const usage = usageOf(inputTokens, outputTokens);
  if (reason === "length") return { finishReason: "length", usage };
  if (hasToolCalls) return { finishReason: "tool-calls", usage };
  return { finishReason: reason === "stop" ? "stop" : "other", usage };
}
