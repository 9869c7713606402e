import type { ExecutionEffect, ExecutionStep, NodeType } from "@weft/client";
import { shownLabel } from "../../../described/node-title.ts";
import { executionStrings } from "../../../strings.ts";

type TimelineStatus = ExecutionStep["status"];

/** Milliseconds since the epoch; `endMs` is null while it is running. */
export type Span = { startMs: number; endMs: number | null };

type Wait = Span & { asksPerson: boolean };

/** The subject of a row in the timeline. */
export type TimelineSource =
  | { type: "step"; step: ExecutionStep }
  | { type: "effect"; effect: ExecutionEffect; step: ExecutionStep; index: number }
  /** One item of an iteration, or one call of the sub-flow. */
  | { type: "item"; index: number };

/** A step, an item of an iteration or an effect, with what happened inside it, in the order in which it began. */
export type TimelineNode = Span & {
  key: string;
  source: TimelineSource;
  status: TimelineStatus;
  /** When it waited, and whether for a person. */
  waits: readonly Wait[];
  children: TimelineNode[];
};

/** The steps of a run as a tree: effects below their steps, the steps of an iteration below its items. */
export function toTimelineTree(steps: readonly ExecutionStep[]): TimelineNode[] {
  const roots: TimelineNode[] = [];
  const nodes = new Map<string, TimelineNode>();

  /** The row of an item, made when its first step begins. */
  function itemOf(owner: TimelineNode, index: number): TimelineNode {
    const key = `${owner.key}[${index}]`;
    const known = nodes.get(key);
    if (known) return known;
    const item: TimelineNode = {
      key,
      source: { type: "item", index },
      status: "FINISHED",
      startMs: Number.POSITIVE_INFINITY,
      endMs: Number.NEGATIVE_INFINITY,
      waits: [],
      children: [],
    };
    nodes.set(key, item);
    owner.children.push(item);
    return item;
  }

  for (const step of steps) {
    const node = toStepNode(step);
    nodes.set(node.key, node);
    const { owner, index } = ownerOf(step.nodeKey);
    const parent = owner === undefined ? undefined : nodes.get(owner);
    if (parent === undefined) roots.push(node);
    else {
      const item = itemOf(parent, index);
      item.children.push(node);
      enclose(item, node);
    }
  }
  return roots;
}

