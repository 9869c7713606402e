import { blockTags, elementsWithin, isElement, type PageElement, type PageNode, textWithin } from "./page-node.ts";

/** Converts a page or a part of it to Markdown: headings, paragraphs, lists, tables, code, quotations. */
export function toMarkdown(element: PageElement, options: MarkdownOptions = {}): string {
  const steps = markdownInSteps(element, options);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** As `toMarkdown`, for long pages: yields repeatedly, so that the caller may pause. */
export function* markdownInSteps(element: PageElement, options: MarkdownOptions = {}): Steps<string> {
  return (yield* renderBlocks(element, { options, level: 0, pace: { nodes: 0 } })).join("\n\n");
}

type RenderContext = { options: MarkdownOptions; level: number; pace: { nodes: number } };

/** Nodes of the page per step: nested generators make each yield expensive. */
const nodesAtOnce = 500;

/** Maximum indentation of nested quotations and lists. */
const maxLevel = 8;

function* renderBlocks(element: PageElement, context: RenderContext): Steps<string[]> {
  const blocks: string[] = [];
  let run: PageNode[] = [];
  for (const child of element.children) {
    context.pace.nodes += 1;
    if (context.pace.nodes % nodesAtOnce === 0) yield undefined;
    if (!isElement(child) || !isBlock(child)) {
      run.push(child);
      continue;
    }
    blocks.push(...(yield* renderRun(run, context)));
    run = [];
    if (context.options.omit?.has(child)) continue;
    for (const block of yield* renderBlock(child, context)) blocks.push(block);
  }
  blocks.push(...(yield* renderRun(run, context)));
  return blocks;
}

/** Text between two blocks: one block, or none if it is blank. */
function* renderRun(run: readonly PageNode[], { options }: RenderContext): Steps<string[]> {
  const text = run.length === 0 ? "" : (yield* inlineMarkdown(run, options)).trim();
  return text === "" ? [] : [text];
}

function isBlock(element: PageElement): boolean {
  return blockTags.has(element.tag) || element.hasBlocks;
}

function* renderBlock(element: PageElement, context: RenderContext): Steps<string[]> {
  const { tag } = element;
  if (tag === "head" || tag === "title") return [];
  if (/^h[1-6]$/.test(tag)) return yield* renderHeading(element, context);
  if (tag === "hr") return ["---"];
  if (tag === "pre") return renderCode(element);
  // A layout table contains another one, or says so.
  const isLayout = element.hasTables || /^(presentation|none)$/.test(element.attributes.role ?? "");
  if (tag === "table" && !isLayout) return yield* renderTable(element, context);
  const inner = { ...context, level: context.level + 1 };
  if (context.level >= maxLevel) return yield* renderBlocks(element, context);
  if (listTags.has(tag)) return yield* renderList(element, inner);
  if (tag === "blockquote") return yield* renderQuote(element, inner);
  return yield* renderBlocks(element, context);
}

function* renderHeading(element: PageElement, { options }: RenderContext): Steps<string[]> {
  const text = (yield* inlineMarkdown(element.children, options)).replace(/\s+/g, " ").trim();
  return text === "" ? [] : [`${"#".repeat(Number(element.tag[1]))} ${text}`];
}

function renderCode(element: PageElement): string[] {
  const text = textWithin(element).replace(/^\n/, "").trimEnd();
  const fence = text.includes("```") ? "~~~~" : "```";
  return text.trim() === "" ? [] : [`${fence}\n${text}\n${fence}`];
}

function* renderList(list: PageElement, context: RenderContext): Steps<string[]> {
  const items: string[] = [];
  let mark = "";
  let count = toCount(list.attributes.start) ?? 1;
  for (const child of list.children.filter(isElement)) {
    if (context.options.omit?.has(child)) continue;
    if (listTags.has(child.tag)) {
      // Invalid HTML: it should be inside the previous item.
      const space = " ".repeat(mark.length);
      for (const block of yield* renderBlock(child, context)) items.push(space + indent(block, space));
      continue;
    }
    count = toCount(child.attributes.value) ?? count;
    mark = list.tag === "ol" ? `${count}. ` : "- ";
    const text = (yield* renderBlocks(child, context)).join("\n");
    if (text === "") continue;
    items.push(mark + indent(text, " ".repeat(mark.length)));
    count += 1;
  }
  return items.length === 0 ? [] : [items.join("\n")];
}

const listTags = new Set(["ul", "ol", "menu"]);

function toCount(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

function indent(text: string, space: string): string {
  return text.replaceAll("\n", `\n${space}`);
}

function* renderQuote(element: PageElement, context: RenderContext): Steps<string[]> {
  const text = (yield* renderBlocks(element, context)).join("\n\n");
  return text === "" ? [] : [`> ${text.replaceAll("\n", "\n> ")}`];
}

function* renderTable(table: PageElement, context: RenderContext): Steps<string[]> {
  const rows: PageElement[][] = [];
  for (const row of elementsWithin(table, "tr")) {
    rows.push(row.children.filter(isElement).filter(({ tag }) => tag === "td" || tag === "th"));
  }
  // A single column is layout and not a table.
  if (rows.every(({ length }) => length <= 1)) return yield* renderBlocks(table, context);
  const texts: string[][] = [];
  for (const row of rows) {
    const cells: string[] = [];
    for (const cell of row) cells.push(yield* renderCell(cell, context));
    texts.push(cells);
  }
  const blocks: string[] = [];
  for (const caption of elementsWithin(table, "caption")) blocks.push(...(yield* renderBlocks(caption, context)));
  return [...blocks, toMarkdownTable(texts)].filter((block) => block !== "");
}

function* renderCell(cell: PageElement, context: RenderContext): Steps<string> {
  const text = (yield* renderBlocks(cell, { ...context, level: maxLevel })).join(" ");
  return text.replace(/\s+/g, " ").trim();
}

/** Inline text, with white space collapsed as in browsers; `<br>` starts a new line. */
function* inlineMarkdown(nodes: readonly PageNode[], options: MarkdownOptions): Steps<string> {
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
const pieceCharacters = 64 * 1024;

/** Between two characters that are not white space, so that no collapsible white space is split. */
function endOfPiece(text: string, start: number): number {
  between.lastIndex = start + pieceCharacters;
  const match = between.exec(text);
  return match === null ? text.length : match.index + 1;
}

const between = /[^ \t\r\n\f\u2028](?=[^ \t\r\n\f\u2028])/g;

function collapse(text: string): string {
  return text.replace(/[ \t\r\n\f]{2,}|[\t\r\n\f]/g, " ").replaceAll(/ ?\u2028 ?/g, "\n");
}

/** `isMarked`: within emphasis or code; `isLink`: within a link. Neither is nested. */
type Inline = { options: MarkdownOptions; isMarked: boolean; isLink: boolean; parts: string[] };

/** Placeholder for a line break until white space is collapsed. */
const lineBreak = "\u2028";
const marks: Readonly<Record<string, string>> = { b: "**", strong: "**", em: "*", i: "*", code: "`", kbd: "`" };

function writeNode(node: PageNode, inline: Inline): void {
  const { options, parts } = inline;
  if (!isElement(node)) {
    parts.push(node.replaceAll(lineBreak, " "));
    return;
  }
  if (options.omit?.has(node) || node.tag === "title" || isPermalink(node)) return;
  const mark = inline.isMarked ? undefined : marks[node.tag];
  const url = node.tag === "a" && !inline.isLink ? resolve(node.attributes.href, options.baseUrl) : undefined;
  if (node.tag === "br") parts.push(lineBreak);
  else if (node.tag === "img") parts.push(node.attributes.alt ?? "");
  else if (url !== undefined) parts.push(toLink(renderWithin(node, { ...inline, isLink: true }), url));
  else if (mark !== undefined) parts.push(toMarked(renderWithin(node, { ...inline, isMarked: true }), mark));
  else for (const child of node.children) writeNode(child, inline);
}

/** The symbol beside a heading that links to it. */
function isPermalink(element: PageElement): boolean {
  return (
    element.tag === "a" && /^#/.test(element.attributes.href ?? "") && /^\s*[¶§#🔗]\s*$/u.test(textWithin(element))
  );
}

function renderWithin(element: PageElement, inline: Inline): string {
  const parts: string[] = [];
  for (const child of element.children) writeNode(child, { ...inline, parts });
  return parts.join("");
}

/** Markers beside white space, or around nothing, would be shown literally. */
function toMarked(inner: string, mark: string): string {
  const text = inner.trim();
  return text === "" || text.includes(mark) ? inner : inner.replace(text, () => `${mark}${text}${mark}`);
}

function toLink(inner: string, url: string): string {
  const text = inner.replace(/\s+/g, " ").trim();
  return text === "" ? inner : `[${text}](${url})`;
}

/** Undefined for a link within the page, a script, or a mail address. */
function resolve(href: string | undefined, baseUrl: string | undefined): string | undefined {
  if (href === undefined || href.startsWith("#")) return undefined;
  const url = URL.parse(href, baseUrl);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href.replaceAll(")", "%29") : undefined;
}

/** Work that yields repeatedly, so that its caller may pause. */
type Steps<T> = Generator<undefined, T>;

type MarkdownOptions = {
  /** Elements to omit, with their contents. */
  omit?: ReadonlySet<PageElement>;
  /** The base of the page's relative URLs. Without it, relative links become plain text. */
  baseUrl?: string;
};

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
