import type { Point, Size } from "../model/box.ts";

/** As large as the picker may become, with some room around it. */
const needed: Size = { width: 296, height: 376 };

/** Where in a canvas to ask, so that all of it is seen: at the point, or as near to it as there is room. */
export function placePicker({ x, y }: Point, canvas: Size): Point {
  return {
    x: Math.max(8, Math.min(x, canvas.width - needed.width)),
    y: Math.max(8, Math.min(y, canvas.height - needed.height)),
  };
}
