import { defaultPort } from "@weft/schema";
import type { IsValidConnection, OnConnect, OnConnectEnd, OnNodeDrag, ReactFlowInstance } from "@xyflow/react";
import { type DragEvent, useMemo } from "react";
import { useCanvas } from "./canvas-context.ts";
import type { CanvasEdge, CanvasNode } from "./canvas-elements.ts";
import type { CanvasSession } from "./canvas-session.ts";
import type { PulledConnection } from "./connect/use-pulled-connection.ts";
import type { Point } from "./model/box.ts";
import type { Connection } from "./model/connection-rules.ts";
import { readDraggedType } from "./palette/dragged-type.ts";

type Flow = ReactFlowInstance<CanvasNode, CanvasEdge> | undefined;

/**
 * Event handlers for React Flow. They keep their identity across renders: React Flow notifies all listeners when one
 * changes. `onRefused` receives the reason why a connection was not made, empty if it was; `onPulled` a connection
 * released over empty canvas.
 */
export function useCanvasHandlers(
  flow: Flow,
  onRefused: (reason: string) => void,
  onPulled: (pulled: PulledConnection) => void,
) {
  const session = useCanvas();
  return useMemo(() => createHandlers(session, flow, { onRefused, onPulled }), [session, flow, onRefused, onPulled]);
}

type Listeners = { onRefused(reason: string): void; onPulled(pulled: PulledConnection): void };

function createHandlers(
  { elements, commands, catalogue }: CanvasSession,
  flow: Flow,
  { onRefused, onPulled }: Listeners,
) {
  const connect = (connection: Connection) => onRefused(commands.connect(connection) ?? "");
  const onConnect: OnConnect = (connection) => connect(toConnection(connection));
  const isValidConnection: IsValidConnection<CanvasEdge> = (connection) =>
    commands.whyNotConnect(toConnection(connection)) === undefined;
  const onNodeDragStop: OnNodeDrag<CanvasNode> = (_event, node) => commands.settle(node.id);
  const onConnectEnd: OnConnectEnd = (event, { isValid, fromNode, fromHandle, toNode }) => {
    const target = toNode?.id ?? nodeUnder(event);
    if (isValid || !fromNode || fromHandle?.type !== "source") return;
    const from = { source: fromNode.id, sourcePort: fromHandle.id ?? defaultPort };
    const askAt = pointOf(event);
    if (target !== undefined) connect({ ...from, target });
    else if (flow && isCanvas(askAt)) onPulled({ ...from, droppedAt: flow.screenToFlowPosition(askAt), askAt });
  };
  return {
    onNodesChange: elements.changeNodes,
    onEdgesChange: elements.changeEdges,
    onConnect,
    onConnectEnd,
    isValidConnection,
    onNodeDragStop,
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop(event: DragEvent) {
      const type = catalogue.typeOf({ type: readDraggedType(event) });
      if (!type || !flow) return;
      event.preventDefault();
      commands.add(type, { at: flow.screenToFlowPosition({ x: event.clientX, y: event.clientY }) });
    },
  };
}

type Drawn = { source: string; sourceHandle?: string | null; target: string };

function toConnection({ source, sourceHandle, target }: Drawn): Connection {
  return { source, sourcePort: sourceHandle ?? defaultPort, target };
}

/** A connection can be dropped anywhere on a step because it has only one input. */
function nodeUnder(event: MouseEvent | TouchEvent): string | undefined {
  const { x, y } = pointOf(event);
  const element = document.elementFromPoint(x, y)?.closest<HTMLElement>(".react-flow__node");
  return element?.dataset.id;
}

/** Whether the target is empty canvas: connections released over a panel are dropped. */
function isCanvas({ x, y }: Point): boolean {
  return document.elementFromPoint(x, y)?.closest(".react-flow__pane, .react-flow__edges") != null;
}

function pointOf(event: MouseEvent | TouchEvent): Point {
  const { clientX, clientY } =
    "changedTouches" in event ? (event.changedTouches[0] ?? { clientX: 0, clientY: 0 }) : event;
  return { x: clientX, y: clientY };
}
