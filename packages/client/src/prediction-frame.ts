import type { Document, MessageAction, PredictionResult, UsedTool } from "./api.gen.ts";

/** One frame of a prediction's stream. `id` is what a reader reconnects with; later versions may send further events. */
export type PredictionFrame = { id: string } & (
  | { event: "start"; data: "" }
  /** A piece of the answer. */
  | { event: "token"; data: string }
  /** A piece of what another node than the answering one writes. */
  | { event: "nodeToken"; data: { nodeId: string; nodeKey: string; token: string } }
  /** A text that was begun is void: of the answer, or of what the node wrote, the first `keep` characters stay. */
  | { event: "restart"; data: { keep: number; nodeId?: string; nodeKey?: string } }
  | { event: "agentFlowEvent"; data: "INPROGRESS" | "FINISHED" | "ERROR" | "STOPPED" | "TERMINATED" }
  | { event: "nextAgentFlow"; data: { nodeId: string; nodeLabel: string; status: string; error?: string } }
  | { event: "calledTools"; data: UsedTool[] }
  | { event: "usedTools"; data: UsedTool[] }
  | { event: "sourceDocuments"; data: Document[] }
  | { event: "agentFlowExecutedData"; data: PredictionResult["agentFlowExecutedData"] }
  | { event: "usageMetadata"; data: { input_tokens: number; output_tokens: number; total_tokens: number } }
  /** What a human is asked before the run goes on. */
  | { event: "action"; data: MessageAction }
  | { event: "metadata"; data: PredictionMetadata }
  | { event: "error"; data: string }
  | { event: "abort"; data: "[DONE]" }
  | { event: "end"; data: "[DONE]" }
);

/** Names of what a prediction stored. */
export type PredictionMetadata = {
  chatId: string;
  chatMessageId: string;
  question?: string;
  sessionId: string;
  memoryType: string;
  executionId: string;
  /** JSON text of a list of messages that the user may send next. Absent: the agent suggests none. */
  followUpPrompts?: string;
};
