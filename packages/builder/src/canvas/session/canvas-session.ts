import type { NodeType } from "@weft/client";
import { defaultPort, type Finding, type FlowNode } from "@weft/schema";
import { writtenTitle } from "../../described/node-title.ts";
import { type Attention, createAttention } from "../attention.ts";
import { insertion } from "../insertion.ts";
import {
  absolutePosition,
  type Box,
  besideOf,
  boxesOf,
  contains,
  freePlace,
  layoutFlow,
  type Point,
  sizeOf,
  toGrid,
  withoutOverlaps,
} from "../model/box.ts";
import { type Connection, whyNotConnect } from "../model/connection-rules.ts";
import {
  addElements,
  applyChanges,
  type Change,
  changesTo,
  connect,
  moveNodes,
  newConfig,
  newLabel,
  newNodeId,
  placeInside,
  removeElements,
} from "../model/edits.ts";
import { type FlowModel, labelsOf } from "../model/flow-model.ts";
import { createNodeCatalogue, type NodeCatalogue } from "../model/node-catalogue.ts";
import { createFlowPins, type FlowPins, type Pins } from "../pins.ts";
import type { StepRun } from "../step-run.ts";
import { type CanvasElements, createCanvasElements } from "./canvas-elements.ts";
import { copyToText, freshPart, parsePart } from "./clipboard.ts";
import { createFlowEditor, type FlowEditor } from "./flow-editor.ts";
import { createKeyedStore, type KeyedStore } from "./keyed-store.ts";

/** The state of one flow open on a canvas. It is not React state: components subscribe to the parts they show. */
export type CanvasSession = {
  editor: FlowEditor;
  catalogue: NodeCatalogue;
  elements: CanvasElements;
  commands: CanvasCommands;
  /** Findings by the node that has them. */
  findings: KeyedStore<readonly Finding[]>;
  runStates: KeyedStore<NodeRunState>;
  /** The steps' results in the agent's last run. */
  lastRun: KeyedStore<StepRun>;
  pins: FlowPins;
  /** What people have seen of the steps' forms: problems of what they have not filled in yet stay unsaid. */
  attention: Attention;
  /** The rendered canvas: its visible area, and its commands. */
  view: {
    visibleBox: CanvasCommandsDeps["visibleBox"];
    showAll(durationMs?: number): void;
    /** The zoom at which the whole flow is shown. */
    zoomOfAll(): number;
    /** Opens the picker that connects the selected step, or this one. */
    askConnection(from?: { source: string; sourcePort: string }): void;
    /** Opens the picker for a step to insert into an edge, at a point of the screen. */
    askInsertion(edge: string, at: Point): void;
    /** Animates the changes that follow. */
    glide(): void;
    /** Brings the selected step's panel to the front. */
    showStep(): void;
    /** Takes the keyboard focus. */
    focus(): void;
  };
};

type SessionOptions = { isForeign?: boolean; pins?: Pins };

/** `isForeign`: drawn by another builder, so it is laid out again if its steps would overlap here. */
export function createCanvasSession(
  model: FlowModel,
  nodeTypes: readonly NodeType[],
  { isForeign = false, pins = {} }: SessionOptions = {},
): CanvasSession {
  const catalogue = createNodeCatalogue(nodeTypes);
  const editor = createFlowEditor(isForeign ? withoutOverlaps(model, catalogue) : model);
  const elements = createCanvasElements(editor, catalogue);
  const view: CanvasSession["view"] = {
    visibleBox: () => ({ x: 0, y: 0, width: 800, height: 600 }),
    showAll: () => undefined,
    zoomOfAll: () => 1,
    askConnection: () => undefined,
    askInsertion: () => undefined,
    glide: () => undefined,
    showStep: () => undefined,
    focus: () => undefined,
  };
  return {
    editor,
    catalogue,
    elements,
    view,
    commands: createCanvasCommands({
      editor,
      catalogue,
      elements,
      visibleBox: () => view.visibleBox(),
      showAll: () => view.showAll(),
      glide: () => view.glide(),
    }),
    findings: createKeyedStore(hasSameValue),
    runStates: createKeyedStore(),
    lastRun: createKeyedStore(hasSameValue),
    pins: createFlowPins(pins),
    attention: createAttention(() => editor.state().model.nodes.keys()),
  };
}

