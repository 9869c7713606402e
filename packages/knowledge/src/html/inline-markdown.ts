import type { MarkdownOptions } from "./markdown-options.ts";
import { isElement, type PageElement, type PageNode } from "./page-node.ts";
import type { Steps } from "./steps.ts";

/** Text within a line, its white space collapsed as browsers do; `<br>` begins a new line. */
export function* inlineMarkdown(nodes: readonly PageNode[], options: MarkdownOptions): Steps<string> {
  const parts: string[] = [];
  for (const [index, node] of nodes.entries()) {
    writeNode(node, { options, isMarked: false, isLink: false, parts });
    if (index % nodesAtOnce === nodesAtOnce - 1) yield undefined;
  }
  const text = parts.join("");
  if (text.length <= pieceCharacters) return collapse(text);
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start);
    pieces.push(collapse(text.slice(start, end)));
    start = end;
    yield undefined;
  }
  return pieces.join("");
}

const nodesAtOnce = 500;
const pieceCharacters = 64 * 1024;

/** Between two characters that are not white space: what is collapsed lies within one piece. */
function endOfPiece(text: string, start: number): number {
  between.lastIndex = start + pieceCharacters;
  const match = between.exec(text);
  return match === null ? text.length : match.index + 1;
}

const between = /[^ \t\r\n\f\u2028](?=[^ \t\r\n\f\u2028])/g;

function collapse(text: string): string {
  return text.replace(/[ \t\r\n\f]{2,}|[\t\r\n\f]/g, " ").replaceAll(/ ?\u2028 ?/g, "\n");
}

/** `isMarked`: within emphasis or code; `isLink`: within a link. Neither is marked again. */
type Inline = { options: MarkdownOptions; isMarked: boolean; isLink: boolean; parts: string[] };

/** Stands for a line break until white space is collapsed. */
const lineBreak = "\u2028";
const marks: Readonly<Record<string, string>> = { b: "**", strong: "**", em: "*", i: "*", code: "`", kbd: "`" };

function writeNode(node: PageNode, inline: Inline): void {
  const { options, parts } = inline;
  if (!isElement(node)) {
    parts.push(node.replaceAll(lineBreak, " "));
    return;
  }
  if (options.omit?.has(node) || node.tag === "title") return;
  const mark = inline.isMarked ? undefined : marks[node.tag];
  const url = node.tag === "a" && !inline.isLink ? resolve(node.attributes.href, options.baseUrl) : undefined;
  if (node.tag === "br") parts.push(lineBreak);
  else if (node.tag === "img") parts.push(node.attributes.alt ?? "");
  else if (url !== undefined) parts.push(toLink(renderWithin(node, { ...inline, isLink: true }), url));
  else if (mark !== undefined) parts.push(toMarked(renderWithin(node, { ...inline, isMarked: true }), mark));
  else for (const child of node.children) writeNode(child, inline);
}

function renderWithin(element: PageElement, inline: Inline): string {
  const parts: string[] = [];
  for (const child of element.children) writeNode(child, { ...inline, parts });
  return parts.join("");
}

/** A mark beside white space, or around nothing, would show as itself. */
function toMarked(inner: string, mark: string): string {
  const text = inner.trim();
  return text === "" || text.includes(mark) ? inner : inner.replace(text, () => `${mark}${text}${mark}`);
}

function toLink(inner: string, url: string): string {
  const text = inner.replace(/\s+/g, " ").trim();
  return text === "" ? inner : `[${text}](${url})`;
}

/** Nothing for what leads nowhere: a place on the same page, a script, a mail address. */
function resolve(href: string | undefined, baseUrl: string | undefined): string | undefined {
  if (href === undefined || baseUrl === undefined || href.startsWith("#")) return undefined;
  const url = URL.parse(href, baseUrl);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href.replaceAll(")", "%29") : undefined;
}
