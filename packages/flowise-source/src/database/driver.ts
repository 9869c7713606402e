/** Identifies a row: its physical position in SQLite and PostgreSQL, its id in MySQL. */
type Key = string;

/**
 * One connection in a read transaction. Statements have `?` for parameters; `keys` stands for a list of keys. Every
 * failure is a `FlowiseSourceError`.
 */
export type Driver = {
  readonly kind: "sqlite" | "postgres" | "mysql";
  readonly sql: Dialect;
  select(statement: string, parameters?: readonly (string | readonly Key[])[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
};

export type Dialect = {
  /** Yields `table` and `column` of every table. */
  columns: string;
  quote(name: string): string;
  /** An expression for the row's key, as text. */
  key: string;
  /** A condition on a list of keys. */
  hasKey: string;
  /** Converts to text that compares with a parameter. */
  toText(column: string): string;
  /** Sorts text by its bytes, nulls first. */
  byText(column: string): string;
  /** Sorts moments, nulls first. */
  byMoment(column: string): string;
  byNumber(column: string): string;
};

export function quoteDouble(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
