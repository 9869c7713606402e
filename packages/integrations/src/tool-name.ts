import type { Tool } from "@weft/engine/ports/tool";
import { WeftError } from "@weft/schema";

/** Longest name that all model vendors accept. */
const maxLength = 64;

/** A name that model vendors accept: `[A-Za-z0-9_-]{1,64}`. Other characters of `text` become `_`. */
export function toToolName(text: string, fallback: string): string {
  const name = text
    .trim()
    .replaceAll(/[^A-Za-z0-9_-]+/g, "_")
    .replaceAll(/^_+|(?<!_)_+$/g, "")
    .slice(0, maxLength);
  return name === "" ? fallback : name;
}

/** The same tools; a repeated name gets the suffix `_2`, `_3` … */
export function uniqueToolNames(tools: readonly Tool[]): Tool[] {
  const taken = new Set<string>();
  return tools.map((tool) => {
    const name = uniqueName(tool.name, taken);
    taken.add(name);
    return name === tool.name ? tool : { ...tool, name };
  });
}

/** `name`, or the first of `name_2`, `name_3` … that is free, at most 64 characters long. */
function uniqueName(name: string, taken: { has(name: string): boolean }): string {
  let candidate = name;
  for (let number = 2; taken.has(candidate); number += 1) {
    const ending = `_${number}`;
    candidate = name.slice(0, maxLength - ending.length) + ending;
  }
  return candidate;
}

/** A value, or a message that a model can act on. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; message: string };

/**
 * The error for settings that cannot make a tool. `reason` is a message for the flow's author; `errors` name settings.
 */
export function invalidTool(name: string, reason: string, errors: WeftError["errors"] = []): WeftError {
  return new WeftError("tool-invalid", { params: { name, reason }, errors });
}
