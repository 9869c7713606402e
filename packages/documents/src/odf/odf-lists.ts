import type { ListItem } from "../ooxml/list-marks.ts";
import { attributeOf, type XmlAttributes } from "../ooxml/walk-xml.ts";
import { type OdfStyles, toStart } from "./odf-styles.ts";

type OpenList = { style: string; key: string };

/** Tracks nested lists, and tells whether a paragraph starts an item. */
export function createOdfLists(styles: OdfStyles) {
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
