import { attributeOf, type XmlAttributes } from "../ooxml/walk-xml.ts";

export type OdfStyles = {
  /** An element of a part with styles. Of two styles with the same name the last wins. */
  note(name: string, attributes: XmlAttributes): void;
  /** Whether text, a paragraph or a table of that style is hidden. */
  isHidden(style: string | undefined): boolean;
  /** Whether a paragraph of that style is the document's title. */
  isTitle(style: string | undefined): boolean;
  /** Of a list's level, from 0. Undefined levels have bullets. */
  listLevel(style: string, level: number): { isOrdered: boolean; start: number };
};

type Style = { parent: string | undefined; isHidden: boolean };
type Level = { isOrdered: boolean; start: number };

/** Collects text-related style properties. Source: OpenDocument 1.3, part 3, sections 16 and 20. */
export function createOdfStyles(): OdfStyles {
  const styles = new Map<string, Style>();
  const lists = new Map<string, Map<number, Level>>();
  let style: Style = { parent: undefined, isHidden: false };
  let list = new Map<number, Level>();
  return {
    note(name, attributes) {
      if (name === "style") {
        style = { parent: attributeOf(attributes, "parent-style-name"), isHidden: false };
        styles.set(attributeOf(attributes, "name") ?? "", style);
      } else if (name === "text-properties") style.isHidden ||= attributeOf(attributes, "display") === "none";
      else if (name === "table-properties") style.isHidden ||= attributeOf(attributes, "display") === "false";
      else if (name === "list-style") {
        list = new Map();
        lists.set(attributeOf(attributes, "name") ?? "", list);
      } else if (name.startsWith("list-level-style-"))
        list.set(Number(attributeOf(attributes, "level")) - 1, toLevel(name, attributes));
    },
    isHidden: (name) => styles.get(name ?? "")?.isHidden ?? false,
    isTitle: (name) => name === title || styles.get(name ?? "")?.parent === title,
    listLevel: (name, level) => lists.get(name)?.get(level) ?? { isOrdered: false, start: 1 },
  };
}

/** Names of built-in styles are English in every language. */
const title = "Title";

function toLevel(name: string, attributes: XmlAttributes): Level {
  const format = attributeOf(attributes, "num-format") ?? "";
  return { isOrdered: name.endsWith("number") && format !== "", start: toStart(attributes) ?? 1 };
}

/** Start value of a list's or an item's numbering. */
export function toStart(attributes: XmlAttributes): number | undefined {
  const start = Number(attributeOf(attributes, "start-value") ?? Number.NaN);
  return Number.isSafeInteger(start) && start >= 0 ? start : undefined;
}
