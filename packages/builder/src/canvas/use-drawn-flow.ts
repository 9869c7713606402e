import { useStoreApi } from "@xyflow/react";
import { useLayoutEffect } from "react";
import { useCanvas } from "./canvas-context.ts";
import type { CanvasEdge, CanvasNode } from "./canvas-elements.ts";
import { drawInParts } from "./draw-in-parts.ts";

/**
 * Has React Flow draw the flow, as soon as the canvas is ready. It goes straight into React Flow's store: given as
 * properties, the nodes would have the whole canvas rendered with every frame of a drag.
 */
export function useDrawnFlow(isReady: boolean): void {
  const { elements } = useCanvas();
  const store = useStoreApi<CanvasNode, CanvasEdge>();
  useLayoutEffect(() => {
    if (!isReady) return undefined;
    const { setNodes, setEdges } = store.getState();
    return drawInParts(elements, { setNodes, setEdges, nextFrame });
  }, [isReady, elements, store]);
}

function nextFrame(draw: () => void): () => void {
  const frame = requestAnimationFrame(draw);
  return () => cancelAnimationFrame(frame);
}
