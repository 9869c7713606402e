import { errorPort, type FlowEdge, type FlowNode } from "@weft/schema";
import {
  applyEdgeChanges,
  applyNodeChanges,
  type Edge,
  type EdgeChange,
  type Node,
  type NodeChange,
  type NodeHandle,
  Position,
} from "@xyflow/react";
import { canvasStrings } from "../../strings.ts";
import { listsPorts, nodeHeaderPx, portRowPx, sizeOf } from "../model/box.ts";
import { isErrorEdge, titleOf } from "../model/connection-rules.ts";
import { moveNodes, removeElements, resizeNode } from "../model/edits.ts";
import { type FlowModel, parentsFirst } from "../model/flow-model.ts";
import type { NodeCatalogue } from "../model/node-catalogue.ts";
import type { FlowEditor } from "./flow-editor.ts";

const {
  edge: edges,
  canvas: { spoken },
} = canvasStrings;
const spokenStep = { "aria-roledescription": spoken.step };
const spokenConnection = { "aria-roledescription": spoken.connection };

/** A node as a React Flow element. `step`: any executable node; `sub-flow`: a node with children; `note`. */
export type CanvasNode = Node<{ node: FlowNode }, "step" | "sub-flow" | "note">;
/** `flow`: a connection; `back`: the target of a loop, which is a setting and read-only here. */
export type CanvasEdge = Edge<CanvasEdgeData, "flow" | "back">;

type CanvasEdgeData = {
  isError: boolean;
  /** Its name: the output that it leaves from, if there are several. Empty: no label. */
  label: string;
};

export type CanvasView = { readonly nodes: CanvasNode[]; readonly edges: CanvasEdge[] };

/**
 * The edited flow as React Flow elements, plus state of the canvas itself: the selection, and node positions during a
 * drag. The model is updated once, at the end of the drag.
 */
export type CanvasElements = {
  view(): CanvasView;
  subscribe(listener: () => void): () => void;
  changeNodes(changes: NodeChange<CanvasNode>[]): void;
  changeEdges(changes: EdgeChange<CanvasEdge>[]): void;
  /** Selects only these. */
  select(ids: Iterable<string>): void;
  selectedNodeIds(): string[];
  selectedEdgeIds(): string[];
  /** Stops following the editor. */
  close(): void;
};

export function createCanvasElements(editor: FlowEditor, catalogue: NodeCatalogue): CanvasElements {
  const listeners = new Set<() => void>();
  let model = editor.state().model;
  let view: CanvasView = { nodes: toNodes(model, catalogue, []), edges: toEdges(model, catalogue, []) };
  let isDragging = false;

  function show(next: Partial<CanvasView>): void {
    view = { ...view, ...next };
    for (const listener of listeners) listener();
  }

  const close = editor.subscribe(() => {
    if (editor.state().model === model) return;
    model = editor.state().model;
    show({ nodes: toNodes(model, catalogue, view.nodes), edges: toEdges(model, catalogue, view.edges) });
  });

  function commit(changes: readonly NodeChange<CanvasNode>[]): void {
    const moves = changes.flatMap((change) =>
      change.type === "position" && change.position && !change.dragging ? [[change.id, change.position] as const] : [],
    );
    const resized = changes.find((change) => change.type === "dimensions" && change.resizing === false);
    const removed = changes.flatMap((change) => (change.type === "remove" ? [change.id] : []));
    // Keyboard moves have no drag: each key press moves a little, and together they form one undo step.
    const mergeKey = isDragging ? undefined : `nudge ${moves.map(([id]) => id).join()}`;
    const isResizing =
      resized !== undefined || changes.some((change) => change.type === "dimensions" && change.resizing);
    if (moves.length > 0 && !isResizing) editor.edit(moveNodes(model, new Map(moves)), mergeKey);
    if (resized?.type === "dimensions") editor.edit(resizeChanges(resized.id));
    if (removed.length > 0) editor.edit(removeElements(model, removed));
    isDragging = changes.some((change) => change.type === "position" && change.dragging);
  }

  function resizeChanges(id: string) {
    const drawn = view.nodes.find((node) => node.id === id);
    if (!drawn) return [];
    return resizeNode(model, id, { ...drawn.position, width: drawn.width ?? 0, height: drawn.height ?? 0 });
  }

  return {
    view: () => view,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    changeNodes(changes) {
      const drawn = changes.filter(({ type }) => type !== "remove");
      if (drawn.length > 0) show({ nodes: applyNodeChanges(drawn, view.nodes) });
      commit(changes);
    },
    changeEdges(changes) {
      const drawn = changes.filter(({ type }) => type !== "remove");
      if (drawn.length > 0) show({ edges: applyEdgeChanges(drawn, view.edges) });
      const removed = changes.flatMap((change) => (change.type === "remove" ? [change.id] : []));
      if (removed.length > 0) editor.edit(removeElements(model, [], removed));
    },
    select(ids) {
      const chosen = new Set(ids);
      show({
        nodes: view.nodes.map((node) => marked(node, chosen)),
        edges: view.edges.map((edge) => marked(edge, chosen)),
      });
    },
    selectedNodeIds: () => view.nodes.filter(({ selected }) => selected).map(({ id }) => id),
    selectedEdgeIds: () => view.edges.filter(({ selected }) => selected).map(({ id }) => id),
    close,
  };
}

