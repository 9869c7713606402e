import type { Finding } from "@weft/schema";
import { type CanvasCommands, type CanvasCommandsDeps, createCanvasCommands } from "./canvas-commands.ts";
import { type CanvasElements, createCanvasElements } from "./canvas-elements.ts";
import { createKeyedStore, type KeyedStore } from "./keyed-store.ts";
import { createFlowEditor, type FlowEditor } from "./model/flow-editor.ts";
import type { FlowModel } from "./model/flow-model.ts";
import type { NodeCatalogue } from "./model/node-catalogue.ts";
import type { NodeRunState } from "./node-run-state.ts";

/** Everything about one flow that is open on a canvas. Nothing of it is React state: what shows a part subscribes to it. */
export type CanvasSession = {
  editor: FlowEditor;
  catalogue: NodeCatalogue;
  elements: CanvasElements;
  commands: CanvasCommands;
  /** Findings by the node that has them. */
  findings: KeyedStore<readonly Finding[]>;
  runStates: KeyedStore<NodeRunState>;
  /** The canvas that is drawn: which part of it is seen, and what it can be told to do. */
  view: {
    visibleBox: CanvasCommandsDeps["visibleBox"];
    showAll(durationMs?: number): void;
    /** Asks what the selected step leads to. */
    askConnection(): void;
    /** Takes the focus, and with it the keys. */
    focus(): void;
  };
};

export function createCanvasSession(model: FlowModel, catalogue: NodeCatalogue): CanvasSession {
  const editor = createFlowEditor(model);
  const elements = createCanvasElements(editor, catalogue);
  const view: CanvasSession["view"] = {
    visibleBox: () => ({ x: 0, y: 0, width: 800, height: 600 }),
    showAll: () => undefined,
    askConnection: () => undefined,
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
    }),
    findings: createKeyedStore(hasSameFindings),
    runStates: createKeyedStore(),
  };
}

function hasSameFindings(a: readonly Finding[] | undefined, b: readonly Finding[] | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
