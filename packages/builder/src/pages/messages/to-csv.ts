/**
 * Comma-separated values (RFC 4180) with a byte order mark, so that spreadsheets read them as UTF-8. A text that a
 * spreadsheet would run as a formula is given an apostrophe before it: others wrote these texts.
 */
export function toCsv(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return `\uFEFF${[header, ...rows].map((row) => row.map(toCell).join(",")).join("\r\n")}\r\n`;
}

function toCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