function marked<T extends { id: string; selected?: boolean }>(element: T, chosen: ReadonlySet<string>): T {
  const selected = chosen.has(element.id);
  return (element.selected ?? false) === selected ? element : { ...element, selected };
}

/** Unchanged nodes stay the same objects, so that React Flow skips them. */
function toNodes(model: FlowModel, catalogue: NodeCatalogue, before: readonly CanvasNode[]): CanvasNode[] {
  const known = new Map(before.map((node) => [node.id, node]));
  return parentsFirst(model.nodes).map((node) => {
    const earlier = known.get(node.id);
    const size = sizeOf(node, model, catalogue);
    if (earlier?.data.node === node && earlier.width === size.width && earlier.height === size.height) {
      return isAt(earlier, node) ? earlier : { ...earlier, position: node.position };
    }
    const isInside = node.parent !== undefined && model.nodes.has(node.parent);
    return {
      // Nodes have fixed sizes, so measuring them would only render them again.
      measured: size,
      ...(isInside ? { parentId: node.parent } : {}),
      ...size,
      id: node.id,
      type: kindOf(node, catalogue),
      position: node.position,
      handles: handlesOf(node, catalogue, size),
      selected: earlier?.selected ?? false,
      zIndex: catalogue.isNote(node) ? -1 : 0,
      ariaLabel: titleOf(node, catalogue),
      domAttributes: spokenStep,
      data: { node },
    } as CanvasNode;
  });
}

function kindOf(node: FlowNode, catalogue: NodeCatalogue): NonNullable<CanvasNode["type"]> {
  if (catalogue.isNote(node)) return "note";
  return catalogue.hasSubFlow(node) ? "sub-flow" : "step";
}

function isAt({ position }: CanvasNode, node: FlowNode): boolean {
  return position.x === node.position.x && position.y === node.position.y;
}

/** Ends of edges, computed without measuring so that edges are drawn in the first frame. */
function handlesOf(node: FlowNode, catalogue: NodeCatalogue, size: { width: number; height: number }): NodeHandle[] {
  const half = handlePx / 2;
  const at = (x: number, y: number) => ({ x: x - half, y: y - half, width: handlePx, height: handlePx });
  const ports = catalogue.portsOf(node);
  const centres = portCentres(ports.length);
  return [
    ...(catalogue.hasInput(node)
      ? [{ type: "target" as const, position: Position.Left, ...at(0, centres.input) }]
      : []),
    ...ports.map(({ id }, index) => ({
      id,
      type: "source" as const,
      position: Position.Right,
      ...at(size.width, centres.outputs[index] ?? 0),
    })),
    ...(catalogue.hasErrorPort(node)
      ? [{ id: errorPort, type: "source" as const, position: Position.Bottom, ...at(size.width / 2, size.height) }]
      : []),
  ];
}

