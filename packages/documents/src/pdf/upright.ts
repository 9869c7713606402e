import { type Segment, type TextItem, toSegments } from "./segment.ts";

/** Text of a page in one direction, rotated to run from left to right. `height` is the page's. */
export type UprightText = { segments: Segment[]; height: number };

/**
 * The texts of a page by their direction, the one with most of the text first: a page may be rotated, or a table or a
 * label on it. `view`: left, bottom, right and top of the page.
 */
export function toUprightTexts(items: readonly TextItem[], view: readonly number[]): UprightText[] {
  const [left = 0, bottom = 0, right = 0, top = 0] = view;
  const page = { left, bottom, width: right - left, height: top - bottom };
  const byTurns = new Map<number, TextItem[]>();
  for (const item of items) {
    const turns = quarterTurnsOf(item);
    const turned = byTurns.get(turns) ?? [];
    byTurns.set(turns, turned);
    turned.push(turnBack(item, turns, page));
  }
  return [...byTurns]
    .toSorted(([, a], [, b]) => lengthOf(b) - lengthOf(a))
    .map(([turns, turned]) => ({
      segments: toSegments(turned),
      height: turns % 2 === 0 ? page.height : page.width,
    }));
}

function quarterTurnsOf({ transform: [a = 1, b = 0] }: TextItem): number {
  return (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4;
}

type Page = { left: number; bottom: number; width: number; height: number };

function turnBack(item: TextItem, turns: number, { left, bottom, width, height }: Page): TextItem {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = item.transform;
  const [x, y] = [e - left, f - bottom];
  const places = [
    [x, y],
    [y, width - x],
    [width - x, height - y],
    [height - y, x],
  ];
  return { ...item, transform: [a, b, c, d, ...(places[turns] ?? [x, y])] };
}

function lengthOf(items: readonly TextItem[]): number {
  return items.reduce((total, { str }) => total + str.length, 0);
}
