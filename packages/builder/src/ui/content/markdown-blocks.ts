import { splitCitations } from "@weft/schema/citation";

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

/** As much of a node of a Markdown tree as is read and written here. */
type MarkdownNode = { type: string; value?: string; url?: string; children?: MarkdownNode[] };

const address = "#citation-";

/** Makes links of the citations in a tree whose numbers are known. Brackets in code and in links stay text. */
export function linkCitations(known: { has(number: number): boolean }): (tree: MarkdownNode) => void {
  return function link(node) {
    if (node.type === "link" || node.type === "linkReference" || node.children === undefined) return;
    node.children = node.children.flatMap((child): MarkdownNode[] => {
      link(child);
      if (child.type !== "text") return [child];
      return splitCitations(child.value ?? "", known).map((part) => {
        if (typeof part === "string") return { type: "text", value: part };
        return { type: "link", url: `${address}${part}`, children: [{ type: "text", value: `[${part}]` }] };
      });
    });
  };
}

/** The number that a link cites; 0 for any other link. */
export function numberOfLink(href: string): number {
  return href.startsWith(address) ? Number(href.slice(address.length)) : 0;
}
