import { type Change, invertChanges, mergeChanges } from "./change.ts";

/** What can be undone and redone, a step at a time. */
export type History = {
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

export function createHistory(now: () => number = Date.now): History {
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
