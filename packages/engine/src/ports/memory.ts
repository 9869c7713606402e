import type { HistoryMessage, JsonObject, RunInput, UsedTool } from "@weft/schema";

/** A session of an agent and an owner: two owners with the same session id have two sessions. */
export type MemorySession = { agentId: string; owner: string; sessionId: string };

/**
 * A session's message, with its files as long as its run is kept. `readTools`: tools called in the turn that it
 * answers; absent if none.
 */
export type RememberedMessage = HistoryMessage & {
  files?: RunInput;
  readTools?(): Promise<readonly UsedTool[]>;
};

export type Memory = {
  /**
   * Its messages, oldest first: at most the last `limit` (absent: all, up to the store's own bound), and with
   * `beforeRun` only those that existed when that run began.
   */
  messages(session: MemorySession & { limit?: number; beforeRun?: string }): Promise<RememberedMessage[]>;
  /** The flow's state at the end of the last run that ended before `beforeRun` began; empty if there was none. */
  lastState(session: MemorySession & { beforeRun: string }): Promise<JsonObject>;
};
