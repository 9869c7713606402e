import { toMarkdownTable } from "@weft/knowledge/html";
import { type BlockKind, createTextBlocks, type TextBudget } from "../text-budget.ts";
import { createListMarks, type ListItem } from "./list-marks.ts";
import { attributeOf, type XmlAttributes } from "./walk-xml.ts";

/** Handles the text elements whose names WordprocessingML and DrawingML share: p, r, t, tab, br, tbl, tr, tc. */
export type FlowText = {
  open(name: string, attributes: XmlAttributes): void;
  close(name: string): void;
  text(text: string): void;
  /** Inserts text at this position of the current paragraph. */
  insert(text: string): void;
  toText(): string;
};

/** The elements within a paragraph's properties, by name, with their attributes. */
export type ParagraphProperties = ReadonlyMap<string, XmlAttributes>;

export type FlowRules = {
  budget: TextBudget;
  /** Of paragraphs that are neither headings nor items. */
  plain: "paragraph" | "line";
  /** A heading of a level from 1, an item of a list, or neither. */
  roleOf(properties: ParagraphProperties): { heading: number } | { item: ListItem } | undefined;
  /** The URL of a link by its id; undefined if it is not a web address. */
  linkOf(id: string | undefined): string | undefined;
};

type Paragraph = { text: string; inProperties: boolean; properties: Map<string, XmlAttributes>; links: OpenLink[] };

/** Text from `start` on links to `url`. */
type OpenLink = { start: number; url: string | undefined };

/**
 * Converts paragraphs, headings, lists and tables to Markdown blocks. Rows are those of the outermost table; a cell's
 * contents become one line. A paragraph nested in another (of a text box) comes first.
 */
export function createFlowText({ budget, plain, roleOf, linkOf }: FlowRules): FlowText {
  const blocks = createTextBlocks();
  const marks = createListMarks();
  const tables = createTables(budget);
  const paragraphs: Paragraph[] = [];
  let isText = false;
  const insert = (text: string) => {
    const paragraph = paragraphs.at(-1);
    if (paragraph !== undefined && !paragraph.inProperties) paragraph.text += budget.take(text);
  };
  const endParagraph = () => {
    const { text = "", properties = new Map() } = paragraphs.pop() ?? {};
    if (tables.isOpen()) tables.add(text);
    else if (text.trim() !== "") addBlock(text, roleOf(properties));
  };
  const addBlock = (text: string, role: ReturnType<FlowRules["roleOf"]>) => {
    if (role !== undefined && "item" in role) return addItem(blocks, marks.next(role.item), text);
    marks.interrupt();
    if (role === undefined) blocks.add(plain, text);
    else blocks.add("paragraph", `${"#".repeat(Math.min(role.heading, 6))} ${toLine(text)}`);
  };
  const openLink = (url: string | undefined) => {
    const paragraph = paragraphs.at(-1);
    paragraph?.links.push({ start: paragraph.text.length, url });
  };
  return {
    open(name, attributes) {
      isText = name === "t";
      const paragraph = paragraphs.at(-1);
      noteProperty(paragraph, name, attributes);
      if (name === "p") paragraphs.push({ text: "", inProperties: false, properties: new Map(), links: [] });
      else if (name === "pPr") startProperties(paragraph, attributes);
      else if (name === "hyperlink") openLink(linkOf(attributeOf(attributes, "id")));
      else if (name === "r") openLink(undefined);
      else if (name === "hlinkClick") setLink(paragraph, linkOf(attributeOf(attributes, "id")));
      else if (Object.hasOwn(signs, name)) insert(signs[name] ?? "");
      else tables.open(name, attributes);
    },
    close(name) {
      isText = false;
      const paragraph = paragraphs.at(-1);
      if (name === "p") endParagraph();
      else if (name === "pPr" && paragraph) paragraph.inProperties = false;
      else if (name === "hyperlink" || name === "r") closeLink(paragraph);
      else {
        const table = tables.close(name);
        if (table !== undefined) blocks.add("paragraph", table);
      }
    },
    text(text) {
      if (isText) insert(text);
    },
    insert,
    toText: blocks.toText,
  };
}

const signs: Record<string, string> = { tab: "\t", br: "\n", cr: "\n", noBreakHyphen: "-" };

function startProperties(paragraph: Paragraph | undefined, attributes: XmlAttributes): void {
  if (paragraph === undefined) return;
  paragraph.inProperties = true;
  paragraph.properties.set("pPr", attributes);
}

function noteProperty(paragraph: Paragraph | undefined, name: string, attributes: XmlAttributes): void {
  if (paragraph?.inProperties) paragraph.properties.set(name, attributes);
}

function setLink(paragraph: Paragraph | undefined, url: string | undefined): void {
  const link = paragraph?.links.at(-1);
  if (link !== undefined) link.url = url;
}

function closeLink(paragraph: Paragraph | undefined): void {
  const link = paragraph?.links.pop();
  if (paragraph === undefined || link?.url === undefined) return;
  const inner = paragraph.text.slice(link.start);
  if (inner.trim() === "") return;
  paragraph.text = `${paragraph.text.slice(0, link.start)}[${toLine(inner)}](${link.url})`;
}

function addItem(blocks: { add(kind: BlockKind, text: string): void }, mark: string, text: string): void {
  blocks.add("item", mark + text.trim().replaceAll("\n", `\n${" ".repeat(mark.length)}`));
}

function toLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The outermost open table; nested tables become text of its cells. */
function createTables(budget: TextBudget) {
  let depth = 0;
  let rows: string[][] = [];
  let row: string[] = [];
  let cell: string[] = [];
  let span = 1;
  return {
    isOpen: () => depth > 0,
    add: (text: string) => cell.push(text),
    open(name: string, attributes: XmlAttributes) {
      if (name === "tbl") depth += 1;
      else if (depth !== 1) return;
      else if (name === "tc") span = 1;
      else if (name === "gridSpan") span = Math.min(Number(attributeOf(attributes, "val")) || 1, widestSpan);
    },
    /** Returns the table that ends. */
    close(name: string): string | undefined {
      if (name === "tbl") depth -= 1;
      if (name === "tbl" && depth === 0) {
        const table = toMarkdownTable(rows);
        rows = [];
        return table;
      }
      if (depth !== 1) return undefined;
      if (name === "tc") {
        row.push(toLine(cell.join(" ")), ...Array.from({ length: span - 1 }, () => ""));
        cell = [];
      } else if (name === "tr") {
        budget.take(" | ".repeat(row.length));
        rows.push(row);
        row = [];
      }
      return undefined;
    },
  };
}

/** Word's maximum number of columns. */
const widestSpan = 63;
