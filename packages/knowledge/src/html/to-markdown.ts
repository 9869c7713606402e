import { inlineMarkdown } from "./inline-markdown.ts";
import type { MarkdownOptions } from "./markdown-options.ts";
import { blockTags, elementsWithin, isElement, type PageElement, type PageNode, textWithin } from "./page-node.ts";

/** The Markdown of a page or a part of it: headings, paragraphs, lists, tables, code, quotations. */
export function toMarkdown(element: PageElement, options: MarkdownOptions = {}): string {
  return renderBlocks(element, { options, level: 0 }).join("\n\n");
}

type RenderContext = { options: MarkdownOptions; level: number };

/** Quotations and lists within others are set in so many times, and no further. */
const maxLevel = 8;

function renderBlocks(element: PageElement, context: RenderContext): string[] {
  const blocks: string[] = [];
  let run: PageNode[] = [];
  const endRun = () => {
    const text = inlineMarkdown(run, context.options).trim();
    if (text !== "") blocks.push(text);
    run = [];
  };
  for (const child of element.children) {
    if (!isElement(child) || !isBlock(child)) {
      run.push(child);
      continue;
    }
    endRun();
    if (context.options.omit?.has(child)) continue;
    for (const block of renderBlock(child, context)) blocks.push(block);
  }
  endRun();
  return blocks;
}

function isBlock(element: PageElement): boolean {
  return blockTags.has(element.tag) || element.hasBlocks;
}

function renderBlock(element: PageElement, context: RenderContext): string[] {
  const { tag } = element;
  if (tag === "head" || tag === "title") return [];
  if (/^h[1-6]$/.test(tag)) return renderHeading(element, context);
  if (tag === "hr") return ["---"];
  if (tag === "pre") return renderCode(element);
  if (tag === "table" && !hasTableWithin(element)) return renderTable(element, context);
  const inner = { ...context, level: context.level + 1 };
  if (context.level >= maxLevel) return renderBlocks(element, context);
  if (tag === "ul" || tag === "ol" || tag === "menu") return renderList(element, inner);
  if (tag === "blockquote") return renderQuote(element, inner);
  return renderBlocks(element, context);
}

function renderHeading(element: PageElement, { options }: RenderContext): string[] {
  const text = inlineMarkdown(element.children, options).replace(/\s+/g, " ").trim();
  return text === "" ? [] : [`${"#".repeat(Number(element.tag[1]))} ${text}`];
}

function renderCode(element: PageElement): string[] {
  const text = textWithin(element).replace(/^\n/, "").trimEnd();
  const fence = text.includes("```") ? "~~~~" : "```";
  return text.trim() === "" ? [] : [`${fence}\n${text}\n${fence}`];
}

function renderList(list: PageElement, context: RenderContext): string[] {
  const items: string[] = [];
  for (const child of list.children) {
    if (!isElement(child) || context.options.omit?.has(child)) continue;
    const text = renderBlocks(child, context).join("\n");
    const mark = list.tag === "ol" ? `${items.length + 1}. ` : "- ";
    if (text !== "") items.push(`${mark}${indent(text, " ".repeat(mark.length))}`);
  }
  return items.length === 0 ? [] : [items.join("\n")];
}

function indent(text: string, space: string): string {
  return text.replaceAll("\n", `\n${space}`);
}

function renderQuote(element: PageElement, context: RenderContext): string[] {
  const text = renderBlocks(element, context).join("\n\n");
  return text === "" ? [] : [`> ${text.replaceAll("\n", "\n> ")}`];
}

/** A table that only lays out the page has another in it. */
function hasTableWithin(table: PageElement): boolean {
  return !elementsWithin(table, "table").next().done;
}

function renderTable(table: PageElement, context: RenderContext): string[] {
  const rows = [...elementsWithin(table, "tr")]
    .map((row) => row.children.filter(isElement).filter(({ tag }) => tag === "td" || tag === "th"))
    .map((cells) => cells.map((cell) => renderCell(cell, context)))
    .filter((cells) => cells.some((cell) => cell !== ""));
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  if (width === 0) return renderBlocks(table, { ...context, level: maxLevel });
  if (width === 1) return rows.map(([cell = ""]) => cell.replaceAll("\\|", "|"));
  const lines = rows.map((cells) => `| ${cells.join(" | ")} |`);
  const rule = `|${" --- |".repeat(rows[0]?.length ?? width)}`;
  return [[lines[0], rule, ...lines.slice(1)].join("\n")];
}

function renderCell(cell: PageElement, context: RenderContext): string {
  const text = renderBlocks(cell, { ...context, level: maxLevel }).join(" ");
  return text.replace(/\s+/g, " ").trim().replaceAll("|", "\\|");
}
