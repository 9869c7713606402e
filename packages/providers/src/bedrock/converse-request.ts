import type { ModelCall, ModelContentPart, ModelMessage, ModelTool } from "@weft/engine/ports/chat-model";
import { parseJsonObject } from "@weft/schema";
import { unsent } from "../failure/model-failure.ts";

/** The tool that a model calls to answer in JSON, because not every model has a JSON mode. */
export const answerTool = "answer_in_json";

/** The API cannot forbid tool calls, and refuses a conversation with calls but no tools. */
export const noCalls = "Answer in words. Do not call a tool.";

/** Thoughts that led to calls, in the state of the first: Claude requires them back. */
export const thoughtsKey = "reasoningContent";

const goOn = "Continue.";

type Message = { role: "user" | "assistant"; content: object[] };

/** The body of `Converse` and `ConverseStream`. (https://docs.aws.amazon.com/bedrock/latest/APIReference) */
export function toConverseRequest(call: ModelCall): object {
  const { parameters = {} } = call;
  const system = call.messages.flatMap((message) =>
    message.role === "system" && message.content !== "" ? [{ text: message.content }] : [],
  );
  const { toolConfig, forbidsCalls } = toToolConfig(call);
  if (forbidsCalls) system.push({ text: noCalls });
  // Forced tool use excludes thinking.
  const thinking = toolConfig?.toolChoice === undefined ? parameters.thinkingTokens : undefined;
  const own = toOwnFields(parameters.topK, thinking);
  return {
    messages: toMessages(call.messages),
    ...(system.length > 0 && { system }),
    inferenceConfig: {
      // Thinking tokens count, too.
      maxTokens: parameters.maxTokens && parameters.maxTokens + (thinking ?? 0),
      temperature: parameters.temperature,
      topP: parameters.topP,
      stopSequences: parameters.stop,
    },
    ...(Object.keys(own).length > 0 && { additionalModelRequestFields: own }),
    ...(toolConfig && { toolConfig }),
  };
}

/** Fields of Claude. (https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-extended-thinking.html) */
function toOwnFields(topK: number | undefined, thinkingTokens: number | undefined): object {
  return {
    ...(topK !== undefined && { top_k: topK }),
    ...(thinkingTokens && { thinking: { type: "enabled", budget_tokens: thinkingTokens } }),
  };
}

type ToolConfig = { tools: object[]; toolChoice?: object };

function toToolConfig({ tools = [], toolChoice, responseSchema, messages }: ModelCall): {
  toolConfig: ToolConfig | undefined;
  forbidsCalls: boolean;
} {
  const offered = tools.length > 0 ? tools : calledTools(messages);
  const mayCall = tools.length > 0 && toolChoice !== "none";
  const all = offered.map(toToolSpec);
  if (responseSchema === undefined) {
    const toolConfig: ToolConfig | undefined = all.length > 0 ? { tools: all } : undefined;
    return { toolConfig, forbidsCalls: all.length > 0 && !mayCall };
  }
  all.push(toToolSpec({ name: answerTool, description: "Gives the answer.", parameters: responseSchema.schema }));
  const choice = mayCall ? { any: {} } : { tool: { name: answerTool } };
  return { toolConfig: { tools: all, toolChoice: choice }, forbidsCalls: false };
}

function toToolSpec({ name, description, parameters }: ModelTool): object {
  return { toolSpec: { name, ...(description && { description }), inputSchema: { json: parameters } } };
}

/** Placeholders for the tools of a conversation that no longer has any. */
function calledTools(messages: readonly ModelMessage[]): ModelTool[] {
  const calls = messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
  const names = new Set(calls.map(({ name }) => name));
  return [...names].map((name) => ({ name, description: "", parameters: { type: "object" } }));
}

/** Turns alternate: consecutive messages of one side become one, and tool results belong to the user. */
function toMessages(messages: readonly ModelMessage[]): Message[] {
  const turns: Message[] = [];
  for (const message of messages) {
    if (message.role === "system") continue;
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = toBlocks(message);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) turns.push({ role, content });
  }
  if (turns.at(-1)?.role === "assistant") turns.push({ role: "user", content: [{ text: goOn }] });
  return turns;
}

function toBlocks(message: Exclude<ModelMessage, { role: "system" }>): object[] {
  switch (message.role) {
    case "user":
      return typeof message.content === "string" ? toText(message.content) : message.content.flatMap(toUserBlock);
    case "assistant": {
      const thoughts = (message.toolCalls ?? []).flatMap(({ vendorState }) => vendorState?.[thoughtsKey] ?? []);
      const calls = (message.toolCalls ?? []).map(({ id, name, arguments: text }) => {
        // Bedrock accepts only objects as arguments; other values, written by another model, are left out.
        return { toolUse: { toolUseId: id, name, input: parseJsonObject(text) ?? {} } };
      });
      return [...(thoughts as object[]), ...toText(message.content), ...calls];
    }
    case "tool": {
      const status = message.isError ? "error" : "success";
      return [{ toolResult: { toolUseId: message.toolCallId, content: [{ text: message.content || " " }], status } }];
    }
  }
}

/** Blank texts are refused. */
function toText(text: string): object[] {
  return text.trim() === "" ? [] : [{ text }];
}

function toUserBlock(part: ModelContentPart): object[] {
  if (part.type === "text") return toText(part.text);
  if (part.data instanceof URL) throw unsent("Bedrock takes a picture's bytes, not its address");
  const format = /^image\/(png|jpeg|gif|webp)$/i.exec(part.mediaType)?.[1]?.toLowerCase();
  if (format === undefined) throw unsent(`the API takes PNG, JPEG, GIF and WebP pictures, not ${part.mediaType}`);
  return [{ image: { format, source: { bytes: Buffer.from(part.data).toString("base64") } } }];
}
