import { IconAction } from "../ui/controls/actions.tsx";
import "@xyflow/react/dist/style.css";
import { useMantineColorScheme } from "@mantine/core";
import {
  type AriaLabelConfig,
  Background,
  BackgroundVariant,
  getViewportForBounds,
  Panel,
  ReactFlow,
  type ReactFlowInstance,
  SelectionMode,
  useReactFlow,
  useStore,
  useStoreApi,
} from "@xyflow/react";
import { lazy, memo, type RefObject, Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { CircleHelp, LayoutGrid, Map as MapIcon, Maximize, Minus, Plus } from "../icons/icons.gen.ts";
import { canvasStrings } from "../strings.ts";
import { useCanvas, useSelectedNodeId } from "./canvas-context.ts";
import type { MenuRequest } from "./canvas-menu.tsx";
import { drawInParts } from "./draw-in-parts.ts";
import classes from "./flow-canvas.module.css";
import { moveTo } from "./keep-in-view.ts";
import { absolutePosition, boundsOf, boxesOf, gridPx, sizeOf } from "./model/box.ts";
import { edgeTypes } from "./nodes/canvas-edges.tsx";
import { nodeTypes } from "./nodes/canvas-nodes.tsx";
import type { CanvasEdge, CanvasNode } from "./session/canvas-elements.ts";
import { useCanvasHandlers, useCanvasShortcuts, useStepRequest } from "./use-canvas-input.ts";

const StepPicker = lazy(async () => ({ default: (await import("./step-picker.tsx")).StepPicker }));
const CanvasMenu = lazy(async () => ({ default: (await import("./canvas-menu.tsx")).CanvasMenu }));
const grid: [number, number] = [gridPx, gridPx];
const multiSelectionKeys = ["Meta", "Control", "Shift"];
/** Level of detail: zoomed out, steps show only their names; further out, no text at all. */
const farZooms = { names: 0.5, shapes: 0.25 } as const;
/** Below this zoom, outputs and branches have larger text, to stay readable. */
const smallZoom = 0.8;
const proOptions = { hideAttribution: true };

const { spoken } = canvasStrings.canvas;
/** The library picks between the first two depending on whether arrow keys move nodes; both describe the canvas. */
const spokenHelp: Partial<AriaLabelConfig> = {
  "node.a11yDescription.default": spoken.stepHelp,
  "node.a11yDescription.keyboardDisabled": spoken.stepHelp,
  "node.a11yDescription.ariaLiveMessage": ({ x, y }) => spoken.moved({ x, y }),
  "edge.a11yDescription.default": spoken.connectionHelp,
};
const spokenPreviewHelp: Partial<AriaLabelConfig> = {
  ...spokenHelp,
  "node.a11yDescription.default": spoken.previewHelp,
  "node.a11yDescription.keyboardDisabled": spoken.previewHelp,
};

type Props = {
  onSearch(): void;
  onHelp(): void;
  /** Called on Escape before it clears the selection; returns whether it closed something. */
  onEscape(): boolean;
  minimap: boolean;
  onMinimap(shown: boolean): void;
};

/** The flow editor. Its container determines its size. */
export function FlowCanvas({ onSearch, onHelp, onEscape, minimap, onMinimap }: Props) {
  const [flow, setFlow] = useState<ReactFlowInstance<CanvasNode, CanvasEdge>>();
  const [refusal, setRefusal] = useState("");
  const { colorScheme } = useMantineColorScheme();
  const detail = useDetail();
  useDrawnFlow(useVisibleBox(flow));
  useKeepInView(flow);
  const { canvasRef, asked, ask, close } = useStepRequest();
  const onKeyDown = useCanvasShortcuts(canvasRef, { onSearch, onHelp, onEscape, onRefused: setRefusal });
  const [menu, setMenu] = useState<MenuRequest>();
  const handlers = useCanvasHandlers(flow, setRefusal, ask, setMenu);
  useGlide(canvasRef);
  return (
    <section
      ref={canvasRef}
      className={classes.canvas}
      {...detail}
      aria-label={canvasStrings.canvas.label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onDoubleClick={handlers.onDoubleClick}
    >
      <ReactFlow<CanvasNode, CanvasEdge>
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        {...handlers.flow}
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
        zoomOnDoubleClick={false}
        connectOnClick={false}
        elevateEdgesOnSelect
        ariaLabelConfig={spokenHelp}
        proOptions={proOptions}
      >
        <Background variant={BackgroundVariant.Dots} gap={24} size={1.5} />
        <CanvasToolbar onHelp={onHelp} minimap={minimap} onMinimap={onMinimap} />
      </ReactFlow>
      {asked && (
        <Suspense fallback={null}>
          <StepPicker {...asked} onRefused={setRefusal} onClose={close} />
        </Suspense>
      )}
      {menu && (
        <Suspense fallback={null}>
          <CanvasMenu
            request={menu}
            onAdd={(askAt, droppedAt) => ask({ kind: "add", askAt, droppedAt })}
            onClose={() => setMenu(undefined)}
          />
        </Suspense>
      )}
      <CanvasStatus text={refusal} onText={setRefusal} />
    </section>
  );
}

/** A read-only flow: it can be panned, zoomed and selected from. Its container determines its size. */
export function FlowPreview() {
  const [flow, setFlow] = useState<ReactFlowInstance<CanvasNode, CanvasEdge>>();
  const { elements } = useCanvas();
  const { colorScheme } = useMantineColorScheme();
  const detail = useDetail();
  useDrawnFlow(useVisibleBox(flow));
  useKeepInView(flow);
  return (
    <section className={classes.canvas} {...detail} aria-label={canvasStrings.canvas.preview}>
      <ReactFlow<CanvasNode, CanvasEdge>
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onInit={setFlow}
        onNodeClick={(_event, { id }) => elements.select([id])}
        colorMode={colorScheme === "auto" ? "system" : colorScheme}
        minZoom={zoomRange.min}
        maxZoom={zoomRange.max}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        deleteKeyCode={null}
        panOnScroll
        ariaLabelConfig={spokenPreviewHelp}
        proOptions={proOptions}
      >
        <Background variant={BackgroundVariant.Dots} gap={24} size={1.5} />
      </ReactFlow>
    </section>
  );
}

/** Attributes for the level of detail; they change, and rerender the canvas, at few zoom levels. */
function useDetail(): Record<`data-${string}`, string | undefined> {
  const far = useStore(({ transform: [, , zoom] }) => toFar(zoom));
  const isSmall = useStore(({ transform: [, , zoom] }) => zoom < smallZoom && zoom >= farZooms.names);
  return { "data-far": far, "data-small": isSmall ? "" : undefined };
}

function toFar(zoom: number): keyof typeof farZooms | undefined {
  if (zoom < farZooms.shapes) return "shapes";
  return zoom < farZooms.names ? "names" : undefined;
}

/**
 * Draws the flow as soon as the canvas is ready. Writes directly into React Flow's store: passing nodes as props would
 * rerender the whole canvas with every frame of a drag.
 */
function useDrawnFlow(isReady: boolean): void {
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

/** Duration of panning and zooming: zero for users who prefer reduced motion. */
function moveMs(): number {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 200;
}

const marginPx = 24;

/** Moves the canvas where the panel, or its edge, would cover the selected step, or a flow that was in sight. */
function useKeepInView(flow: ReactFlowInstance<CanvasNode, CanvasEdge> | undefined): void {
  const { editor, catalogue, view } = useCanvas();
  const width = useStore((state) => state.width);
  const widthBefore = useRef(width);
  const id = useSelectedNodeId();
  // Only when the selection or the available space changes, not with every edit of the node.
  useEffect(() => {
    const lost = widthBefore.current - width;
    widthBefore.current = width;
    if (!flow) return;
    const { x, y, zoom } = flow.getViewport();
    const { model } = editor.state();
    const node = id === undefined ? undefined : model.nodes.get(id);
    const boxes = boxesOf(model, catalogue);
    const own = node && { ...absolutePosition(model, node), ...sizeOf(node, model, catalogue) };
    const move = moveTo({
      wanted: own && boundsOf([own], marginPx / zoom),
      whole: boundsOf(boxes),
      seen: view.visibleBox(),
      lost: lost / zoom,
      boxes,
      mayShowAll: zoom <= wholeFlow.maxZoom && view.zoomOfAll() >= farZooms.names,
    });
    if (move === "whole") view.showAll();
    else if (move !== "stay")
      void flow.setViewport({ x: x - move.x * zoom, y: y - move.y * zoom, zoom }, { duration: moveMs() });
  }, [flow, id, width, editor, catalogue, view]);
}

/** Zoom limits. */
const zoomRange = { min: 0.1, max: 2 } as const;

/** Options for fitting the whole flow: a margin around it, and no enlargement. */
const wholeFlow = { padding: 0.2, maxZoom: 1 } as const;

/**
 * Gives the commands access to the visible area, and fits the flow into it when it is opened. Returns whether that has
 * happened: nothing must be drawn before. Requires a ReactFlowProvider.
 */
function useVisibleBox(flow: ReactFlowInstance<CanvasNode, CanvasEdge> | undefined): boolean {
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
    const viewOfAll = () => {
      const bounds = boundsOf(boxesOf(editor.state().model, catalogue));
      const { width, height } = store.getState();
      const { padding, maxZoom } = wholeFlow;
      return bounds && getViewportForBounds(bounds, width, height, zoomRange.min, maxZoom, padding);
    };
    view.zoomOfAll = () => viewOfAll()?.zoom ?? 0;
    view.showAll = (durationMs = moveMs()) => {
      const viewport = viewOfAll();
      if (viewport) void flow.setViewport(viewport, { duration: durationMs });
    };
    view.showAll(0);
    setReady(true);
  }, [flow, store, editor, catalogue, view]);
  return isReady;
}

/** Somewhat longer than the movement itself. */
const glideMs = 240;

/** Lets the canvas show the changes that follow as movements. */
function useGlide(canvasRef: RefObject<HTMLElement | null>): void {
  const { view } = useCanvas();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    view.glide = () => {
      clearTimeout(timer);
      canvasRef.current?.setAttribute("data-gliding", "");
      timer = setTimeout(() => canvasRef.current?.removeAttribute("data-gliding"), glideMs);
    };
    return () => clearTimeout(timer);
  }, [canvasRef, view]);
}

