import { applyChanges, type Change } from "./change.ts";
import { emptyModel, type FlowModel } from "./flow-model.ts";
import { createHistory } from "./history.ts";

/** What is edited, as of one moment. A new object after every change. */
export type EditorState = {
  readonly model: FlowModel;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Whether the model differs from what was saved last. */
  readonly isDirty: boolean;
};

/** Holds a flow while it is edited. Knows no user interface; whatever shows the flow subscribes. */
export type FlowEditor = {
  state(): EditorState;
  subscribe(listener: () => void): () => void;
  /** Makes changes as one step, or as part of the last one where both have the same `mergeKey`. */
  edit(changes: readonly Change[], mergeKey?: string): void;
  /** What is done next is a step of its own. */
  seal(): void;
  undo(): void;
  redo(): void;
  /** Shows another flow. What was done before cannot be undone. */
  load(model: FlowModel): void;
  /** Remembers a model as the saved one. Changes made while it was being saved are still unsaved. */
  markSaved(model: FlowModel): void;
  /** Says that what is shown differs from what is stored, though nobody edited it: it was read from another format. */
  markUnsaved(): void;
};

export function createFlowEditor(initial: FlowModel = emptyModel, now?: () => number): FlowEditor {
  const history = createHistory(now);
  const listeners = new Set<() => void>();
  let saved: FlowModel | undefined = initial;
  let state: EditorState = { model: initial, canUndo: false, canRedo: false, isDirty: false };

  function show(model: FlowModel): void {
    const isDirty = saved === undefined || !isSame(saved, model);
    state = { model, canUndo: history.canUndo(), canRedo: history.canRedo(), isDirty };
    for (const listener of listeners) listener();
  }

  const take = (changes: readonly Change[] | undefined) => {
    if (changes) show(applyChanges(state.model, changes));
  };

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    edit(changes, mergeKey) {
      if (changes.length === 0) return;
      history.record(changes, mergeKey);
      take(changes);
    },
    seal: history.seal,
    undo: () => take(history.undo()),
    redo: () => take(history.redo()),
    load(model) {
      history.clear();
      saved = model;
      show(model);
    },
    markSaved(model) {
      saved = model;
      show(state.model);
    },
    markUnsaved() {
      saved = undefined;
      show(state.model);
    },
  };
}

/** By identity: undoing an edit brings back the very node that was there before it. */
function isSame(a: FlowModel, b: FlowModel): boolean {
  return a === b || (hasSameEntries(a.nodes, b.nodes) && hasSameEntries(a.edges, b.edges));
}

function hasSameEntries<T>(a: ReadonlyMap<string, T>, b: ReadonlyMap<string, T>): boolean {
  return a.size === b.size && [...a].every(([id, value]) => b.get(id) === value);
}
