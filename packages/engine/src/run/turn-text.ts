import type { GraphNode } from "../flow/graph.ts";
import type { RunState } from "./run-state.ts";

/** Separator between the messages of one turn. */
export const betweenMessages = "\n\n";

/** Whether a node's text is always shown as a message of its own. */
export function isMessage({ type, config }: GraphNode): boolean {
  return type.answers !== "never" && config.reply === "always";
}

/** Whether a node's text can be the answer if it comes last. */
export function mayAnswer({ type, config }: GraphNode): boolean {
  return type.answers !== "never" && config.reply !== "never";
}

/** Everything a run has said since its last answer: its messages, then its answer or, if it waits, its question. */
export function turnText({ said, answer }: RunState, question?: string): string {
  const isSaid = answer !== null && said.some(({ nodeKey }) => nodeKey === answer.nodeKey);
  const last = question ?? (isSaid ? "" : (answer?.text ?? ""));
  return [...said.map(({ text }) => text), last].filter((text) => text !== "").join(betweenMessages);
}
