import { createFlowText, type FlowRules, type FlowText } from "../ooxml/flow-text.ts";
import type { ListItem } from "../ooxml/list-marks.ts";
import { attributeOf, type XmlAttributes } from "../ooxml/walk-xml.ts";
import type { TextBudget } from "../text-budget.ts";
import { type OdfStyles, toStart } from "./odf-styles.ts";

type Role = ReturnType<FlowRules["roleOf"]>;

type OdfFlowRules = {
  budget: TextBudget;
  styles: OdfStyles;
  plain: FlowRules["plain"];
  /** Every paragraph is a heading. */
  isTitle?: boolean;
};

/** Consumes the elements of OpenDocument text, and returns its Markdown with its notes at the end. */
export function createOdfFlow({ budget, styles, plain, isTitle = false }: OdfFlowRules) {
  const lists = createOdfLists(styles);
  const notes: string[] = [];
  const outer: FlowText[] = [];
  const roles: Role[] = [];
  let role: Role;
  const startFlow = (kind: FlowRules["plain"]) =>
    createFlowText({ budget, plain: kind, roleOf: () => role, linkOf: toUrl });
  let flow = startFlow(plain);
  const roleOf = (name: string, attributes: XmlAttributes): Role => {
    if (name === "h") return { heading: Math.max(Number(attributes["text:outline-level"]) || 1, 1) };
    if (isTitle || styles.isTitle(attributes["text:style-name"])) return { heading: 1 };
    const item = lists.takeItem();
    return item && { item };
  };
  const openParagraph = (name: string, attributes: XmlAttributes) => {
    roles.push(roleOf(name, attributes));
    flow.open("p", {});
  };
  const closeParagraph = () => {
    role = roles.pop();
    flow.close("p");
  };
  const opened: Record<string, (attributes: XmlAttributes) => void> = {
    p: (attributes) => openParagraph("p", attributes),
    h: (attributes) => openParagraph("h", attributes),
    list: lists.openList,
    "list-item": lists.openItem,
    a: (attributes) => flow.open("hyperlink", { id: attributes["xlink:href"] ?? "" }),
    s: (attributes) => flow.insert(" ".repeat(Math.min(Number(attributes["text:c"]) || 1, mostBlanks))),
    tab: () => flow.insert("\t"),
    "line-break": () => flow.insert("\n"),
    table: () => flow.open("tbl", {}),
    "table-row": () => flow.open("tr", {}),
    "table-cell": (attributes) => openCell(flow, attributes),
    "covered-table-cell": (attributes) => openCell(flow, attributes),
    "note-body": () => {
      flow.insert(`[${notes.length + outer.length + 1}]`);
      outer.push(flow);
      flow = startFlow("line");
    },
  };
  const closed: Record<string, () => void> = {
    p: closeParagraph,
    h: closeParagraph,
    list: lists.closeList,
    a: () => flow.close("hyperlink"),
    table: () => flow.close("tbl"),
    "table-row": () => flow.close("tr"),
    "table-cell": () => flow.close("tc"),
    "covered-table-cell": () => flow.close("tc"),
    "note-body": () => {
      notes.push(`[${notes.length + 1}] ${flow.toText()}`);
      flow = outer.pop() ?? flow;
    },
  };
  return {
    open(name: string, attributes: XmlAttributes): void {
      if (Object.hasOwn(opened, name)) opened[name]?.(attributes);
    },
    close(name: string): void {
      if (Object.hasOwn(closed, name)) closed[name]?.();
    },
    /** White space collapses: further spaces are elements of their own. */
    text: (text: string): void => flow.insert(text.replace(/\s+/g, " ")),
    toText: (): string => [flow.toText(), notes.join("\n")].filter((part) => part !== "").join("\n\n"),
  };
}

const mostBlanks = 100;

function openCell(flow: FlowText, attributes: XmlAttributes): void {
  flow.open("tc", {});
  flow.open("gridSpan", { val: attributes["table:number-columns-repeated"] ?? "1" });
}

function toUrl(address: string | undefined): string | undefined {
  const url = URL.parse(address ?? "");
  return url !== null && /^(https?|mailto):$/.test(url.protocol) ? url.href.replaceAll(")", "%29") : undefined;
}

type OpenList = { style: string; key: string };

/** Tracks nested lists, and tells whether a paragraph starts an item. */
function createOdfLists(styles: OdfStyles) {
  const open: OpenList[] = [];
  const keys = new Map<string, string>();
  let count = 0;
  let startsItem = false;
  let start: number | undefined;
  return {
    openList(attributes: XmlAttributes): void {
      const outer = open.at(-1);
      const style = attributeOf(attributes, "style-name") ?? outer?.style ?? "";
      open.push({ style, key: outer?.key ?? keyOf(style, attributes) });
      startsItem = false;
    },
    closeList(): void {
      open.pop();
      startsItem = false;
    },
    openItem(attributes: XmlAttributes): void {
      startsItem = true;
      start = toStart(attributes);
    },
    /** Only the first paragraph of an item has its marker. */
    takeItem(): ListItem | undefined {
      const list = open.at(-1);
      if (list === undefined || !startsItem) return undefined;
      startsItem = false;
      const level = Math.min(open.length - 1, lastLevel);
      const described = styles.listLevel(list.style, level);
      if (start !== undefined && start !== described.start) list.key = `${list.key} from ${start}`;
      return { list: list.key, level, isOrdered: described.isOrdered, start: start ?? described.start };
    },
  };

  /** Lists share their numbering if they are marked as continued. */
  function keyOf(style: string, attributes: XmlAttributes): string {
    const isContinued =
      attributeOf(attributes, "continue-list") !== undefined ||
      attributeOf(attributes, "continue-numbering") === "true";
    const known = isContinued ? keys.get(style) : undefined;
    count += 1;
    const key = known ?? `list ${count}`;
    keys.set(style, key);
    return key;
  }
}

const lastLevel = 8;
