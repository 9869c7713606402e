import type { Execution, ExecutionStep, Pin } from "@weft/client";
import { isJsonObject, type Json, parseJson } from "@weft/schema";

/** Steps that had finished before another one began, each with its last execution, in the order in which they began. */
export function stepsBefore({ steps }: Pick<Execution, "steps">, from: { nodeKey?: string; nodeId?: string }) {
  const isFrom = (step: ExecutionStep) => step.nodeKey === from.nodeKey || step.nodeId === from.nodeId;
  const end = from.nodeKey === undefined ? steps.findLastIndex(isFrom) : steps.findIndex(isFrom);
  const before = steps.slice(0, end < 0 ? steps.length : end).filter(({ status }) => status === "FINISHED");
  return [...new Map(before.map((step) => [step.nodeId, step])).values()];
}

/** A pin as a person edits it: its text where it is an answer in words, otherwise its output as JSON. */
export function pinToText(pin: Pin): string {
  return isInWords(pin) ? (pin.text ?? "") : JSON.stringify(pin.output, null, 2);
}

function isInWords({ text, json }: Pin): boolean {
  return text !== undefined && json === undefined;
}

/** The pin with what was typed; undefined for JSON that is none. */
export function withText(pin: Pin, typed: string): Pin | undefined {
  if (isInWords(pin)) return { ...pin, text: typed, output: withContent(pin.output, typed) };
  const output = parseJson(typed) as Json | undefined;
  if (output === undefined) return undefined;
  const { text: _text, json, ...rest } = pin;
  return { ...rest, output, ...(json !== undefined && { json: output }) };
}

/** Model steps repeat their answer in their output. */
function withContent(output: Json, text: string): Json {
  return isJsonObject(output) && typeof output.content === "string" ? { ...output, content: text } : output;
}
