import type { Execution } from "@weft/client";
import {
  flowDocumentSchema,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  textOrEmpty,
  toJsonList,
  toJsonObject,
} from "@weft/schema";

/** A message as the playground edits it. */
export type Message = { role: "system" | "user" | "assistant"; content: string };

export const noMessages: readonly Message[] = [
  { role: "system", content: "" },
  { role: "user", content: "" },
];

/**
 * What the first model call of a step was sent in a run: the texts of people, models and instructions, without calls of
 * tools and what they gave. Undefined if the step called no model, or the run keeps no prompts.
 */
export function messagesOf({ steps }: Pick<Execution, "steps">, nodeKey: string): Message[] | undefined {
  const step = steps.find((one) => one.nodeKey === nodeKey);
  const call = step?.effects.find(({ category }) => category === "model");
  if (call === undefined) return undefined;
  const messages = toJsonList(toJsonObject(call.input).messages).flatMap(toMessage);
  return messages.length === 0 ? undefined : messages;
}

function toMessage(value: Json): Message[] {
  const { role, content } = toJsonObject(value);
  const text = Array.isArray(content)
    ? content.map((part) => textOrEmpty(toJsonObject(part).text)).join("\n")
    : content;
  if (role !== "system" && role !== "user" && role !== "assistant") return [];
  return typeof text !== "string" || text.trim() === "" ? [] : [{ role, content: text }];
}

/** The model settings of a step. */
export function modelOf(flowData: string, nodeId: string): JsonObject {
  const flow = flowDocumentSchema.safeParse(parseJson(flowData)).data;
  return toJsonObject(flow?.nodes.find(({ id }) => id === nodeId)?.config.model ?? null);
}

/**
 * The flow with other model settings for a step, and with other instructions if its own are plain text. Undefined if it
 * has no such step.
 */
export function withWinner(
  flowData: string,
  nodeId: string,
  { model, instructions, was }: { model: JsonObject; instructions: string; was: string },
): string | undefined {
  const flow = flowDocumentSchema.safeParse(parseJson(flowData)).data;
  const node = flow?.nodes.find(({ id }) => id === nodeId);
  if (flow === undefined || node === undefined) return undefined;
  const messages = toJsonList(node.config.messages);
  const at = messages.findIndex(
    (message) => isJsonObject(message) && message.role === "system" && message.content === was,
  );
  const config = {
    ...node.config,
    model: { ...toJsonObject(node.config.model ?? null), ...model },
    ...(at >= 0 && instructions !== was && { messages: messages.with(at, { role: "system", content: instructions }) }),
  };
  return JSON.stringify({ ...flow, nodes: flow.nodes.map((one) => (one === node ? { ...node, config } : one)) });
}
