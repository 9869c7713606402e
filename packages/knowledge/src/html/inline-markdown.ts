import type { MarkdownOptions } from "./markdown-options.ts";
import { isElement, type PageElement, type PageNode } from "./page-node.ts";

/** Text within a line, its white space collapsed as browsers do; `<br>` begins a new line. */
export function inlineMarkdown(nodes: readonly PageNode[], options: MarkdownOptions): string {
  const parts: string[] = [];
  for (const node of nodes) writeNode(node, { options, isMarked: false, isLink: false, parts });
  return parts
    .join("")
    .replace(/[ \t\r\n\f]+/g, " ")
    .replaceAll(/ ?\u2028 ?/g, "\n");
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
