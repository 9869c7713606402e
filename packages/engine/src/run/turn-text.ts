import type { GraphNode } from "../flow/graph.ts";
import type { RunState } from "./run-state.ts";

/** What stands between the messages of one turn. */
export const betweenMessages = "\n\n";

/** Whether a node's text is shown as a message of its own, whatever follows. */
export function isMessage({ type, config }: GraphNode): boolean {
  return type.answers !== "never" && config.reply === "always";
}

/** Whether a node's text can be the answer when it is the last. */
export function mayAnswer({ type, config }: GraphNode): boolean {
  return type.answers !== "never" && config.reply !== "never";
}

/**
 * All that a run has said since it was last answered: its messages, and after them its answer or, where it waits, what
 * it asks.
 */
export function turnText({ said, answer }: RunState, question?: string): string {
  const isSaid = answer !== null && said.some(({ nodeKey }) => nodeKey === answer.nodeKey);
  const last = question ?? (isSaid ? "" : (answer?.text ?? ""));
  return [...said.map(({ text }) => text), last].filter((text) => text !== "").join(betweenMessages);
}
