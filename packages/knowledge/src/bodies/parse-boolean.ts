import { WeftError } from "@weft/schema";

/** A boolean as forms send it: `true`, `false` in any case, `1`, `0`. Undefined for anything else. */
export function parseFormBoolean(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const text = String(value).trim().toLowerCase();
  if (text === "true" || text === "1") return true;
  return text === "false" || text === "0" ? false : undefined;
}

/** As `parseFormBoolean`; absent and empty text are undefined, and what is no boolean throws `parameters-invalid`. */
export function parseBoolean(field: string, value: unknown): boolean | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const parsed = parseFormBoolean(value);
  if (parsed !== undefined) return parsed;
  throw new WeftError("parameters-invalid", { params: { reason: `${field} must be true or false (or 1 or 0).` } });
}
