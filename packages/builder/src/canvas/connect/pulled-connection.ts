import type { Point } from "../model/box.ts";

/** A connection that leads nowhere yet. */
export type PulledConnection = {
  source: string;
  /** Undefined: to be chosen among the ways out. */
  sourcePort?: string | undefined;
  /** Where on the canvas it was let go, in its coordinates: what is added goes there. Undefined: beside the source. */
  droppedAt?: Point | undefined;
  /** Where on the screen to ask, in pixels from the corner of the window. */
  askAt: Point;
};
