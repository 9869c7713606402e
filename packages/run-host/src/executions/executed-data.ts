import type { CompiledFlow } from "@weft/engine";
import type { Json, JsonObject, RunEvent, RunEventOf } from "@weft/schema";

type ExecutedFlow = Pick<CompiledFlow, "graph" | "flow">;

/** One executed step, in the shape that existing clients read as `agentFlowExecutedData`. */
export type ExecutedNode = {
  nodeId: string;
  nodeLabel: string;
  data: {
    id: string;
    name: string;
    output: Json;
    error?: string;
    state?: JsonObject;
    /** Not executed: the output was pinned or given. */
    pinned?: true;
    /** Of a step inside an iteration. */
    parentNodeId?: string;
    iterationIndex?: number;
  };
  previousNodeIds: string[];
  status: "FINISHED" | "ERROR" | "STOPPED" | "INPROGRESS";
};

/** The steps of a run, in the order in which they ended; a question only while it is open. */
export function toExecutedData(flow: ExecutedFlow, events: readonly RunEvent[]): ExecutedNode[] {
  const answered = new Set(events.flatMap((event) => (event.type === "node-resumed" ? [event.waitId] : [])));
  return events.flatMap((event) => {
    switch (event.type) {
      case "node-completed":
        return [toNode(flow, event, "FINISHED", completedData(event))];
      case "node-failed":
        return [toNode(flow, event, "ERROR", { output: {}, error: event.error.message })];
      case "node-suspended":
        if (answered.has(event.wait.waitId)) return [];
        return [toNode(flow, event, "STOPPED", { output: { content: event.wait.text } })];
      default:
        return [];
    }
  });
}

function completedData(event: RunEventOf<"node-completed">) {
  const { output, state, pinned } = event;
  return { output, ...(state === undefined ? {} : { state }), ...(pinned && { pinned }) };
}

function toNode(
  { graph, flow }: ExecutedFlow,
  event: { nodeId: string; nodeKey: string },
  status: ExecutedNode["status"],
  data: Omit<ExecutedNode["data"], "id" | "name">,
): ExecutedNode {
  const node = graph.nodes.get(event.nodeId);
  return {
    nodeId: event.nodeId,
    nodeLabel: node?.label ?? event.nodeId,
    data: { id: event.nodeId, name: node?.type.type ?? "unknown", ...data, ...itemOf(event.nodeKey) },
    previousNodeIds: flow.edges.filter((edge) => edge.target === event.nodeId).map((edge) => edge.source),
    status,
  };
}

/** The iteration item that a step belongs to: the innermost one. */
export function itemOf(nodeKey: string): Pick<ExecutedNode["data"], "parentNodeId" | "iterationIndex"> {
  const [, parentNodeId, index] = /(?:^|\/)([^/]*)#\d+\[(\d+)\]\/[^/]*$/.exec(nodeKey) ?? [];
  return parentNodeId === undefined ? {} : { parentNodeId, iterationIndex: Number(index) };
}
