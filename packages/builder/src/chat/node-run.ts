import type { Json, PredictionFrame } from "@weft/client";

/** The state of a node during a run, as shown on the canvas. */
export type NodeRunState = "running" | "finished" | "failed" | "waiting" | "rejected" | "stopped";

/** Called on every change of a node's state. */
export type OnRunState = (nodeId: string, state: NodeRunState) => void;

const states: Record<string, NodeRunState> = {
  INPROGRESS: "running",
  FINISHED: "finished",
  ERROR: "failed",
  STOPPED: "waiting",
};

/**
 * Turns the frames of one stream into node states. Nodes still running when the stream is cancelled or fails are
 * stopped; a step rejected by a person is known only at the end.
 */
export function createNodeRuns(tell: OnRunState): (frame: PredictionFrame) => void {
  const running = new Set<string>();
  return (frame) => {
    if (frame.event === "nextAgentFlow") {
      const { nodeId, status } = frame.data;
      const state = states[status];
      if (state === undefined) return;
      if (state === "running") running.add(nodeId);
      else running.delete(nodeId);
      tell(nodeId, state);
    }
    for (const nodeId of rejectedIn(frame)) tell(nodeId, "rejected");
    if (frame.event !== "end") return;
    for (const nodeId of running) tell(nodeId, "stopped");
  };
}

function rejectedIn(frame: PredictionFrame): string[] {
  if (frame.event !== "agentFlowExecutedData") return [];
  return frame.data.flatMap(({ nodeId, data }) => (isRejected(data.output) ? [nodeId] : []));
}

function isRejected(output: Json): boolean {
  return output !== null && typeof output === "object" && !Array.isArray(output) && output.decision === "reject";
}
