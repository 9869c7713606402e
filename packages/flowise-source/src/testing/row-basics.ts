import { createHash } from "node:crypto";

export type FlowiseSizes = {
  agents: number;
  /** Half questions, half answers, ten in a chat. */
  messages: number;
  chunks: number;
  executions: number;
};

export type FlowiseValue = string | number | boolean | null;
/** Dates are ISO 8601 with milliseconds, flags are booleans. */
export type ContentRow = Readonly<Record<string, FlowiseValue>>;

export const workspaces = [
  { id: idOf("workspace", 0), name: "Default Workspace" },
  { id: idOf("workspace", 1), name: "Second Workspace" },
] as const;

/** The id of a row, which its kind and its number decide. */
export function idOf(kind: string, index: number): string {
  const hex = createHash("sha256").update(`${kind} ${index}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function ownedBy(workspace: number): { workspaceId: string } {
  return { workspaceId: workspaces[workspace === 1 ? 1 : 0].id };
}

const firstDay = Date.UTC(2025, 0, 1);
const minuteMs = 60_000;

export function dateOf(index: number, more = 0): string {
  return new Date(firstDay + index * minuteMs + more).toISOString();
}

export function datesOf(index: number): { createdDate: string; updatedDate: string } {
  return { createdDate: dateOf(index), updatedDate: dateOf(index + 1_000) };
}

export function workspaceOfAgent(index: number): number {
  return index % 5 === 4 ? 1 : 0;
}
