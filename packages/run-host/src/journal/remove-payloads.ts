import { type Json, type RunEvent, type Usage, usageSchema } from "@weft/schema";

/** Values whose JSON text is no longer than this stay. */
const maxKept = 64 * 1_024;

/**
 * The event without its large inputs and outputs: a sentence stands in their place, and `removedAfterDays` says that it does.
 * The run's question and answer and its state stay, and so does what a model call took. Undefined where nothing is large.
 */
export function removePayloads(event: RunEvent, days: number): RunEvent | undefined {
  switch (event.type) {
    case "effect-started":
      return isLarge(event.input) ? { ...event, ...mark(days), input: note(event.input, days) } : undefined;
    case "effect-finished":
      return ofEffect(event, days);
    case "node-completed":
      return ofOutput(event, days);
    case "node-spawned":
      // As many as there were: each has steps of its own.
      return isLarge(event.items)
        ? { ...event, ...mark(days), items: event.items.map((item) => note(item, days)) }
        : undefined;
    default:
      return undefined;
  }
}

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

function ofEffect(event: EventOf<"effect-finished">, days: number): RunEvent | undefined {
  const { outcome } = event;
  if (!outcome.ok || !isLarge(outcome.value)) return undefined;
  const text = note(outcome.value, days);
  const usage = usageIn(outcome.value);
  return { ...event, ...mark(days), outcome: { ok: true, value: usage ? { text, usage } : text } };
}

function ofOutput(event: EventOf<"node-completed">, days: number): RunEvent | undefined {
  const { output, text, json, messages } = event;
  if (![output, text, json, messages].some(isLarge)) return undefined;
  return {
    ...event,
    ...mark(days),
    ...(isLarge(output) && { output: note(output, days) }),
    ...(text !== undefined && isLarge(text) && { text: note(text, days) }),
    ...(json !== undefined && isLarge(json) && { json: note(json, days) }),
    ...(isLarge(messages) && { messages: [] }),
  };
}

const mark = (days: number) => ({ removedAfterDays: days });

/** Whether something of the run was removed, so that it cannot be repeated from its journal. */
export function lacksPayloads(events: readonly RunEvent[]): boolean {
  return events.some(({ removedAfterDays }) => removedAfterDays !== undefined);
}

function isLarge(value: Json | undefined): boolean {
  return value !== undefined && sizeOf(value) > maxKept;
}

function sizeOf(value: Json): number {
  return typeof value === "string" ? value.length : JSON.stringify(value).length;
}

function note(value: Json, days: number): string {
  return `removed after ${days} ${days === 1 ? "day" : "days"} (${sizeOf(value)} characters)`;
}

function usageIn(value: Json): Usage | undefined {
  const isObject = value !== null && typeof value === "object" && !Array.isArray(value);
  return isObject ? usageSchema.safeParse(value.usage).data : undefined;
}
