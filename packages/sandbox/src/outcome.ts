import type { SandboxLimits } from "./limits.ts";

/** The result of the code: JSON text of its value, or an error message. */
export type Outcome = { ok: true; valueText: string } | FailedOutcome;
type FailedOutcome = { ok: false; error: { name: string; message: string } };

/** Parses the guest's result (see `GuestHost.finish`). The guest may have been tampered with by its code. */
export function parseOutcome(text: string, limits: SandboxLimits): Outcome {
  const json = text.slice(1);
  if (text[0] !== "v") return parseError(json);
  if (Buffer.byteLength(json) > limits.resultBytes) {
    return failedOutcome("RangeError", `The result may have ${limits.resultBytes} bytes at most, as JSON.`);
  }
  if (jsonDepth(json, limits.resultDepth) > limits.resultDepth) {
    return failedOutcome("RangeError", `The result may be nested ${limits.resultDepth} levels deep at most.`);
  }
  return { ok: true, valueText: json };
}

export function timeoutOutcome(timeoutMs: number): FailedOutcome {
  return failedOutcome("TimeoutError", `The code did not finish within ${timeoutMs} ms.`);
}

export function failedOutcome(name: string, message: string): FailedOutcome {
  return { ok: false, error: { name, message } };
}

function parseError(json: string): Outcome {
  const { name, message }: Record<string, unknown> = JSON.parse(json);
  return failedOutcome(toText(name, "Error").slice(0, 100), toText(message, "").slice(0, 2000));
}

function toText(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}

/** Levels of arrays and objects in valid JSON text; a bare value has none. Stops counting above `limit`. */
export function jsonDepth(text: string, limit: number): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length && deepest <= limit; index += 1) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    else if (character === "]" || character === "}") depth -= 1;
    else if (character === "[" || character === "{") {
      depth += 1;
      deepest = Math.max(deepest, depth);
    }
  }
  return deepest;
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return index;
}
