import { listsPorts, nodeHeaderPx, portRowPx } from "./model/box.ts";

/** Diameter of the dots that edges are drawn from. */
export const handlePx = 12;

/** Of a card, inside of which the browser places its dots. */
export const cardBorderPx = 1;

/** Distance of each dot from the top of its node. A single output is level with the input; several have a row each. */
export function portCentres(portCount: number): { input: number; outputs: number[] } {
  const middle = nodeHeaderPx / 2;
  if (!listsPorts(portCount)) return { input: middle, outputs: [middle] };
  return {
    input: middle,
    outputs: Array.from({ length: portCount }, (_, index) => nodeHeaderPx + portRowPx * (index + 0.5)),
  };
}
