import { createFlowText, type FlowRules } from "../ooxml/flow-text.ts";
import type { TextBudget } from "../text-budget.ts";

/** Role of an RTF paragraph, from its words. */
export type RtfParagraph = {
  inTable: boolean;
  /** From 1. */
  heading: number | undefined;
  list: number;
  level: number;
};

/** Converts a document's or a note's text to Markdown, in word order. */
export function createRtfWriter(budget: TextBudget, plain: FlowRules["plain"]) {
  let mark = "";
  let role: ReturnType<FlowRules["roleOf"]>;
  let isOpen = false;
  let table: "none" | "between" | "row" | "cell" = "none";
  let firstItems = 0;
  const flow = createFlowText({ budget, plain, roleOf: () => role, linkOf: (url) => url });
  const openCell = () => {
    if (table === "none") flow.open("tbl", {});
    if (table !== "cell") flow.open("tc", {});
    table = "cell";
  };
  const endRow = () => {
    if (table === "cell") flow.close("tc");
    if (table !== "between") flow.close("tr");
    table = "between";
  };
  const endTable = () => {
    if (table === "none") return;
    endRow();
    flow.close("tbl");
    table = "none";
  };
  const openParagraph = (paragraph: RtfParagraph) => {
    if (isOpen) return;
    if (paragraph.inTable) openCell();
    else endTable();
    flow.open("p", {});
    isOpen = true;
  };
  const endParagraph = (paragraph: RtfParagraph) => {
    if (isOpen) {
      if (paragraph.heading === undefined && /^1\b/.test(mark.trim()) && paragraph.level === 0) firstItems += 1;
      role = toRole(paragraph, { mark: mark.trim(), firstItems });
      flow.close("p");
    }
    isOpen = false;
    mark = "";
  };
  return {
    text(text: string, paragraph: RtfParagraph) {
      openParagraph(paragraph);
      flow.insert(text);
    },
    /** The marker before a list item. */
    mark(text: string) {
      mark = (mark + text).slice(0, longestMark);
    },
    openLink(url: string | undefined, paragraph: RtfParagraph) {
      openParagraph(paragraph);
      flow.open("hyperlink", url === undefined ? {} : { id: url });
    },
    closeLink: () => flow.close("hyperlink"),
    endParagraph,
    endCell(paragraph: RtfParagraph) {
      // Text outside rows is a paragraph, though it ends as a cell does.
      if (isOpen && table === "none") return endParagraph(paragraph);
      if (!isOpen) openCell();
      endParagraph(paragraph);
      flow.close("tc");
      table = "row";
    },
    endRow(paragraph: RtfParagraph) {
      endParagraph(paragraph);
      if (table !== "none") endRow();
    },
    end(paragraph: RtfParagraph): string {
      endParagraph(paragraph);
      endTable();
      return flow.toText();
    },
  };
}

const longestMark = 100;

function toRole(
  { heading, list, level }: RtfParagraph,
  { mark, firstItems }: { mark: string; firstItems: number },
): ReturnType<FlowRules["roleOf"]> {
  if (heading !== undefined) return { heading };
  if (mark === "") return undefined;
  const isOrdered = /[\p{L}\p{N}]/u.test(mark);
  const start = Number(/\d{1,6}/.exec(mark)?.[0] ?? 1);
  return { item: { list: `${list} ${isOrdered ? firstItems : ""}`, level, isOrdered, start } };
}