/** How many times the node had run before in its place: 0 unless a loop came back. Source: the key's form in the journal. */
export function passOf(nodeKey: string): number {
  return Number(/#(\d+)$/.exec(nodeKey)?.[1] ?? 0);
}

/** The iteration that a step is in, and which item of it. */
function ownerOf(nodeKey: string): { owner?: string; index: number } {
  const [, owner, index] = /^(.*)\[(\d+)\]\/[^/]*$/.exec(nodeKey) ?? [];
  return owner === undefined ? { index: 0 } : { owner, index: Number(index) };
}

function toStepNode(step: ExecutionStep): TimelineNode {
  const { nodeKey, status, waits, effects } = step;
  return {
    key: nodeKey,
    source: { type: "step", step },
    status,
    ...toSpan(step),
    waits: waits.map((wait) => ({ ...toSpan(wait), asksPerson: wait.asks !== false })),
    children: effects.map((effect, index) => toEffectNode(effect, step, index)),
  };
}

function toEffectNode(effect: ExecutionEffect, step: ExecutionStep, index: number): TimelineNode {
  return {
    key: `${step.nodeKey}:${index}`,
    source: { type: "effect", effect, step, index },
    status: effectStatus(effect, step.status),
    ...toSpan(effect),
    waits: [],
    children: [],
  };
}

/** Anything started and not finished shares the state of its step. */
function effectStatus({ error, finishedAt, output }: ExecutionEffect, stepStatus: TimelineStatus): TimelineStatus {
  if (error !== null) return "ERROR";
  if (finishedAt === null) return stepStatus === "INPROGRESS" ? "INPROGRESS" : "TERMINATED";
  const isObject = output !== null && typeof output === "object" && !Array.isArray(output);
  return isObject && output.isError === true ? "ERROR" : "FINISHED";
}

function toSpan({ startedAt, finishedAt }: { startedAt: string; finishedAt: string | null }): Span {
  return { startMs: Date.parse(startedAt), endMs: finishedAt === null ? null : Date.parse(finishedAt) };
}

const worst: readonly TimelineStatus[] = ["FINISHED", "TERMINATED", "STOPPED", "INPROGRESS", "ERROR"];

function enclose(item: TimelineNode, { startMs, endMs, status }: TimelineNode): void {
  item.startMs = Math.min(item.startMs, startMs);
  item.endMs = item.endMs === null || endMs === null ? null : Math.max(item.endMs, endMs);
  if (worst.indexOf(status) > worst.indexOf(item.status)) item.status = status;
}

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
export function rowLabel({ source }: TimelineNode, types: readonly NodeType[] = []): { label: string; more: string } {
  switch (source.type) {
    case "item":
      return { label: executionStrings.item({ number: source.index + 1 }), more: "" };
    case "effect":
      return { label: source.effect.name, more: executionStrings.categories[source.effect.category] };
    case "step": {
      const pass = passOf(source.step.nodeKey);
      const type = types.find((one) => one.type === source.step.type);
      return {
        label: shownLabel(source.step.nodeLabel, type),
        more: pass === 0 ? "" : executionStrings.pass({ number: pass + 1 }),
      };
    }
  }
}

/** The node of the flow that a row is about; undefined for an item, which is none. */
export function nodeIdOf({ source }: TimelineNode): string | undefined {
  return source.type === "item" ? undefined : source.step.nodeId;
}

type Used = { tokens: number; costDollars: number | null };

/** What a row used. The cost is null where nothing was used, or a model has no known price. */
export function usedBy({ source, children }: TimelineNode): Used {
  if (source.type === "item") return sumOf(children.map(usedBy));
  const { usage, costDollars } = source.type === "step" ? source.step : source.effect;
  const own = { tokens: usage?.totalTokens ?? 0, costDollars };
  // A step counts its own calls; those of its items are theirs.
  return sumOf([own, ...children.filter((child) => child.source.type === "item").map(usedBy)]);
}

function sumOf(parts: readonly Used[]): Used {
  const used = parts.filter(({ tokens, costDollars }) => tokens > 0 || costDollars !== null);
  const isKnown = used.length > 0 && used.every(({ costDollars }) => costDollars !== null);
  return {
    tokens: used.reduce((sum, { tokens }) => sum + tokens, 0),
    costDollars: isKnown ? used.reduce((sum, { costDollars }) => sum + (costDollars ?? 0), 0) : null,
  };
}

/** How long a row has worked: without its waits. */
export function workMsOf({ startMs, endMs, waits }: TimelineNode, nowMs: number): number {
  const lengthOf = (span: Span) => Math.max(0, (span.endMs ?? Math.max(span.startMs, nowMs)) - span.startMs);
  return Math.max(0, lengthOf({ startMs, endMs }) - waits.reduce((sum, wait) => sum + lengthOf(wait), 0));
}

/** What is toggled once a row is to be seen: all that is around it is open. */
export function toOpened(
  roots: readonly TimelineNode[],
  key: string,
  toggled: ReadonlySet<string>,
): ReadonlySet<string> {
  const next = new Set(toggled);
  for (const node of around(roots, key) ?? []) {
    const isOpen = isOpenAtFirst(node) !== toggled.has(node.key);
    if (!isOpen && !next.delete(node.key)) next.add(node.key);
  }
  return next;
}

/** The rows around a row, from the outside; undefined where the row is not there. */
function around(roots: readonly TimelineNode[], key: string): TimelineNode[] | undefined {
  for (const root of roots) {
    if (root.key === key) return [];
    const inside = around(root.children, key);
    if (inside !== undefined) return [root, ...inside];
  }
  return undefined;
}

/** The step that a node of the flow leads to: its last one, or where one of them is chosen already, the one before. */
export function stepOfNode(
  steps: readonly TimelineNode[],
  { nodeId, after }: { nodeId: string; after: TimelineNode | undefined },
): TimelineNode | undefined {
  const own = steps.filter((node) => nodeIdOf(node) === nodeId);
  const at = own.findIndex(({ key }) => key === after?.key);
  return own[at - 1] ?? own.at(-1);
}

/** Every step below these rows, however folded they are, in the order in which they began. */
export function stepsIn(roots: readonly TimelineNode[]): TimelineNode[] {
  return roots.flatMap((node) => [...(node.source.type === "step" ? [node] : []), ...stepsIn(node.children)]);
}
