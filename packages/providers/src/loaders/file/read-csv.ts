/**
 * The rows of CSV text (RFC 4180), the header first, one at a time; blank lines are left out. What parts the columns is
 * the one of comma, semicolon and tab that is most frequent in the first line.
 */
export function* readCsv(text: string): Generator<string[], undefined> {
  const separator = findSeparator(text);
  let row: string[] = [];
  let start = 0;
  while (start <= text.length) {
    const cell = readCell(text, start, separator);
    row.push(cell.value);
    start = cell.end + 1;
    if (text[cell.end] === separator) continue;
    if (row.length > 1 || row[0]?.trim() !== "") yield row;
    row = [];
    if (text[cell.end] === "\r" && text[start] === "\n") start += 1;
  }
}

function findSeparator(text: string): string {
  const [firstLine = ""] = /^[^\r\n]{0,100000}/.exec(text) ?? [];
  const counts = [",", ";", "\t"].map((sign) => ({ sign, count: firstLine.split(sign).length }));
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).sign;
}

/** `end`: where the sign behind the cell stands: a separator, a line break, or nothing. */
function readCell(text: string, start: number, separator: string): { value: string; end: number } {
  if (text[start] !== '"') {
    const end = findEnd(text, start, separator);
    return { value: text.slice(start, end), end };
  }
  let value = "";
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return { value: value + text.slice(from), end: text.length };
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') {
      const end = findEnd(text, quote + 1, separator);
      return { value: value + text.slice(quote + 1, end), end };
    }
    value += '"';
    from = quote + 2;
  }
}

function findEnd(text: string, start: number, separator: string): number {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r") end += 1;
  return end;
}
