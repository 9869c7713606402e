import { inlineMarkdown } from "./inline-markdown.ts";
import type { MarkdownOptions } from "./markdown-options.ts";
import { blockTags, elementsWithin, isElement, type PageElement, type PageNode, textWithin } from "./page-node.ts";
import type { Steps } from "./steps.ts";

/** The Markdown of a page or a part of it: headings, paragraphs, lists, tables, code, quotations. */
export function toMarkdown(element: PageElement, options: MarkdownOptions = {}): string {
  const steps = markdownInSteps(element, options);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** As `toMarkdown`, for long pages: yields again and again, so that the caller may pause. */
export function* markdownInSteps(element: PageElement, options: MarkdownOptions = {}): Steps<string> {
  return (yield* renderBlocks(element, { options, level: 0, pace: { nodes: 0 } })).join("\n\n");
}

type RenderContext = { options: MarkdownOptions; level: number; pace: { nodes: number } };

/** A step is so many nodes of the page: a generator within others pays for each of them when it yields. */
const nodesAtOnce = 500;

/** Quotations and lists within others are set in so many times, and no further. */
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

/** Text that stands between two blocks: one block, or none when it is blank. */
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
  // A table that only lays out the page has another in it.
  if (tag === "table" && !element.hasTables) return yield* renderTable(element, context);
  const inner = { ...context, level: context.level + 1 };
  if (context.level >= maxLevel) return yield* renderBlocks(element, context);
  if (tag === "ul" || tag === "ol" || tag === "menu") return yield* renderList(element, inner);
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
  for (const child of list.children) {
    if (!isElement(child) || context.options.omit?.has(child)) continue;
    const text = (yield* renderBlocks(child, context)).join("\n");
    const mark = list.tag === "ol" ? `${items.length + 1}. ` : "- ";
    if (text !== "") items.push(`${mark}${indent(text, " ".repeat(mark.length))}`);
  }
  return items.length === 0 ? [] : [items.join("\n")];
}

function indent(text: string, space: string): string {
  return text.replaceAll("\n", `\n${space}`);
}

function* renderQuote(element: PageElement, context: RenderContext): Steps<string[]> {
  const text = (yield* renderBlocks(element, context)).join("\n\n");
  return text === "" ? [] : [`> ${text.replaceAll("\n", "\n> ")}`];
}

function* renderTable(table: PageElement, context: RenderContext): Steps<string[]> {
  const rows: string[][] = [];
  let width = 0;
  for (const row of elementsWithin(table, "tr")) {
    const cells: string[] = [];
    for (const cell of row.children) {
      if (isElement(cell) && (cell.tag === "td" || cell.tag === "th")) cells.push(yield* renderCell(cell, context));
    }
    if (cells.every((cell) => cell === "")) continue;
    rows.push(cells);
    width = Math.max(width, cells.length);
  }
  if (width === 0) return yield* renderBlocks(table, { ...context, level: maxLevel });
  if (width === 1) return rows.map(([cell = ""]) => cell.replaceAll("\\|", "|"));
  const lines = rows.map((cells) => `| ${cells.join(" | ")} |`);
  const rule = `|${" --- |".repeat(rows[0]?.length ?? width)}`;
  return [[lines[0], rule, ...lines.slice(1)].join("\n")];
}

function* renderCell(cell: PageElement, context: RenderContext): Steps<string> {
  const text = (yield* renderBlocks(cell, { ...context, level: maxLevel })).join(" ");
  return text.replace(/\s+/g, " ").trim().replaceAll("|", "\\|");
}
