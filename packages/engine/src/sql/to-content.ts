import type { SqlResult } from "../ports/sql-client.ts";

/**
 * Formats a result for a model: one line of JSON for the columns and for each row, and a sentence about anything left
 * out.
 */
export function toContent({ columns, rows, truncated, changedRows }: SqlResult): string {
  if (columns.length === 0) return changedRows === undefined ? "Done." : `Done. Changed rows: ${changedRows}.`;
  if (rows.length === 0) return truncated ? "The first row is larger than the result may be." : "No rows.";
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name] ?? null))];
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  return truncated ? `${text}\nThere are more rows than these ${rows.length}. Ask for less, or for sums.` : text;
}
