import { useCallback, useEffect, useRef, useState } from "react";
import { useCanvas } from "../canvas-context.ts";
import type { Point, Size } from "../model/box.ts";
import { waysOut } from "../model/connection-choices.ts";

type Asked = { pulled: PulledConnection; place: Point };

/** The dialog for a connection released over empty canvas, positioned over the canvas in `canvasRef`. */
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
    // The selected node: the added step, or the source of the connection.
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

/** Position of the picker in a canvas: at the point, or as close to it as it fits. */
function placePicker({ x, y }: Point, canvas: Size): Point {
  return {
    x: Math.max(8, Math.min(x, canvas.width - needed.width)),
    y: Math.max(8, Math.min(y, canvas.height - needed.height)),
  };
}

/** A connection that leads nowhere yet. */
export type PulledConnection = {
  source: string;
  /** Undefined: the user chooses one of the outputs. */
  sourcePort?: string | undefined;
  /** Canvas coordinates of the release point, where a new step is placed. Undefined: next to the source. */
  droppedAt?: Point | undefined;
  /** Screen position of the picker, in pixels from the corner of the window. */
  askAt: Point;
};
