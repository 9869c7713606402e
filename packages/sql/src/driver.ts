import type { EgressSocket } from "@weft/egress";
import type { SqlCall } from "@weft/engine/ports/sql-client";
import type { Json } from "@weft/schema";
import type { Server, ServerSession } from "./process/protocol.ts";

/** A connection to a database, where nothing was sent yet, and what is told of it once the server names it. */
export type Place = { database: Server; socket: EgressSocket; onSession?(session: ServerSession): void };

/** For TLS to the host that the connection was made for. */
export function toTls({ tls, trusted }: Server) {
  return tls ? { rejectUnauthorized: true, ...(trusted && { ca: [...trusted] }) } : undefined;
}

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

export function tooMuch(maxBytes: number): SqlFailure {
  return new SqlFailure(
    `The rows are much larger than the ${maxBytes} bytes that are kept. Select fewer columns or shorter values.`,
  );
}

/** What a driver said, as the beginning of a sentence: its first line, without the full stop. */
export function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const line = (message.split("\n", 1)[0] ?? "").slice(0, 500);
  return line
    .replaceAll(/\p{Cc}/gu, " ")
    .replace(/\.$/, "")
    .trim();
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** A parameter as databases take it. */
export function toParameter(value: Json): string | number | boolean | null {
  return value !== null && typeof value === "object" ? JSON.stringify(value) : value;
}

/** What is no JSON stays text. */
export function toJsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
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
