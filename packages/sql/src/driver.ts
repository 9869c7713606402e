import type { EgressSocket } from "@weft/egress";
import type { SqlStatement } from "@weft/engine/ports/sql-client";
import type { Json } from "@weft/schema";
import type { Server, ServerSession } from "./process/protocol.ts";

/** A connection to a database on which nothing was sent yet, and a callback for the session that the server assigns. */
export type Place = { database: Server; socket: EgressSocket; onSession?(session: ServerSession): void };

/** For TLS to the host that the connection was made for. */
export function toTls({ tls, trusted }: Server) {
  return tls ? { rejectUnauthorized: true, ...(trusted && { ca: [...trusted] }) } : undefined;
}

/** The database-independent part of a statement. */
export type Statement = SqlStatement;

/**
 * Receives a statement's result. `row` returns false if no more is accepted. Only texts that have arrived are measured:
 * a connection's total input has a limit of its own.
 */
export type Sink = { columns(names: readonly string[]): void; row(values: readonly Json[]): boolean };

/** The number of changed rows, if any. */
export type Ended = { changedRows?: number };

/** A failure with a message for the author of the statement. */
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

/** A driver's message, as the start of a sentence: its first line, without the full stop. */
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

/** Converts a parameter for the database. */
export function toParameter(value: Json): string | number | boolean | null {
  return value !== null && typeof value === "object" ? JSON.stringify(value) : value;
}

/** Text that is not JSON stays text. */
export function toJsonOrText(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A whole number as a number if that is exact, otherwise as text. */
export function toWholeNumber(value: bigint | string): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** Converts a driver's value to JSON. */
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
