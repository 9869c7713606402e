import type { PredictionFrame } from "@weft/client";

/** What a node of the flow is doing, as the canvas shows it. */
export type NodeRunState = "running" | "finished" | "failed" | "waiting" | "stopped";

/** Told of every change of a node's state. */
export type OnRunState = (nodeId: string, state: NodeRunState) => void;

const states: Record<string, NodeRunState> = {
  INPROGRESS: "running",
  FINISHED: "finished",
  ERROR: "failed",
  STOPPED: "waiting",
};

/** Turns the frames of one stream into states of nodes. What still runs when the stream is cancelled or fails is stopped. */
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
    if (frame.event !== "end") return;
    for (const nodeId of running) tell(nodeId, "stopped");
  };
}
