import { defaultPort } from "@weft/schema";
import type { IsValidConnection, OnConnect, OnConnectEnd, OnNodeDrag, ReactFlowInstance } from "@xyflow/react";
import {
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent as ReactMouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { canvasStrings } from "../strings.ts";
import { useCanvas } from "./canvas-context.ts";
import type { MenuRequest } from "./canvas-menu.tsx";
import type { Point, Size } from "./model/box.ts";
import type { Connection } from "./model/connection-rules.ts";
import { waysOut } from "./model/connection-rules.ts";
import { readDraggedType } from "./node-palette.tsx";
import type { CanvasEdge, CanvasNode } from "./session/canvas-elements.ts";
import type { CanvasSession } from "./session/canvas-session.ts";

type Flow = ReactFlowInstance<CanvasNode, CanvasEdge> | undefined;

/**
 * Event handlers for React Flow. They keep their identity across renders: React Flow notifies all listeners when one
 * changes. `onRefused` receives the reason why a connection was not made, empty if it was; `onAsked` the request for a
 * step: a connection released over empty canvas, or a double click on it.
 */
export function useCanvasHandlers(
  flow: Flow,
  onRefused: (reason: string) => void,
  onAsked: (request: StepRequest) => void,
  onMenu: (request: MenuRequest) => void,
) {
  const session = useCanvas();
  return useMemo(
    () => createHandlers(session, flow, { onRefused, onAsked, onMenu }),
    [session, flow, onRefused, onAsked, onMenu],
  );
}

type Listeners = {
  onRefused(reason: string): void;
  onAsked(request: StepRequest): void;
  onMenu(request: MenuRequest): void;
};

function createHandlers(
  { elements, commands, catalogue, view }: CanvasSession,
  flow: Flow,
  { onRefused, onAsked, onMenu }: Listeners,
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
    else if (flow && isCanvas(askAt))
      onAsked({ kind: "connect", ...from, droppedAt: flow.screenToFlowPosition(askAt), askAt });
  };
  const flowHandlers = {
    onNodesChange: elements.changeNodes,
    onEdgesChange: elements.changeEdges,
    onConnect,
    onConnectEnd,
    isValidConnection,
    onNodeDragStop,
    onNodeClick: () => view.showStep(),
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop(event: DragEvent) {
      const type = catalogue.typeOf({ type: readDraggedType(event) });
      if (!type || !flow) return;
      event.preventDefault();
      commands.add(type, { at: flow.screenToFlowPosition({ x: event.clientX, y: event.clientY }) });
    },
  };
  const pointed = (event: ReactMouseEvent | MouseEvent) => {
    event.preventDefault();
    return { x: event.clientX, y: event.clientY };
  };
  const menus = {
    onNodeContextMenu(event: ReactMouseEvent, { id }: CanvasNode) {
      if (!elements.selectedNodeIds().includes(id)) elements.select([id]);
      onMenu({ kind: "steps", at: pointed(event) });
    },
    onEdgeContextMenu(event: ReactMouseEvent, { id }: CanvasEdge) {
      elements.select([id]);
      onMenu({ kind: "edge", edge: id, at: pointed(event) });
    },
    onPaneContextMenu(event: ReactMouseEvent | MouseEvent) {
      const at = pointed(event);
      if (flow) onMenu({ kind: "canvas", at, place: flow.screenToFlowPosition(at) });
    },
  };
  return {
    flow: { ...flowHandlers, ...menus },
    /** On empty canvas: adds a step at this position. */
    onDoubleClick({ clientX: x, clientY: y, target }: ReactMouseEvent) {
      if (!flow || !(target instanceof Element) || !target.closest(".react-flow__pane")) return;
      if (target.closest(".react-flow__node, .react-flow__edge")) return;
      onAsked({ kind: "add", droppedAt: flow.screenToFlowPosition({ x, y }), askAt: { x, y } });
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

type Options = {
  onSearch(): void;
  onHelp(): void;
  /** Returns whether an overlay was open; it is closed now. */
  onEscape(): boolean;
  onRefused(sentence: string): void;
};

type Shortcut = (session: CanvasSession, options: Options) => void;

const shortcuts: Readonly<Record<string, Shortcut>> = {
  "mod+z": ({ editor }) => editor.undo(),
  "mod+shift+z": ({ editor }) => editor.redo(),
  "mod+y": ({ editor }) => editor.redo(),
  "mod+a": ({ commands }) => commands.selectAll(),
  "mod+d": ({ commands }) => commands.duplicateSelection(),
  delete: ({ commands }) => commands.removeSelection(),
  backspace: ({ commands }) => commands.removeSelection(),
  escape({ elements }, { onEscape }) {
    if (!onEscape()) elements.select([]);
  },
  f: ({ view }) => view.showAll(),
  c: ({ view }) => view.askConnection(),
  i({ elements, view }) {
    const [edge, ...others] = elements.selectedEdgeIds();
    if (edge !== undefined && others.length === 0) view.askInsertion(edge, middleOf(edge));
  },
  l: ({ commands }) => commands.tidyUp(),
  "/": (_session, { onSearch }) => onSearch(),
  "?": (_session, { onHelp }) => onHelp(),
};

/**
 * Returns the key handler of the canvas. It applies only while the canvas has the focus: keys pressed in a panel, a
 * field, a menu or a dialog do not reach it, and text fields on the canvas keep their keys. The canvas takes the focus
 * when it opens and when the focused element disappears.
 */
export function useCanvasShortcuts(canvasRef: RefObject<HTMLElement | null>, options: Options) {
  const session = useCanvas();
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    const canvas = canvasRef.current;
    if (!canvas) return;
    session.view.focus = () => canvas.focus({ preventScroll: true });
    if (hasLostFocus()) session.view.focus();
    // Clipboard events are dispatched where the selected text is, or nowhere.
    const isElsewhere = () => !canvas.contains(document.activeElement) || isTypedInto(document.activeElement);
    const onCopy = (event: ClipboardEvent) => {
      const text = isElsewhere() || hasSelectedText() ? undefined : session.commands.copySelection();
      if (text === undefined) return;
      event.preventDefault();
      event.clipboardData?.setData("text/plain", text);
      if (event.type === "cut") session.commands.removeSelection();
    };
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData("text/plain");
      if (isElsewhere() || !text) return;
      event.preventDefault();
      if (!session.commands.paste(text)) latest.current.onRefused(canvasStrings.canvas.pasteRefused);
    };
    const listening = new AbortController();
    document.addEventListener("copy", onCopy, listening);
    document.addEventListener("cut", onCopy, listening);
    document.addEventListener("paste", onPaste, listening);
    return () => listening.abort();
  }, [session, canvasRef]);
  return (event: KeyboardEvent<HTMLElement>) => {
    const { target, currentTarget } = event;
    const shortcut = shortcuts[keyOf(event)];
    // React may treat elements drawn elsewhere on the page, such as menus, as part of the canvas.
    const isOwn = target instanceof Node && currentTarget.contains(target);
    if (!shortcut || !isOwn || isTypedInto(target) || event.defaultPrevented) return;
    event.preventDefault();
    shortcut(session, latest.current);
    requestAnimationFrame(() => hasLostFocus() && session.view.focus());
  };
}

