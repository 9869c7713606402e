import { type ReactFlowInstance, useStore } from "@xyflow/react";
import { useEffect } from "react";
import { useCanvas, useSelectedNodeId } from "./canvas-context.ts";
import type { CanvasEdge, CanvasNode } from "./canvas-elements.ts";
import { absolutePosition, sizeOf } from "./model/box.ts";

const marginPx = 24;

/** Moves the canvas just so far that a node that is selected is not hidden, by the panel that it opens for one. */
export function useKeepInView(flow: ReactFlowInstance<CanvasNode, CanvasEdge> | undefined): void {
  const { editor, catalogue, view } = useCanvas();
  const width = useStore((state) => state.width);
  const id = useSelectedNodeId();
  // Not with every edit of the node: only when it is selected, or there is more or less room.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the width of the canvas is what changes the visible box
  useEffect(() => {
    const { model } = editor.state();
    const node = id === undefined ? undefined : model.nodes.get(id);
    if (!flow || !node) return;
    const corner = absolutePosition(model, node);
    const size = sizeOf(node, model, catalogue);
    const seen = view.visibleBox();
    const { x, y, zoom } = flow.getViewport();
    const margin = marginPx / zoom;
    const left = overshoot(corner.x - margin, size.width + 2 * margin, seen.x, seen.width);
    const top = overshoot(corner.y - margin, size.height + 2 * margin, seen.y, seen.height);
    if (left === 0 && top === 0) return;
    void flow.setViewport({ x: x - left * zoom, y: y - top * zoom, zoom }, { duration: 200 });
  }, [flow, id, width, editor, catalogue, view]);
}

/** How far a stretch lies outside of what is seen; its beginning counts more where it is longer. */
function overshoot(start: number, length: number, seenStart: number, seenLength: number): number {
  if (start < seenStart) return start - seenStart;
  return Math.max(0, Math.min(start + length - seenStart - seenLength, start - seenStart));
}
