/**
 * A Markdown table of cells, each the text of one line; the first row is its header. Rows without text are left out,
 * and a single column becomes lines.
 */
export function toMarkdownTable(cells: readonly (readonly string[])[]): string {
  const rows = cells.filter((row) => row.some((cell) => cell !== ""));
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const [head, ...rest] = rows;
  if (head === undefined) return "";
  if (width === 1) return rows.map(([cell = ""]) => cell).join("\n");
  // Markdown drops cells beyond the header's and fills missing ones. Padding every row would let one wide row multiply
  // the text.
  const padded = [...head, ...Array.from({ length: width - head.length }, () => "")];
  return [toRow(padded), `|${" --- |".repeat(width)}`, ...rest.map(toRow)].join("\n");
}

function toRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