function hasSameValue<T>(a: T, b: T): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

const pasteOffset: Point = { x: 40, y: 40 };

type AddOptions = {
  /**
   * Position of its corner on the canvas. Default: next to the selection, otherwise in the middle of the visible area.
   */
  at?: Point | undefined;
  /** Incoming connections. */
  from?: { source: string; sourcePort: string } | undefined;
};

/** Actions on the canvas, triggered by a key, a menu or a button. Each is one undo step. */
type CanvasCommands = {
  add(type: NodeType, options?: AddOptions): void;
  /** Inserts a step into an edge; following steps make room. */
  insert(type: NodeType, edge: string): void;
  /** Connects, or returns the reason why it cannot. */
  connect(connection: Connection): string | undefined;
  whyNotConnect(connection: Connection): string | undefined;
  removeSelection(): void;
  /** The selected nodes as text; undefined if none is selected. */
  copySelection(): string | undefined;
  /** Pastes a text; returns false if it contains no part of a flow. */
  paste(text: string): boolean;
  duplicateSelection(): void;
  selectAll(): void;
  tidyUp(): void;
  /** After a drag: moves the node into the sub-flow that it was dropped on, or out of the one that it left. */
  settle(nodeId: string): void;
  /** Replaces the whole flow by an imported one, laid out if its steps would overlap. */
  replaceAll(model: FlowModel): void;
  /** Puts an earlier flow on the canvas, as an undo step of its own. */
  restore(model: FlowModel): void;
  /** Applies the differences of the other flow, as one undo step that further calls extend. Returns the flow. */
  reconcile(model: FlowModel): FlowModel;
};

type CanvasCommandsDeps = {
  editor: FlowEditor;
  catalogue: NodeCatalogue;
  elements: CanvasElements;
  /** The visible part of the canvas. */
  visibleBox(): Box;
  /** Moves and zooms the canvas to show the whole flow. */
  showAll(): void;
  glide(): void;
};

function createCanvasCommands(deps: CanvasCommandsDeps): CanvasCommands {
  const { editor, catalogue, elements } = deps;
  const model = () => editor.state().model;

  function paste(part: Parameters<typeof freshPart>[2], offset = pasteOffset): void {
    const fresh = freshPart(model(), catalogue, part, { offset });
    editor.edit(addElements(fresh.nodes, fresh.edges));
    elements.select(fresh.nodes.map(({ id }) => id));
  }

  const copySelection = () => {
    const ids = elements.selectedNodeIds();
    return ids.length === 0 ? undefined : copyToText(model(), ids);
  };

  return {
    add(type, options = {}) {
      const { changes, id } = addition(deps, type, options);
      editor.edit(changes);
      elements.select([id]);
    },
    insert(type, edge) {
      const inserted = insertion(model(), catalogue, type, edge);
      if (!inserted) return;
      deps.glide();
      editor.edit(inserted.changes);
      elements.select([inserted.id]);
    },
    whyNotConnect: (connection) => whyNotConnect(model(), catalogue, connection),
    connect(connection) {
      const reason = whyNotConnect(model(), catalogue, connection);
      if (reason === undefined) editor.edit(connect(model(), connection));
      return reason;
    },
    removeSelection() {
      editor.edit(removeElements(model(), elements.selectedNodeIds(), elements.selectedEdgeIds()));
    },
    copySelection,
    paste(text) {
      const part = parsePart(text);
      if (part) paste(part);
      return part !== undefined;
    },
    duplicateSelection() {
      const part = parsePart(copySelection() ?? "");
      if (part) paste(part);
    },
    selectAll: () => elements.select(model().nodes.keys()),
    tidyUp() {
      deps.glide();
      editor.edit(moveNodes(model(), layoutFlow(model(), catalogue)));
      deps.showAll();
    },
    settle(nodeId) {
      const node = model().nodes.get(nodeId);
      if (node && !catalogue.hasSubFlow(node)) editor.edit(settlement(deps, node));
    },
    reconcile(next) {
      editor.edit(changesTo(model(), next), "reconcile");
      return model();
    },
    restore(next) {
      editor.seal();
      editor.edit(changesTo(model(), next));
      deps.showAll();
    },
    replaceAll(next) {
      const { nodes, edges } = model();
      const clear = withoutOverlaps(next, catalogue);
      const changes = [
        ...removeElements(model(), nodes.keys(), edges.keys()),
        ...addElements([...clear.nodes.values()], [...clear.edges.values()]),
      ];
      editor.edit(changes);
      deps.showAll();
    },
  };
}

