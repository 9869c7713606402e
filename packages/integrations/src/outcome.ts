import { WeftError } from "@weft/schema";

/** A value, or what is wrong in words that a model can act on. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; message: string };

/** The error for settings that cannot make a tool. `reason` is a sentence for the flow's author. */
export function invalidTool(name: string, reason: string): WeftError {
  return new WeftError("tool-invalid", { params: { name, reason } });
}
