import { type BlockKind, createTextBlocks, type TextBudget } from "../text-budget.ts";
import { attributeOf, type XmlAttributes } from "./walk-xml.ts";

/** Takes the elements of a text that WordprocessingML and DrawingML name alike: p, t, tab, br, tbl, tr, tc. */
export type FlowText = {
  open(name: string, attributes: XmlAttributes): void;
  close(name: string): void;
  text(text: string): void;
  /** Puts text at this place of the paragraph in work. */
  insert(text: string): void;
  toText(): string;
};

/**
 * Paragraphs and tables to blocks. Rows are those of the outermost table, what is within a cell makes one line of it.
 * A paragraph within another (of a text box) comes first.
 */
export function createFlowText(budget: TextBudget, plain: "paragraph" | "line"): FlowText {
  const blocks = createTextBlocks();
  const paragraphs: { text: string; kind: BlockKind; inProperties: boolean }[] = [];
  let tableDepth = 0;
  let row: string[] = [];
  let cell: string[] = [];
  let isText = false;
  const insert = (text: string) => {
    const paragraph = paragraphs.at(-1);
    if (paragraph !== undefined && !paragraph.inProperties) paragraph.text += budget.take(text);
  };
  const endParagraph = () => {
    const { text, kind } = paragraphs.pop() ?? { text: "", kind: plain };
    if (tableDepth > 0) cell.push(text);
    else blocks.add(kind, kind === "item" && text.trim() !== "" ? `- ${text.trim()}` : text);
  };
  return {
    open(name, attributes) {
      isText = name === "t";
      const signs: Record<string, string> = { tab: "\t", br: "\n", cr: "\n", noBreakHyphen: "-" };
      if (name === "p") paragraphs.push({ text: "", kind: plain, inProperties: false });
      else if (name === "pPr") setProperties(paragraphs.at(-1), true);
      else if (name === "tbl") tableDepth += 1;
      else if (isListMark(name, attributes)) setKind(paragraphs.at(-1), "item");
      else if (Object.hasOwn(signs, name)) insert(signs[name] ?? "");
    },
    close(name) {
      isText = false;
      if (name === "p") endParagraph();
      else if (name === "pPr") setProperties(paragraphs.at(-1), false);
      else if (name === "tbl") tableDepth -= 1;
      else if (name === "tc" && tableDepth === 1) {
        row.push(cell.join(" ").replace(/\s+/g, " ").trim());
        cell = [];
      } else if (name === "tr" && tableDepth === 1) {
        blocks.add("row", row.join("\t"));
        row = [];
      }
    },
    text(text) {
      if (isText) insert(text);
    },
    insert,
    toText: blocks.toText,
  };
}

function setProperties(paragraph: { inProperties: boolean } | undefined, value: boolean): void {
  if (paragraph !== undefined) paragraph.inProperties = value;
}

function setKind(paragraph: { kind: BlockKind } | undefined, kind: BlockKind): void {
  if (paragraph !== undefined) paragraph.kind = kind;
}

/** A numbering (0 takes one away), or one of the list styles that every Word document has. */
function isListMark(name: string, attributes: XmlAttributes): boolean {
  const value = attributeOf(attributes, "val") ?? "";
  return (name === "numId" && value !== "0") || (name === "pStyle" && /^List(Bullet|Number)/.test(value));
}
