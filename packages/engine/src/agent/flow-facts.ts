import type { JsonObject } from "@weft/schema";
import type { NodeContext } from "../node-type.ts";

/** What user code may read of the run as `$flow`. */
export function flowFactsOf(context: NodeContext): JsonObject {
  const { run } = context;
  return {
    chatflowId: run.agentId,
    chatId: run.chatId,
    sessionId: run.sessionId,
    executionId: run.runId,
    input: run.input.question ?? run.input.form ?? "",
    state: context.state,
  };
}
