import type { HistoryMessage, JsonObject } from "@weft/schema";

export type MemorySession = { agentId: string; sessionId: string };

/** What a session left behind. */
export type Memory = {
  /**
   * Its messages, oldest first: at most the last `limit` (absent: all, up to the store's own bound), and with
   * `beforeRun` only those that were there when that run began.
   */
  messages(session: MemorySession & { limit?: number; beforeRun?: string }): Promise<HistoryMessage[]>;
  /** The flow's state at the end of the last run that ended before `beforeRun` began; empty when there was none. */
  lastState(session: MemorySession & { beforeRun: string }): Promise<JsonObject>;
};
