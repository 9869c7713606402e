/** What stands before a value on its line: indentation, dashes of lists, and a key. */
const beforeValue = /^(?:[ \t]*(?:-[ ]+)*(?:[\w.$-]+|"[^"\n]*"|'[^'\n]*')[ \t]*:[ \t]+|[ \t]*(?:-[ ]+)+)/;

/** A value whose text stands on the lines below, as it is. */
const opensBlock = /(?:^|[\s:-])[|>][+-]?\d?[+-]?[ \t]*(?:#.*)?$/;

/**
 * YAML in which every value that begins with `=` is quoted. Those who write expressions mean the text to the end of its
 * line, where plain YAML would read `: `, ` #` and brackets in it; lines below that are indented further go on with it.
 * Lines keep their numbers.
 */
export function quoteExpressions(content: string): string {
  const lines = content.split("\n");
  const quoted: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const [before = ""] = beforeValue.exec(line) ?? [];
    const below = () => linesBelow(lines, index, widthOf(line));
    if (before !== "" && line.startsWith("=", before.length)) {
      const further = below().map((text) => text.trim());
      const text = [line.slice(before.length).trim(), ...further].filter((part) => part !== "").join(" ");
      quoted.push(`${before}'${text.replaceAll("'", "''")}'`, ...further.map(() => ""));
      index += further.length;
    } else {
      quoted.push(line);
      if (!opensBlock.test(line)) continue;
      const block = below();
      quoted.push(...block);
      index += block.length;
    }
  }
  return quoted.join("\n");
}

/** The lines behind one that are indented further, with empty lines between them. */
function linesBelow(lines: readonly string[], index: number, width: number): string[] {
  let end = index + 1;
  for (let next = end; next < lines.length; next += 1) {
    const line = lines[next] ?? "";
    if (line.trim() === "") continue;
    if (widthOf(line) <= width) break;
    end = next + 1;
  }
  return lines.slice(index + 1, end);
}

/** How far the key of a line is indented, dashes of lists included; where a list has the value itself, its last dash. */
function widthOf(line: string): number {
  const [start = ""] = /^[ \t]*(?:-[ ]+)*/.exec(line) ?? [];
  const isValue = start.includes("-") && /^[|>=]/.test(line.slice(start.length));
  return isValue ? start.lastIndexOf("-") : start.length;
}
