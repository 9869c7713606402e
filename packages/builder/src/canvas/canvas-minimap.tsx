import { useReactFlow, useStore } from "@xyflow/react";
import { memo, type PointerEvent, useMemo } from "react";
import { canvasStrings } from "../strings/canvas.ts";
import { useCanvas, useEditorState } from "./canvas-context.ts";
import classes from "./flow-canvas.module.css";
import { type Box, boundsOf, boxesOf } from "./model/box.ts";

const size = { width: 232, height: 128 };
const paddingPx = 80;

/**
 * A minimap of the flow with the visible area; clicking it moves the canvas there. Unlike React Flow's own, it updates
 * after a move rather than during it, and sits next to the canvas, where it covers nothing.
 */
export const CanvasMinimap = memo(function CanvasMinimap() {
  const { catalogue } = useCanvas();
  const model = useEditorState((state) => state.model);
  const { setCenter, getZoom } = useReactFlow();
  const boxes = useMemo(() => boxesOf(model, catalogue), [model, catalogue]);
  const whole = useMemo(() => boundsOf(boxes, paddingPx), [boxes]);
  const go = ({ clientX, clientY, currentTarget, buttons }: PointerEvent<SVGSVGElement>) => {
    const matrix = currentTarget.getScreenCTM();
    if (buttons === 0 || !matrix) return;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    void setCenter(x, y, { zoom: getZoom() });
  };
  if (!whole) return null;
  return (
    <svg
      className={classes.minimap}
      {...size}
      data-minimap
      viewBox={`${whole.x} ${whole.y} ${whole.width} ${whole.height}`}
      role="img"
      aria-label={canvasStrings.toolbar.minimap}
      onPointerDown={go}
      onPointerMove={go}
    >
      <Boxes boxes={boxes} />
      <Seen />
    </svg>
  );
});

const Boxes = memo(function Boxes({ boxes }: { boxes: readonly Box[] }) {
  const path = boxes.map(({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h${-width}z`).join("");
  return <path d={path} className={classes.minimapNodes} />;
});

function Seen() {
  const [left, top, zoom] = useStore((state) => state.transform);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  return (
    <rect
      className={classes.minimapSeen}
      x={-left / zoom}
      y={-top / zoom}
      width={width / zoom}
      height={height / zoom}
      vectorEffect="non-scaling-stroke"
    />
  );
}
