/** What a node is doing in the run that is watched, as the chat tells it. */
export type NodeRunState = "running" | "finished" | "failed" | "waiting" | "rejected" | "stopped";
