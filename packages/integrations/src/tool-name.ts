import type { Tool } from "@weft/engine/ports/tool";
import { WeftError } from "@weft/schema";

/** Longest name that all model vendors take. */
const maxLength = 64;

/** A name that model vendors take: `[A-Za-z0-9_-]{1,64}`. Whatever else stands in `text` becomes `_`. */
export function toToolName(text: string, fallback: string): string {
  const name = text
    .trim()
    .replaceAll(/[^A-Za-z0-9_-]+/g, "_")
    .replaceAll(/^_+|(?<!_)_+$/g, "")
    .slice(0, maxLength);
  return name === "" ? fallback : name;
}

/** The same tools; a name that was taken by one before gets `_2`, `_3` … at its end. */
export function uniqueToolNames(tools: readonly Tool[]): Tool[] {
  const taken = new Set<string>();
  return tools.map((tool) => {
    const name = uniqueName(tool.name, taken);
    taken.add(name);
    return name === tool.name ? tool : { ...tool, name };
  });
}

/** `name`, or the first of `name_2`, `name_3` … that is not taken, at most 64 characters long. */
function uniqueName(name: string, taken: { has(name: string): boolean }): string {
  let candidate = name;
  for (let number = 2; taken.has(candidate); number += 1) {
    const ending = `_${number}`;
    candidate = name.slice(0, maxLength - ending.length) + ending;
  }
  return candidate;
}

/** A value, or what is wrong in words that a model can act on. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; message: string };

/** The error for settings that cannot make a tool. `reason` is a sentence for the flow's author; `errors` name settings. */
export function invalidTool(name: string, reason: string, errors: WeftError["errors"] = []): WeftError {
  return new WeftError("tool-invalid", { params: { name, reason }, errors });
}
