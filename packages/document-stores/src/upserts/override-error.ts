import { WeftError } from "@weft/schema";

/** Explains for each name in `overrideConfig` why it cannot be overridden. */
export function invalidOverrides(names: readonly string[], why: (name: string) => string): WeftError {
  const errors = names.map((name) => ({ path: `overrideConfig.${name}`, message: why(name) }));
  const reason = errors.map(({ path, message }) => `${path} ${message}`).join("; ");
  return new WeftError("validation-failed", { params: { reason }, errors });
}
