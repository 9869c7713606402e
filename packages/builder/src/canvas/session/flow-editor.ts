import { applyChanges, type Change, invertChanges, mergeChanges } from "../model/edits.ts";
import { emptyModel, type FlowModel } from "../model/flow-model.ts";

/** A snapshot of the edited flow. A new object after every change. */
export type EditorState = {
  readonly model: FlowModel;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Whether the model differs from the last saved version. */
  readonly isDirty: boolean;
};

/** Holds a flow being edited. Independent of the user interface; views subscribe to it. */
export type FlowEditor = {
  state(): EditorState;
  subscribe(listener: () => void): () => void;
  /** Makes changes as one undo step, or as part of the previous one if both have the same `mergeKey`. */
  edit(changes: readonly Change[], mergeKey?: string): void;
  /** Starts a new undo step with the next change. */
  seal(): void;
  undo(): void;
  redo(): void;
  /** Shows another flow. Earlier changes can no longer be undone. */
  load(model: FlowModel): void;
  /** Remembers a model as the saved one. Changes made while it was being saved are still unsaved. */
  markSaved(model: FlowModel): void;
  /** Marks the flow as different from the stored one without an edit: it was converted from another format. */
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

/** By identity: undoing an edit restores the identical node. */
function isSame(a: FlowModel, b: FlowModel): boolean {
  return a === b || (hasSameEntries(a.nodes, b.nodes) && hasSameEntries(a.edges, b.edges));
}

function hasSameEntries<T>(a: ReadonlyMap<string, T>, b: ReadonlyMap<string, T>): boolean {
  return a.size === b.size && [...a].every(([id, value]) => b.get(id) === value);
}

/** The undo and redo history, in steps. */
type History = {
  /**
   * Records changes. Changes with the `mergeKey` of the previous step, made shortly after it, are merged into it:
   * typing a word or nudging a node is one step.
   */
  record(changes: readonly Change[], mergeKey?: string): void;
  /** Ends the current undo step: the next recorded change starts a new one. */
  seal(): void;
  /** The changes that undo the last step; undefined if there is none. */
  undo(): Change[] | undefined;
  /** The changes of the step undone last; undefined if there is none. */
  redo(): readonly Change[] | undefined;
  canUndo(): boolean;
  canRedo(): boolean;
  clear(): void;
};

type Step = { changes: readonly Change[]; mergeKey: string | undefined; atMs: number };

const maxSteps = 500;
const mergeWithinMs = 1_000;

function createHistory(now: () => number = Date.now): History {
  let done: Step[] = [];
  let undone: Step[] = [];
  const seal = () => {
    const last = done.at(-1);
    if (last) last.mergeKey = undefined;
  };

  return {
    seal,
    record(changes, mergeKey) {
      if (changes.length === 0) return;
      undone = [];
      const last = done.at(-1);
      if (last && mergeKey !== undefined && last.mergeKey === mergeKey && now() - last.atMs <= mergeWithinMs) {
        last.changes = mergeChanges(last.changes, changes);
        last.atMs = now();
        if (last.changes.length === 0) done.pop();
        return;
      }
      done.push({ changes, mergeKey, atMs: now() });
      if (done.length > maxSteps) done.shift();
    },
    undo() {
      const step = done.pop();
      if (!step) return undefined;
      undone.push(step);
      seal();
      return invertChanges(step.changes);
    },
    redo() {
      const step = undone.pop();
      if (!step) return undefined;
      done.push({ ...step, mergeKey: undefined });
      return step.changes;
    },
    canUndo: () => done.length > 0,
    canRedo: () => undone.length > 0,
    clear() {
      done = [];
      undone = [];
    },
  };
}
