import { executionStrings } from "../strings/executions.ts";
import { passOf, type TimelineNode } from "./timeline-tree.ts";

export type TimelineRow = { node: TimelineNode; depth: number; isOpen: boolean };

/** Iterations of more items than this are folded until they are opened. */
const foldedFrom = 12;

/** The rows that are shown. `toggled`: keys of those that are not as they are at first. */
export function toTimelineRows(roots: readonly TimelineNode[], toggled: ReadonlySet<string>): TimelineRow[] {
  const rows: TimelineRow[] = [];
  function add(node: TimelineNode, depth: number): void {
    const isOpen = isOpenAtFirst(node) !== toggled.has(node.key);
    rows.push({ node, depth, isOpen });
    if (isOpen) for (const child of node.children) add(child, depth + 1);
  }
  for (const root of roots) add(root, 0);
  return rows;
}

/** The row that a reader looks for first: what failed, what waits, else the one before the end that has most to tell. */
export function firstChoice(rows: readonly TimelineRow[]): string | undefined {
  const failed = rows.findLast(({ node }) => node.status === "ERROR" && node.source.type === "step");
  const open = rows.findLast(({ node }) => node.status === "STOPPED" || node.status === "INPROGRESS");
  return (failed ?? open ?? rows.findLast(({ node }) => node.source.type === "step"))?.node.key;
}

/** Failures are expanded, however long the list is. */
function isOpenAtFirst({ children, source, status }: TimelineNode): boolean {
  if (children.length === 0) return false;
  if (source.type === "item") return status !== "FINISHED";
  return children.length <= foldedFrom;
}

/** The name of a row; `more` distinguishes it from others with the same name. */
export function rowLabel({ source }: TimelineNode): { label: string; more: string } {
  switch (source.type) {
    case "item":
      return { label: executionStrings.item(source.index), more: "" };
    case "effect":
      return { label: source.effect.name, more: executionStrings.categories[source.effect.category] };
    case "step": {
      const pass = passOf(source.step);
      return { label: source.step.nodeLabel, more: pass === 0 ? "" : executionStrings.pass(pass) };
    }
  }
}
