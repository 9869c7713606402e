import type { SqlCall } from "@weft/engine/ports/sql-client";
import type { Json } from "@weft/schema";

/** What a statement is given by, whatever database it goes to. */
export type Statement = Pick<SqlCall, "statement" | "parameters" | "access" | "timeoutMs">;

/**
 * Takes what a statement brings. `row` is false when nothing more is taken. Of a row only the texts are measured that
 * have arrived: what a connection may read is limited beside it.
 */
export type Sink = { columns(names: readonly string[]): void; row(values: readonly Json[]): boolean };

/** Says how many rows were changed, where something was. */
export type Ended = { changedRows?: number };

/** A failure in words for the author of the statement. */
export class SqlFailure extends Error {
  readonly retryable: boolean;

  constructor(reason: string, { retryable = false, cause }: { retryable?: boolean; cause?: unknown } = {}) {
    super(reason, { cause });
    this.name = "SqlFailure";
    this.retryable = retryable;
  }
}

/** What a driver said, as the beginning of a sentence: its first line, without the full stop. */
export function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split("\n")[0] ?? "").slice(0, 500).replace(/\.$/, "");
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** A parameter as databases take it. */
export function toParameter(value: Json): string | number | boolean | null {
  return value !== null && typeof value === "object" ? JSON.stringify(value) : value;
}

/** A whole number as a number where that is exact, and as its text elsewhere. */
export function toWholeNumber(value: bigint | string): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** What a driver read, as JSON. */
export function toJsonValue(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === "bigint") return toWholeNumber(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.map(toJsonValue);
  if (typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toJsonValue(inner)]));
  }
  return value as string | boolean;
}
