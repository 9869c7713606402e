/**
 * Splits Markdown at certain block boundaries, so that only the last block of a streaming text is parsed again. Joined,
 * the blocks are the original text. Code blocks, lists and indented text stay whole.
 */
export function splitMarkdown(text: string): string[] {
  const blocks: string[] = [];
  let block = "";
  let fence = "";
  let isBlank = false;
  for (const line of text.match(/.*\n|.+$/g) ?? []) {
    if (fence === "" && isBlank && isBeginning(line)) {
      blocks.push(block);
      block = "";
    }
    fence = fenceAfter(line, fence);
    isBlank = line.trim() === "";
    block += line;
  }
  return block === "" ? blocks : [...blocks, block];
}

/** Whether a line after a blank one can only begin a new block: no list item, quotation, table, definition or continuation. */
function isBeginning(line: string): boolean {
  return /^(?:#{1,6} |[^\s\-*+>|[\d])/.test(line);
}

/** The fence of a code block that is open after the line; empty: none. */
function fenceAfter(line: string, open: string): string {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
  if (open === "") return fence;
  const isClosed = fence.startsWith(open) && line.trim() === fence;
  return isClosed ? "" : open;
}

/** Markdown as one line of plain text, for lists: its marks are left out. Longer texts are read up to a thousand characters. */
export function toPlainText(markdown: string): string {
  return markdown
    .slice(0, 1_000)
    .replaceAll(/^ {0,3}(?:#{1,6} +|> ?|[-*+] +|```.*$)/gm, "")
    .replaceAll(/!?\[([^\]]*)\]\([^)\s]*\)/g, "$1")
    .replaceAll(/(\*\*|__|~~|`)(?=\S)(.+?)\1/g, "$2")
    .replaceAll(/(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();
}
