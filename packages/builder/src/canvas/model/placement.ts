import { type Box, gridPx, overlaps, type Point, type Size, toGrid } from "./box.ts";

const gapPx = 96;
const marginPx = 24;

/** The position right of a node, for the next step. */
export function besideOf({ x, y, width, height }: Box, size: Size): Point {
  return { x: x + width + gapPx, y: y + (height - size.height) / 2 };
}

/** The position closest below the wanted one at which a box of that size overlaps no other. */
export function freePlace(wanted: Point, size: Size, others: readonly Box[]): Point {
  let place = toGrid(wanted);
  for (;;) {
    const hit = others.find((other) => overlaps({ ...place, ...size }, other, marginPx));
    if (!hit) return place;
    const below = Math.ceil((hit.y + hit.height + marginPx) / gridPx) * gridPx;
    place = { x: place.x, y: Math.max(below, place.y + gridPx) };
  }
}