/** Midpoint of an edge, on the screen. */
function middleOf(edgeId: string): Point {
  const box = document.querySelector(`.react-flow__edge[data-id="${CSS.escape(edgeId)}"]`)?.getBoundingClientRect();
  return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
}

/** `mod` is ⌘ or Ctrl. Characters such as `?` match regardless of the keys needed to type them. */
function keyOf({ key, metaKey, ctrlKey, shiftKey, altKey }: KeyboardEvent<HTMLElement>): string {
  if (altKey) return "";
  const name = key.toLowerCase();
  const isMod = metaKey || ctrlKey;
  return `${isMod ? "mod+" : ""}${shiftKey && isMod ? "shift+" : ""}${name}`;
}

function isTypedInto(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest("input, textarea, select, [contenteditable], [role=dialog], [role=menu]") !== null;
}

/** Whether nothing has the focus, or the focused element was removed. */
function hasLostFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function hasSelectedText(): boolean {
  return (document.getSelection()?.toString() ?? "") !== "";
}

type PortOf = { source: string; sourcePort: string };
type Asked = { request: StepRequest; place: Point };

/** The dialog that chooses a step, positioned over the canvas in `canvasRef`. */
export function useStepRequest() {
  const { editor, catalogue, elements, view } = useCanvas();
  const canvasRef = useRef<HTMLElement>(null);
  const [asked, setAsked] = useState<Asked>();

  const ask = useCallback((request: StepRequest) => {
    const canvas = canvasRef.current?.getBoundingClientRect();
    if (!canvas) return;
    const point = { x: request.askAt.x - canvas.left, y: request.askAt.y - canvas.top };
    setAsked({ request, place: placePicker(point, canvas) });
  }, []);

  useEffect(() => {
    const selected = () => {
      const [id, ...others] = elements.selectedNodeIds();
      return others.length > 0 ? undefined : id;
    };
    view.askConnection = ({ source = selected(), sourcePort }: Partial<PortOf> = {}) => {
      const node = editor.state().model.nodes.get(source ?? "");
      const box = node && elementOf(canvasRef.current, node.id)?.getBoundingClientRect();
      if (!box || waysOut(node, catalogue).length === 0) return;
      ask({ kind: "connect", source: node.id, sourcePort, askAt: { x: box.right + 16, y: box.top } });
    };
    view.askInsertion = (edge, askAt) => ask({ kind: "insert", edge, askAt });
  }, [ask, editor, catalogue, elements, view]);

  const close = useCallback(() => {
    setAsked(undefined);
    // The selected node: the added step, or the source of the connection.
    const origin = asked?.request.kind === "connect" ? asked.request.source : undefined;
    const [id = origin] = elements.selectedNodeIds();
    // The element may only exist in the next frame.
    if (id !== undefined) requestAnimationFrame(() => elementOf(canvasRef.current, id)?.focus());
  }, [asked, elements]);

  return { canvasRef, asked, ask, close };
}

function elementOf(canvas: HTMLElement | null, nodeId: string): HTMLElement | null {
  return canvas?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(nodeId)}"]`) ?? null;
}

/** The maximum size of the picker, with a margin. */
const needed: Size = { width: 296, height: 376 };

/** Position of the picker in a canvas: at the point, or as close to it as it fits. */
function placePicker({ x, y }: Point, canvas: Size): Point {
  return {
    x: Math.max(8, Math.min(x, canvas.width - needed.width)),
    y: Math.max(8, Math.min(y, canvas.height - needed.height)),
  };
}

/** The purpose of the step. `askAt`: where the picker opens, in pixels from the corner of the window. */
export type StepRequest = { askAt: Point } & (
  | {
      /** A connection without a target yet. */
      kind: "connect";
      source: string;
      /** Undefined: the user chooses one of the outputs. */
      sourcePort?: string | undefined;
      /** Canvas coordinates of the release point, where a new step is placed. Undefined: next to the source. */
      droppedAt?: Point | undefined;
    }
  | { kind: "insert"; edge: string }
  | { kind: "add"; droppedAt: Point }
);
