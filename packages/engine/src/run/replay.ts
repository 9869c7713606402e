import type { NodeKey, Pin, RunEvent, RunEventOf } from "@weft/schema";
import type { Graph } from "../flow/graph.ts";
import { applyEvent } from "./fold.ts";
import { isReady } from "./readiness.ts";
import { emptyRunState, type NodeRun, type RunState } from "./run-state.ts";

/** One execution of a step; or a step: its last execution, or if it had none, the moment it could have started. */
export type ReplayPoint = { nodeKey: NodeKey } | { nodeId: string };

/** A step's output in a replay, in place of the original. The branch taken stays the same. */
export type ChangedOutput = Omit<Pin, "ports">;

export type ReplayRequest = {
  point: ReplayPoint;
  /** By node id: for the last execution of each step that had finished by then. Others are ignored. */
  outputs?: Readonly<Record<string, ChangedOutput>>;
};

export type ReplayStart = {
  /** The next execution. */
  nodeKey: NodeKey;
  /** The first events of the replay's journal. */
  events: RunEvent[];
  /** Whether it can start at once: another version of the flow may have earlier steps that have not run yet. */
  isReady: boolean;
};

/**
 * The part of a run's journal that a replay continues from, over the run's flow or another version of it: every
 * execution that had finished when the step began. Unfinished executions are dropped with their waits and start again.
 * Warnings are dropped too.
 * - `unreached`: the run never reached a point where the step could start.
 * - `changed`: a step that finished before is missing in this flow, or has moved within it.
 */
export function replayFrom(
  graph: Graph,
  events: readonly RunEvent[],
  { point, outputs = {} }: ReplayRequest,
): ReplayStart | "unreached" | "changed" {
  const start = findStart(events, point) ?? findReady(graph, events, point);
  if (typeof start !== "object") return start;
  const before = events.slice(0, start.index);
  const state = fold(graph, before);
  if (state === undefined) return "changed";
  const finished = before.filter(isOfStep(unfinishedKeys(state)));
  const kept = withOutputs(finished, outputs).map((event, index) => ({ ...event, seq: index + 1 }));
  const replayed = fold(graph, kept);
  if (replayed === undefined) return "changed";
  return { nodeKey: start.nodeKey, events: kept, isReady: readyNodes(graph, replayed).some(isNamed(start.nodeKey)) };
}

type Start = { nodeKey: NodeKey /** Of the first event that is not repeated. */; index: number };

function findStart(events: readonly RunEvent[], point: ReplayPoint): Start | undefined {
  const starts = events.filter((event) => event.type === "node-started");
  const last = starts.findLast((event) => "nodeId" in point && event.nodeId === point.nodeId);
  const nodeKey = "nodeKey" in point ? point.nodeKey : last?.nodeKey;
  // Repeated attempts start more than once.
  const index = events.findIndex((event) => event.type === "node-started" && event.nodeKey === nodeKey);
  return nodeKey === undefined || index < 0 ? undefined : { nodeKey, index };
}

/** The moment when a step that did not run could have started. */
function findReady(graph: Graph, events: readonly RunEvent[], point: ReplayPoint): Start | "unreached" | "changed" {
  if ("nodeKey" in point) return "unreached";
  const state = emptyRunState();
  for (const [index, event] of events.entries()) {
    if (!apply(state, graph, event)) return "changed";
    const ready = readyNodes(graph, state).find(({ nodeId }) => nodeId === point.nodeId);
    if (ready !== undefined) return { nodeKey: ready.key, index: index + 1 };
  }
  return "unreached";
}

function fold(graph: Graph, events: readonly RunEvent[]): RunState | undefined {
  const state = emptyRunState();
  return events.every((event) => apply(state, graph, event)) ? state : undefined;
}

/** False for an event of a step that this graph does not have there. */
function apply(state: RunState, graph: Graph, event: RunEvent): boolean {
  try {
    applyEvent(state, graph, event);
    return true;
  } catch {
    return false;
  }
}

function readyNodes(graph: Graph, { scopes }: RunState): NodeRun[] {
  return [...scopes.values()].flatMap((scope) =>
    [...scope.nodes.values()].filter((node) => isReady(graph, scope, node)),
  );
}

function isNamed(nodeKey: NodeKey): (node: NodeRun) => boolean {
  return ({ key }) => key === nodeKey;
}

function unfinishedKeys({ scopes }: RunState): ReadonlySet<NodeKey> {
  const nodes = [...scopes.values()].flatMap((scope) => [...scope.nodes.values()]);
  const open = nodes.filter(({ phase: { type } }) => type === "started" || type === "retrying" || type === "waiting");
  return new Set(open.map(({ key }) => key));
}

function isOfStep(unfinished: ReadonlySet<NodeKey>): (event: RunEvent) => boolean {
  return (event) => {
    if (event.type === "run-started") return true;
    if (event.type === "run-warned" || !("nodeKey" in event)) return false;
    return event.nodeKey !== null && !unfinished.has(event.nodeKey);
  };
}

function withOutputs(events: readonly RunEvent[], outputs: NonNullable<ReplayRequest["outputs"]>): RunEvent[] {
  const last = new Map(events.flatMap((event) => (event.type === "node-completed" ? [[event.nodeId, event]] : [])));
  return events.map((event) => {
    // The answer was a message in the chat of the replayed run.
    if (event.type === "node-resumed") return withoutTurn(event);
    if (event.type !== "node-completed" || last.get(event.nodeId) !== event) return event;
    const given = Object.hasOwn(outputs, event.nodeId) ? outputs[event.nodeId] : undefined;
    if (given === undefined) return event;
    const { text: _text, json: _json, messages, ...rest } = event;
    const { text, state = event.state } = given;
    return {
      ...rest,
      ...given,
      ...(state === undefined ? {} : { state }),
      ...(messages && text !== undefined ? { messages: [{ role: "apiMessage" as const, content: text }] } : {}),
      pinned: true as const,
    };
  });
}

function withoutTurn({ turn: _, ...event }: RunEvent & RunEventOf<"node-resumed">): RunEvent {
  return event;
}
