import type { RunEvent } from "@weft/schema";

/** A node of a test flow, in the sub-flow of the node `within`. */
export type FlowOfNode = { type: string; config?: object; within?: string };

/** A native flow of nodes by id, with a start node, and edges as in `start>a a:left>b`. */
export function flowOf(nodes: Record<string, FlowOfNode>, edges: string): string {
  const all = { start: { type: "start" }, ...nodes };
  return JSON.stringify({
    weft: 1,
    nodes: Object.entries<FlowOfNode>(all).map(([id, { type, config = {}, within }]) => ({
      id,
      type,
      label: id,
      config,
      ...(within === undefined ? {} : { parent: within }),
    })),
    edges: edges.split(/\s+/).map((edge, index) => {
      const [from = "", target = ""] = edge.split(">");
      const [source, sourcePort = "out"] = from.split(":");
      return { id: `e${index}`, source, sourcePort, target };
    }),
  });
}

/** A step that says a text and updates the state. */
export function say(message: string, state: Record<string, string> = {}, within?: string): FlowOfNode {
  const updateState = Object.entries(state).map(([key, value]) => ({ key, value }));
  return { type: "direct-reply", config: { message, updateState }, ...(within === undefined ? {} : { within }) };
}

/** Ids of the steps that ran, in the order in which they began. */
export function stepsOf(events: readonly RunEvent[]): string {
  return events.flatMap((event) => (event.type === "node-started" ? [event.nodeId] : [])).join(" ");
}
