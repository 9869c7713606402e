import { applyChanges, type Change, invertChanges, mergeChanges } from "./change.ts";
import { emptyModel, type FlowModel } from "./flow-model.ts";

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

/** What can be undone and redone, a step at a time. */
type History = {
  /**
   * Records changes that were made. Those with the `mergeKey` of the step before them, made soon after it, become part
   * of it: typing a word or nudging a node is one step.
   */
  record(changes: readonly Change[], mergeKey?: string): void;
  /** Ends the present step: what is recorded next is a step of its own. */
  seal(): void;
  /** The changes that take the last step back; undefined when there is none. */
  undo(): Change[] | undefined;
  /** The changes of the step that was taken back last; undefined when there is none. */
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