function addition(deps: CanvasCommandsDeps, type: NodeType, options: AddOptions) {
  const { editor, catalogue, elements, visibleBox } = deps;
  const { model } = editor.state();
  const id = newNodeId(type.type, model.nodes);
  const label = newLabel(writtenTitle(type), labelsOf(model));
  const plain: FlowNode = {
    id,
    type: type.type,
    version: type.version,
    label,
    position: { x: 0, y: 0 },
    config: newConfig(type.config),
  };
  const selected = elements.selectedNodeIds().map((nodeId) => model.nodes.get(nodeId));
  const only = selected.length === 1 ? selected[0] : undefined;
  const from = options.from ?? (options.at === undefined ? wayOut(model, catalogue, only) : undefined);
  const before = from ? model.nodes.get(from.source) : options.at === undefined ? only : undefined;
  const around = before?.parent ?? (options.at ? subFlowAt(deps, options.at, id)?.id : undefined);
  const node: FlowNode = around === undefined ? plain : { ...plain, parent: around };
  const origin = originOf(model, around);
  const size = sizeOf(node, model, catalogue);
  const wanted =
    options.at ?? (before ? besideOf(boxOf(model, catalogue, before), size) : middleOf(visibleBox(), size));
  const place = { x: wanted.x - origin.x, y: wanted.y - origin.y };
  const position = options.at ? toGrid(place) : freePlace(place, size, boxesOf(model, catalogue, around));
  const added = addElements([{ ...node, position }]);
  const grown = applyChanges(model, added);
  const connection = from ? { ...from, target: id } : undefined;
  const isConnected = connection && whyNotConnect(grown, catalogue, connection) === undefined;
  return { id, changes: [...added, ...(isConnected ? connect(grown, connection) : [])] };
}

/** The only free output of a node: a step added while the node is selected is connected to it. */
function wayOut(model: FlowModel, catalogue: NodeCatalogue, node: FlowNode | undefined) {
  if (!node) return undefined;
  const taken = [...model.edges.values()].some(
    ({ source, sourcePort }) => source === node.id && sourcePort === defaultPort,
  );
  return catalogue.hasPort(node, defaultPort) && !taken ? { source: node.id, sourcePort: defaultPort } : undefined;
}

function settlement(deps: CanvasCommandsDeps, node: FlowNode): Change[] {
  const { editor, catalogue } = deps;
  const { model } = editor.state();
  const box = boxOf(model, catalogue, node);
  const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const target = subFlowAt(deps, centre, node.id);
  return placeInside(model, node.id, target?.id);
}

/** The sub-flow under a point. */
function subFlowAt({ editor, catalogue }: CanvasCommandsDeps, point: Point, except: string) {
  const { model } = editor.state();
  return [...model.nodes.values()].find(
    (node) => node.id !== except && catalogue.hasSubFlow(node) && contains(boxOf(model, catalogue, node), point),
  );
}

function boxOf(model: FlowModel, catalogue: NodeCatalogue, node: FlowNode): Box {
  return { ...absolutePosition(model, node), ...sizeOf(node, model, catalogue) };
}

function originOf(model: FlowModel, parent: string | undefined): Point {
  const around = parent === undefined ? undefined : model.nodes.get(parent);
  return around ? absolutePosition(model, around) : { x: 0, y: 0 };
}

function middleOf(box: Box, size: { width: number; height: number }): Point {
  return { x: box.x + (box.width - size.width) / 2, y: box.y + (box.height - size.height) / 2 };
}

/** The state of a node in the watched run, as reported by the chat. */
export type NodeRunState = "running" | "finished" | "failed" | "waiting" | "rejected" | "stopped";
