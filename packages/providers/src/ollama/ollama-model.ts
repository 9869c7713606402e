import type {
  ChatModel,
  ModelAnswer,
  ModelCall,
  ModelContentPart,
  ModelMessage,
  ModelParameters,
} from "@weft/engine/ports/chat-model";
import { parseJson, parseJsonObject, usageOf } from "@weft/schema";
import { z } from "zod";
import { callVendor } from "../call-vendor.ts";
import type { ChatModelOptions } from "../define-provider.ts";
import {
  brokenOff,
  fromVendorError,
  invalidAnswer,
  type ModelErrorContext,
  unreadable,
  unsent,
} from "../failure/model-failure.ts";
import { readVendorError } from "../failure/vendor-error.ts";
import { defaultOllamaUrl } from "./ollama-host.ts";

/** A model of an Ollama server, by its own chat API. Always streams: one way to answer, one way to fail. */
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

/** The non-empty lines of an answer as they arrive. Leaving the loop ends the request. */
async function* readLines(response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = text.split("\n");
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line.trim() !== "");
  }
  if (rest.trim() !== "") yield rest;
}

/** The body of `POST /api/chat` (Ollama's api.md, "Generate a chat completion"). */
function toChatRequest(model: string, call: ModelCall): object {
  const { tools = [], toolChoice, parameters = {}, responseSchema } = call;
  const { maxTokens, temperature, topP, topK, frequencyPenalty, presencePenalty, seed, stop } = parameters;
  const { contextTokens, reasoning } = parameters;
  return {
    model,
    messages: call.messages.map(toChatMessage),
    stream: true,
    // The only way to forbid the use of tools.
    ...(tools.length === 0 || toolChoice === "none"
      ? {}
      : { tools: tools.map((tool) => ({ type: "function", function: tool })) }),
    ...(responseSchema === undefined ? {} : { format: responseSchema.schema }),
    ...(reasoning && { think: toThink(model, reasoning) }),
    options: {
      num_predict: maxTokens,
      num_ctx: contextTokens,
      temperature,
      top_p: topP,
      top_k: topK,
      frequency_penalty: frequencyPenalty,
      presence_penalty: presencePenalty,
      seed,
      stop,
    },
  };
}

/**
 * Models can think or not; gpt-oss has levels, and cannot turn it off. (https://docs.ollama.com/capabilities/thinking)
 */
function toThink(model: string, reasoning: NonNullable<ModelParameters["reasoning"]>): boolean | string {
  if (!/^(.*\/)?gpt-oss/.test(model)) return reasoning !== "none";
  return gptOssLevels[reasoning] ?? "high";
}

const gptOssLevels: Readonly<Record<string, string>> = { none: "low", minimal: "low", low: "low", medium: "medium" };

function toChatMessage(message: ModelMessage): object {
  switch (message.role) {
    case "system":
      return message;
    case "user":
      return typeof message.content === "string" ? message : { role: "user", ...toContent(message.content) };
    case "assistant": {
      const { role, content, toolCalls } = message;
      const calls = toolCalls?.map(({ id, name, arguments: text }) => ({
        id,
        // Ollama accepts only objects as arguments; other values, written by another model, are left out.
        function: { name, arguments: parseJsonObject(text) ?? {} },
      }));
      return { role, content, ...(calls === undefined ? {} : { tool_calls: calls }) };
    }
    case "tool": {
      const { role, content, toolName, toolCallId } = message;
      return { role, content, tool_name: toolName, tool_call_id: toolCallId };
    }
  }
}

function toContent(parts: readonly ModelContentPart[]): { content: string; images: string[] } {
  const texts: string[] = [];
  const images: string[] = [];
  for (const part of parts) {
    if (part.type === "text") texts.push(part.text);
    else if (part.data instanceof URL) throw unsent("Ollama takes a picture's bytes, not its address");
    else images.push(Buffer.from(part.data).toString("base64"));
  }
  return { content: texts.join("\n"), images };
}

const toolCallSchema = z.object({
  id: z.string().optional(),
  function: z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) }),
});

/** One line of the answer, limited to the fields read. The last one is `done`. */
const chatChunkSchema = z.object({
  message: z.object({ content: z.string().default(""), tool_calls: z.array(toolCallSchema).default([]) }).optional(),
  done: z.boolean(),
  done_reason: z.string().optional(),
  prompt_eval_count: z.number().default(0),
  eval_count: z.number().default(0),
});
type ChatChunk = z.infer<typeof chatChunkSchema>;
