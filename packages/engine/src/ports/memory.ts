import type { HistoryMessage, JsonObject, RunInput, UsedTool } from "@weft/schema";

/** A session of an agent and an owner: of the same id two owners have two. */
export type MemorySession = { agentId: string; owner: string; sessionId: string };

/**
 * A message of a session, with the files that came with it as long as its run is kept. `readTools`: what the turn that it
 * answers called; absent where it called nothing.
 */
export type RememberedMessage = HistoryMessage & {
  files?: Pick<RunInput, "uploads" | "fileAttachment">;
  readTools?(): Promise<readonly UsedTool[]>;
};

/** What a session left behind. */
export type Memory = {
  /**
   * Its messages, oldest first: at most the last `limit` (absent: all, up to the store's own bound), and with
   * `beforeRun` only those that were there when that run began.
   */
  messages(session: MemorySession & { limit?: number; beforeRun?: string }): Promise<RememberedMessage[]>;
  /** The flow's state at the end of the last run that ended before `beforeRun` began; empty when there was none. */
  lastState(session: MemorySession & { beforeRun: string }): Promise<JsonObject>;
};