const { toolbar } = canvasStrings;

type CanvasToolbarProps = { onHelp(): void; minimap: boolean; onMinimap(shown: boolean): void };

function CanvasToolbar({ onHelp, minimap, onMinimap }: CanvasToolbarProps) {
  const { zoomIn, zoomOut } = useReactFlow();
  const { commands, view } = useCanvas();
  return (
    <Panel position="bottom-left">
      <div className={classes.toolbar} role="toolbar" aria-label={toolbar.label}>
        <IconAction tip icon={Minus} label={toolbar.zoomOut} onClick={() => void zoomOut({ duration: moveMs() })} />
        <IconAction tip icon={Plus} label={toolbar.zoomIn} onClick={() => void zoomIn({ duration: moveMs() })} />
        <IconAction tip icon={Maximize} label={toolbar.fit} onClick={() => view.showAll()} />
        <IconAction tip icon={LayoutGrid} label={toolbar.tidyUp} onClick={commands.tidyUp} />
        <IconAction tip icon={MapIcon} label={toolbar.minimap} isOn={minimap} onClick={() => onMinimap(!minimap)} />
        <IconAction tip icon={CircleHelp} label={toolbar.help} onClick={onHelp} />
      </div>
    </Panel>
  );
}

const shownMs = 6_000;

type CanvasStatusProps = { text: string; onText(text: string): void };

/** The reason why an action was refused; announced, and hidden after a while. */
const CanvasStatus = memo(function CanvasStatus({ text, onText }: CanvasStatusProps) {
  useEffect(() => {
    if (text === "") return undefined;
    const timer = setTimeout(() => onText(""), shownMs);
    return () => clearTimeout(timer);
  }, [text, onText]);
  return (
    <div role="status" className={classes.status}>
      {text}
    </div>
  );
});
