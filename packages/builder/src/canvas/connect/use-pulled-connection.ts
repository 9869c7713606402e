import { useCallback, useEffect, useRef, useState } from "react";
import { useCanvas } from "../canvas-context.ts";
import type { Point, Size } from "../model/box.ts";
import { waysOut } from "../model/connection-choices.ts";

type Asked = { pulled: PulledConnection; place: Point };

/** What is asked about a connection that leads nowhere yet, over the canvas that `canvasRef` is given to. */
export function usePulledConnection() {
  const { editor, catalogue, elements, view } = useCanvas();
  const canvasRef = useRef<HTMLElement>(null);
  const [asked, setAsked] = useState<Asked>();

  const ask = useCallback((pulled: PulledConnection) => {
    const canvas = canvasRef.current?.getBoundingClientRect();
    if (!canvas) return;
    const point = { x: pulled.askAt.x - canvas.left, y: pulled.askAt.y - canvas.top };
    setAsked({ pulled, place: placePicker(point, canvas) });
  }, []);

  useEffect(() => {
    view.askConnection = () => {
      const [id, ...others] = elements.selectedNodeIds();
      const node = id === undefined || others.length > 0 ? undefined : editor.state().model.nodes.get(id);
      if (!node || waysOut(node, catalogue).length === 0) return;
      const box = elementOf(canvasRef.current, node.id)?.getBoundingClientRect();
      if (box) ask({ source: node.id, askAt: { x: box.right + 16, y: box.top } });
    };
  }, [ask, editor, catalogue, elements, view]);

  const close = useCallback(() => {
    setAsked(undefined);
    // What is selected now: the step that was added, or the one that the connection comes from.
    const [id = asked?.pulled.source] = elements.selectedNodeIds();
    // It may only now be there.
    if (id !== undefined) requestAnimationFrame(() => elementOf(canvasRef.current, id)?.focus());
  }, [asked, elements]);

  return { canvasRef, asked, ask, close };
}

function elementOf(canvas: HTMLElement | null, nodeId: string): HTMLElement | null {
  return canvas?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(nodeId)}"]`) ?? null;
}

/** As large as the picker may become, with some room around it. */
const needed: Size = { width: 296, height: 376 };

/** Where in a canvas to ask, so that all of it is seen: at the point, or as near to it as there is room. */
function placePicker({ x, y }: Point, canvas: Size): Point {
  return {
    x: Math.max(8, Math.min(x, canvas.width - needed.width)),
    y: Math.max(8, Math.min(y, canvas.height - needed.height)),
  };
}

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
