import type { DragEvent } from "react";

const format = "application/x-weft-node-type";

/** Puts a node type into a drag that begins. */
export function writeDraggedType({ dataTransfer }: DragEvent, type: string): void {
  dataTransfer.setData(format, type);
  dataTransfer.effectAllowed = "copy";
}

/** The node type being dropped; empty for anything else. */
export function readDraggedType({ dataTransfer }: DragEvent): string {
  return dataTransfer.getData(format);
}
