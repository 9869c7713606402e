import type { FlowNode } from "@weft/schema";
import { createContext, useContext, useDeferredValue, useSyncExternalStore } from "react";
import type { CanvasSession } from "./session/canvas-session.ts";
import type { EditorState } from "./session/flow-editor.ts";
import type { KeyedValues } from "./session/keyed-store.ts";

export const CanvasContext = createContext<CanvasSession | undefined>(undefined);

/** The open flow. Throws outside a canvas. */
export function useCanvas(): CanvasSession {
  const session = useContext(CanvasContext);
  if (!session) throw new Error("This component belongs into a canvas.");
  return session;
}

/** A selected part of the editor state; rerenders when it changes. */
export function useEditorState<T>(select: (state: EditorState) => T): T {
  const { editor } = useCanvas();
  return useSyncExternalStore(editor.subscribe, () => select(editor.state()));
}

export function useKeyed<T>(store: KeyedValues<T>, key: string): T | undefined {
  return useSyncExternalStore(
    (listener) => store.subscribe(key, listener),
    () => store.get(key),
  );
}

/**
 * The current state of the node, if exactly one is selected. Its form may be large, so the selection is drawn first.
 */
export function useSelectedNode(): FlowNode | undefined {
  const id = useDeferredValue(useSelectedNodeId());
  return useEditorState(({ model }) => (id === undefined ? undefined : model.nodes.get(id)));
}

export function useSelectedNodeId(): string | undefined {
  const { elements } = useCanvas();
  return useSyncExternalStore(elements.subscribe, () => {
    const ids = elements.selectedNodeIds();
    return ids.length === 1 ? ids[0] : undefined;
  });
}

/** The agent whose flow is open; absent where a flow is only shown. */
export const OpenAgentContext = createContext<string | undefined>(undefined);

/** Trials of single steps: they save the draft first, and calls with side effects wait for approval. */
export type StepTrials = {
  /**
   * Runs the step alone, with the preceding results of the agent's last run that reached it. Its values become those of
   * the last run. Rejects if no run can be used.
   */
  run(nodeId: string): Promise<void>;
  /** Answers a trial's step that waits for approval, and follows it further. */
  answer(nodeId: string, type: "proceed" | "reject"): Promise<void>;
  /** Saves the draft; resolves with whether that succeeded. */
  save(): Promise<boolean>;
};

/** Absent if nothing can be run. */
export const StepTrialsContext = createContext<StepTrials | undefined>(undefined);
