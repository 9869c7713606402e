import type { ModelCall, ModelContentPart, ModelMessage } from "@weft/engine";
import { z } from "zod";
import { parseJson, unsent } from "../failure/model-failure.ts";

/** The body of `POST /api/chat` (Ollama's api.md, "Generate a chat completion"). */
export function toChatRequest(model: string, call: ModelCall): object {
  const { tools = [], toolChoice, parameters = {}, responseSchema } = call;
  const { maxTokens, temperature, topP } = parameters;
  return {
    model,
    messages: call.messages.map(toChatMessage),
    stream: true,
    // There is no other way to forbid the use of tools.
    ...(tools.length === 0 || toolChoice === "none"
      ? {}
      : { tools: tools.map((tool) => ({ type: "function", function: tool })) }),
    ...(responseSchema === undefined ? {} : { format: responseSchema.schema }),
    options: { num_predict: maxTokens, temperature, top_p: topP },
  };
}

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
        function: { name, arguments: toArguments(text) },
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

/** Ollama takes arguments as an object only; what another model wrote otherwise is left out. */
function toArguments(text: string): object {
  const value = parseJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

const toolCallSchema = z.object({
  id: z.string().optional(),
  function: z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) }),
});

/** One line of the answer, as far as it is read. The last one is `done`. */
export const chatChunkSchema = z.object({
  message: z.object({ content: z.string().default(""), tool_calls: z.array(toolCallSchema).default([]) }).optional(),
  done: z.boolean(),
  done_reason: z.string().optional(),
  prompt_eval_count: z.number().default(0),
  eval_count: z.number().default(0),
});
export type ChatChunk = z.infer<typeof chatChunkSchema>;
