import {
  Background,
  BackgroundVariant,
  ReactFlow,
  type ReactFlowInstance,
  SelectionMode,
  useStore,
} from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { useMantineColorScheme } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { canvasStrings } from "../strings/canvas.ts";
import type { CanvasEdge, CanvasNode } from "./canvas-elements.ts";
import { CanvasStatus } from "./canvas-status.tsx";
import { CanvasToolbar } from "./canvas-toolbar.tsx";
import { usePulledConnection } from "./connect/use-pulled-connection.ts";
import { FlowEdge } from "./edges/flow-edge.tsx";
import classes from "./flow-canvas.module.css";
import { gridPx } from "./model/box.ts";
import { NoteNode } from "./nodes/note-node.tsx";
import { StepNode } from "./nodes/step-node.tsx";
import { SubFlowNode } from "./nodes/sub-flow-node.tsx";
import { useCanvasHandlers } from "./use-canvas-handlers.ts";
import { useCanvasShortcuts } from "./use-canvas-shortcuts.ts";
import { useDrawnFlow } from "./use-drawn-flow.ts";
import { useKeepInView } from "./use-keep-in-view.ts";
import { useVisibleBox, zoomRange } from "./use-visible-box.ts";

const ConnectPicker = lazy(async () => ({ default: (await import("./connect/connect-picker.tsx")).ConnectPicker }));
const nodeTypes = { step: StepNode, "sub-flow": SubFlowNode, note: NoteNode };
const edgeTypes = { flow: FlowEdge };
const grid: [number, number] = [gridPx, gridPx];
const multiSelectionKeys = ["Meta", "Control", "Shift"];
/** From far away only what is written large can be read: steps show their names alone. From farther nothing can. */
const farZooms = { names: 0.5, shapes: 0.25 } as const;
const proOptions = { hideAttribution: true };

type Props = {
  onSearch(): void;
  onHelp(): void;
  /** Escape, before it ends the selection: whether that closed something. */
  onEscape(): boolean;
  minimap: boolean;
  onMinimap(shown: boolean): void;
};

/** The flow, drawn and edited. Its container decides how large it is. */
export function FlowCanvas({ onSearch, onHelp, onEscape, minimap, onMinimap }: Props) {
  const [flow, setFlow] = useState<ReactFlowInstance<CanvasNode, CanvasEdge>>();
  const [refusal, setRefusal] = useState("");
  const { colorScheme } = useMantineColorScheme();
  const far = useStore(({ transform: [, , zoom] }) => toFar(zoom));
  useDrawnFlow(useVisibleBox(flow));
  useKeepInView(flow);
  const { canvasRef, asked, ask, close } = usePulledConnection();
  const onKeyDown = useCanvasShortcuts(canvasRef, { onSearch, onHelp, onEscape, onRefused: setRefusal });
  const handlers = useCanvasHandlers(flow, setRefusal, ask);
  return (
    <section
      ref={canvasRef}
      className={classes.canvas}
      data-far={far}
      aria-label={canvasStrings.canvas.label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <ReactFlow<CanvasNode, CanvasEdge>
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        {...handlers}
        onInit={setFlow}
        colorMode={colorScheme === "auto" ? "system" : colorScheme}
        minZoom={zoomRange.min}
        maxZoom={zoomRange.max}
        selectNodesOnDrag={false}
        snapToGrid
        snapGrid={grid}
        connectionRadius={28}
        panOnScroll
        selectionMode={SelectionMode.Partial}
        multiSelectionKeyCode={multiSelectionKeys}
        deleteKeyCode={null}
        elevateEdgesOnSelect
        proOptions={proOptions}
      >
        <Background variant={BackgroundVariant.Dots} gap={24} size={1.5} />
        <CanvasToolbar onHelp={onHelp} minimap={minimap} onMinimap={onMinimap} />
      </ReactFlow>
      {asked && (
        <Suspense fallback={null}>
          <ConnectPicker {...asked} onRefused={setRefusal} onClose={close} />
        </Suspense>
      )}
      <CanvasStatus text={refusal} onText={setRefusal} />
    </section>
  );
}

function toFar(zoom: number): keyof typeof farZooms | undefined {
  if (zoom < farZooms.shapes) return "shapes";
  return zoom < farZooms.names ? "names" : undefined;
}
