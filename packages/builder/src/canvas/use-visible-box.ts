import { getViewportForBounds, type ReactFlowInstance, useStoreApi } from "@xyflow/react";
import { useLayoutEffect, useState } from "react";
import { useCanvas } from "./canvas-context.ts";
import type { CanvasEdge, CanvasNode } from "./canvas-elements.ts";
import { boundsOf, boxesOf } from "./model/box.ts";

/** How far one can go out and in. */
export const zoomRange = { min: 0.1, max: 2 } as const;

/** Around a flow that is shown whole: so much of the canvas stays free, and it is not drawn larger than it is. */
const wholeFlow = { padding: 0.2, maxZoom: 1 } as const;

/**
 * Lets the commands know which part of the canvas is seen, and show all of it, which is how a flow is opened. Returns
 * whether that is done: nothing is to be drawn before. Needs a ReactFlowProvider around it.
 */
export function useVisibleBox(flow: ReactFlowInstance<CanvasNode, CanvasEdge> | undefined): boolean {
  const { editor, catalogue, view } = useCanvas();
  const store = useStoreApi();
  const [isReady, setReady] = useState(false);
  useLayoutEffect(() => {
    if (!flow) return;
    view.visibleBox = () => {
      const { x, y, zoom } = flow.getViewport();
      const { width, height } = store.getState();
      return { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
    };
    // From the flow itself: of a large one not all is drawn yet.
    view.showAll = (durationMs = 200) => {
      const bounds = boundsOf(boxesOf(editor.state().model, catalogue));
      const { width, height } = store.getState();
      if (!bounds) return;
      const { padding, maxZoom } = wholeFlow;
      const viewport = getViewportForBounds(bounds, width, height, zoomRange.min, maxZoom, padding);
      void flow.setViewport(viewport, { duration: durationMs });
    };
    view.showAll(0);
    setReady(true);
  }, [flow, store, editor, catalogue, view]);
  return isReady;
}