function toEdges(model: FlowModel, catalogue: NodeCatalogue, before: readonly CanvasEdge[]): CanvasEdge[] {
  const known = new Map(before.map((edge) => [edge.id, edge]));
  const kept = (edge: CanvasEdge) => {
    const earlier = known.get(edge.id);
    return earlier && isSameEdge(earlier, edge) ? earlier : edge;
  };
  const labels = labelsOf(model, catalogue);
  const nameOf = (id: string) => nameOfNode(model, catalogue, id);
  const flow = [...model.edges.values()].map((edge) =>
    toEdge(edge, {
      label: labels.get(edge) ?? "",
      name: edges.name({
        from: nameOf(edge.source),
        to: nameOf(edge.target),
        hasOutput: outputTitle(model, catalogue, edge) !== "",
        output: outputTitle(model, catalogue, edge),
      }),
    }),
  );
  const back = [...model.nodes.values()].flatMap((node) => waysBack(model, catalogue, node));
  return [...flow, ...back.map((edge) => toBackEdge(edge, edges.backTo({ step: nameOf(edge.target) })))].map(kept);
}

function nameOfNode({ nodes }: FlowModel, catalogue: NodeCatalogue, id: string): string {
  const node = nodes.get(id);
  return node ? titleOf(node, catalogue) : id;
}

/** Title of an edge's output; empty for the only one. */
function outputTitle({ nodes }: FlowModel, catalogue: NodeCatalogue, edge: FlowEdge): string {
  if (isErrorEdge(edge)) return canvasStrings.node.onError;
  const node = nodes.get(edge.source);
  const ports = node ? catalogue.portsOf(node) : [];
  return listsPorts(ports.length) ? (ports.find(({ id }) => id === edge.sourcePort)?.title ?? "") : "";
}

/** Parallel edges lie close together: the first carries the label of all. */
function labelsOf(model: FlowModel, catalogue: NodeCatalogue): Map<FlowEdge, string> {
  const together = Map.groupBy(model.edges.values(), (edge) =>
    isErrorEdge(edge) ? edge : `${edge.source} ${edge.target}`,
  );
  return new Map(
    [...together.values()].flatMap((group) => {
      const titles = group.map((edge) => outputTitle(model, catalogue, edge)).filter((title) => title !== "");
      return group.slice(0, 1).map((first) => [first, titles.join(" / ")] as const);
    }),
  );
}

/** From the first output of a loop to the step that it goes back to. */
function waysBack({ nodes }: FlowModel, catalogue: NodeCatalogue, node: FlowNode): FlowEdge[] {
  const [port] = catalogue.portsOf(node);
  if (!port) return [];
  const targets = catalogue.goesBackTo(node).filter((id) => nodes.has(id));
  return targets.map((target) => ({
    id: `${node.id} back to ${target}`,
    source: node.id,
    sourcePort: port.id,
    target,
  }));
}

function toBackEdge({ id, source, sourcePort, target }: FlowEdge, label: string): CanvasEdge {
  const passive = { selectable: false, focusable: false, deletable: false, interactionWidth: 0 };
  const data = { isError: false, label };
  return {
    id,
    type: "back",
    source,
    sourceHandle: sourcePort,
    target,
    ariaLabel: label,
    domAttributes: spokenConnection,
    data,
    ...passive,
  };
}

function isSameEdge(one: CanvasEdge, other: CanvasEdge): boolean {
  return (
    one.source === other.source &&
    one.sourceHandle === other.sourceHandle &&
    one.target === other.target &&
    one.ariaLabel === other.ariaLabel &&
    one.data?.label === other.data?.label
  );
}

function toEdge(edge: FlowEdge, { label, name }: { label: string; name: string }): CanvasEdge {
  const { id, source, sourcePort, target } = edge;
  const data = { isError: isErrorEdge(edge), label };
  return {
    id,
    type: "flow",
    source,
    sourceHandle: sourcePort,
    target,
    ariaLabel: name,
    domAttributes: spokenConnection,
    data,
  };
}

/** Diameter of the dots that edges are drawn from. */
export const handlePx = 12;

/** Border of a card, inside which the browser places its dots. */
export const cardBorderPx = 1;

/** Distance of each dot from the top of its node. A single output is level with the input; several have a row each. */
export function portCentres(portCount: number): { input: number; outputs: number[] } {
  const middle = nodeHeaderPx / 2;
  if (!listsPorts(portCount)) return { input: middle, outputs: [middle] };
  return {
    input: middle,
    outputs: Array.from({ length: portCount }, (_, index) => nodeHeaderPx + portRowPx * (index + 0.5)),
  };
}
