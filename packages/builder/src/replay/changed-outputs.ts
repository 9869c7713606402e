import type { ExecutionStep, Pin } from "@weft/client";
import { isJsonObject, type Json, parseJson } from "@weft/schema";

/** Steps that had finished before another one began, each with its last execution, in the order in which they began. */
export function stepsBefore(steps: readonly ExecutionStep[], from: { nodeKey?: string; nodeId?: string }) {
  const isFrom = (step: ExecutionStep) => step.nodeKey === from.nodeKey || step.nodeId === from.nodeId;
  const end = from.nodeKey === undefined ? steps.findLastIndex(isFrom) : steps.findIndex(isFrom);
  const before = steps.slice(0, end < 0 ? steps.length : end).filter(({ status }) => status === "FINISHED");
  return [...new Map(before.map((step) => [step.nodeId, step])).values()];
}

/** How a pin is edited: its words alone, or its whole output as JSON. */
export type PinForm = "words" | "json";

/** Words, where the step's answer is words that its output does not hold as data, too. */
export function usualForm({ output, text, json }: Pin): PinForm {
  if (text === undefined || json !== undefined) return "json";
  if (!isJsonObject(output)) return output === text ? "words" : "json";
  return output.content === text && output.data === undefined ? "words" : "json";
}

/** A pin as a person edits it. */
export function pinToText(pin: Pin, form = usualForm(pin)): string {
  return form === "words" ? (pin.text ?? "") : JSON.stringify(pin.output, null, 2);
}

/** The pin with what was typed, so that later steps read the same in all of it; undefined for JSON that is none. */
export function withText(pin: Pin, typed: string, form = usualForm(pin)): Pin | undefined {
  if (form === "words") return { ...pin, text: typed, output: withContent(pin.output, typed) };
  const output = parseJson(typed);
  if (output === undefined) return undefined;
  const { text: _text, json, ...rest } = pin;
  const agreed = agree(pin.output, output);
  const text = textOf(pin, agreed);
  return { ...rest, output: agreed, ...(text !== undefined && { text }), ...(json !== undefined && { json: agreed }) };
}

/** Model steps repeat their answer in their output. */
function withContent(output: Json, text: string): Json {
  if (typeof output === "string") return text;
  return isJsonObject(output) && typeof output.content === "string" ? { ...output, content: text } : output;
}

/** Where an output has the same as text and as data, a change of one is a change of the other. */
function agree(before: Json, after: Json): Json {
  if (!isJsonObject(before) || !isJsonObject(after) || before.data === undefined) return after;
  if (typeof before.content !== "string" || !says(before.content, before.data)) return after;
  if (!isSame(after.data, before.data)) return { ...after, content: toWords(after.data ?? null) };
  return typeof after.content === "string" ? { ...after, data: toData(after.content) } : after;
}

/** The text of a changed output, if it follows from the output as the one before did. */
function textOf({ output: before, text }: Pin, after: Json): string | undefined {
  if (text === undefined) return undefined;
  const saysAll = says(text, before) ? toWords(after) : undefined;
  if (!isJsonObject(before) || !isJsonObject(after)) return saysAll;
  if (before.content === text) return typeof after.content === "string" ? after.content : undefined;
  return before.data !== undefined && says(text, before.data) ? toWords(after.data ?? null) : saysAll;
}

function says(text: string, value: Json): boolean {
  return text === value || isSame(toData(text), value);
}

function toWords(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function toData(text: string): Json {
  return parseJson(text) ?? text;
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
