import { errorPort, type FlowNode } from "@weft/schema";
import { Handle, Position, useStoreApi } from "@xyflow/react";
import { type CSSProperties, memo, type PointerEventHandler, useState } from "react";
import { canvasStrings } from "../../strings/canvas.ts";
import { useCanvas } from "../canvas-context.ts";
import { cardBorderPx, handlePx, portCentres } from "../port-geometry.ts";
import classes from "./node-card.module.css";

type PortDot = {
  id: string | null;
  type: "source" | "target";
  position: Position;
  title: string;
  style: CSSProperties;
  className: string;
};

/** For devices without a hovering pointer. */
const isTouchOnly = typeof matchMedia === "function" && matchMedia("(hover: none)").matches;
/** From inside of a card's border to where a dot begins that lies on its edge, or on a line from there. */
const edgePx = -handlePx / 2 - cardBorderPx;

/** Whether a node's dots can be pulled at, and what finds that out. */
export function useLiveHandles(): {
  isLive: boolean;
  onPointerEnter: PointerEventHandler;
  onPointerLeave: PointerEventHandler;
} {
  const [isNear, setNear] = useState(false);
  return {
    isLive: isNear || isTouchOnly,
    onPointerEnter: () => setNear(true),
    // Not while a connection is pulled out of it: that needs the dot that it comes from.
    onPointerLeave: ({ buttons }) => {
      if (buttons === 0) setNear(false);
    },
  };
}

type Props = { node: FlowNode; isLive: boolean; isSelected: boolean };

/**
 * The dots that edges connect. React Flow's handles listen to every change of the canvas, which is expensive with
 * hundreds of nodes. Only the hovered node has them; the others have look-alikes that connections can be dropped on.
 */
export const NodeHandles = memo(function NodeHandles({ node, isLive, isSelected }: Props) {
  const dots = useDots(node, isLive || isSelected);
  const { rfId } = useStoreApi().getState();
  return dots.map(({ id, type, position, title, style, className }) =>
    isLive ? (
      <Handle
        key={`${type} ${id}`}
        {...(id === null ? {} : { id })}
        type={type}
        position={position}
        className={className}
        style={style}
        title={title}
      />
    ) : (
      <div
        key={`${type} ${id}`}
        className={`react-flow__handle nodrag nopan connectable connectableend ${type} ${className}`}
        style={style}
        data-handleid={id}
        data-nodeid={node.id}
        data-handlepos={position}
        data-id={`${rfId}-${node.id}-${id}-${type}`}
      />
    ),
  );
});

/** The error dot is visible and present only when it is about to be used. */
function useDots(node: FlowNode, withErrorDot: boolean): PortDot[] {
  const { catalogue } = useCanvas();
  const ports = catalogue.portsOf(node);
  const centres = portCentres(ports.length);
  const className = classes.handle ?? "";
  const outputs = ports.map(({ id, title }, index): PortDot => {
    const top = (centres.outputs[index] ?? 0) + edgePx;
    return { id, type: "source", position: Position.Right, title, style: { top, right: edgePx }, className };
  });
  const input: PortDot = {
    id: null,
    type: "target",
    position: Position.Left,
    title: canvasStrings.node.input,
    style: { top: centres.input + edgePx, left: edgePx },
    className,
  };
  const error: PortDot = {
    id: errorPort,
    type: "source",
    position: Position.Bottom,
    title: canvasStrings.node.onError,
    style: { bottom: edgePx, left: `calc(50% - ${handlePx / 2}px)` },
    className: `${className} ${classes.errorHandle}`,
  };
  return [
    ...(catalogue.hasInput(node) ? [input] : []),
    ...outputs,
    ...(withErrorDot && catalogue.hasErrorPort(node) ? [error] : []),
  ];
}
