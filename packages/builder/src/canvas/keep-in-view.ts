import type { Box } from "./model/box.ts";

/** How a canvas keeps in sight what is looked at: by staying, by showing the whole flow, or by moving so far. */
export type ViewMove = "stay" | "whole" | { x: number; y: number };

type Situation = {
  /** The selected step, with a margin; undefined if none is. */
  wanted: Box | undefined;
  /** All steps, and the box around them. */
  boxes: readonly Box[];
  whole: Box | undefined;
  /** The visible part of the canvas. */
  seen: Box;
  /** How much wider that just was. */
  lost: number;
  /** Whether the whole flow can be shown so that it can be read, without enlarging what is looked at. */
  mayShowAll: boolean;
};

/**
 * Moves no further than the selected step needs, and not at all for what is in sight. Where other steps would go out of
 * sight for that, such as the start, the whole flow is shown instead, if it can be read then; so is a flow that was
 * wholly in sight before the canvas became narrower.
 */
export function moveTo({ wanted, boxes, whole, seen, lost, mayShowAll }: Situation): ViewMove {
  if (wanted === undefined) return mayShowAll && whole && isCovered(whole, seen, lost) ? "whole" : "stay";
  const x = overshoot(wanted.x, wanted.width, seen.x, seen.width);
  const y = overshoot(wanted.y, wanted.height, seen.y, seen.height);
  if (x === 0 && y === 0) return "stay";
  const moved = { ...seen, x: seen.x + x, y: seen.y + y };
  const loses = boxes.some((box) => isInside(box, seen) && !isInside(box, moved));
  return loses && mayShowAll ? "whole" : { x, y };
}

function isCovered(whole: Box, seen: Box, lost: number): boolean {
  return lost > 0 && isInside(whole, { ...seen, width: seen.width + lost }) && !isInside(whole, seen);
}

function isInside(box: Box, around: Box): boolean {
  return (
    box.x >= around.x &&
    box.y >= around.y &&
    box.x + box.width <= around.x + around.width &&
    box.y + box.height <= around.y + around.height
  );
}

/** How far a range extends beyond the visible area; if it is longer than that, its start takes precedence. */
function overshoot(start: number, length: number, seenStart: number, seenLength: number): number {
  if (start < seenStart) return start - seenStart;
  return Math.max(0, Math.min(start + length - seenStart - seenLength, start - seenStart));
}
