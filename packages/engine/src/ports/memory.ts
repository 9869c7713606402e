import type { HistoryMessage } from "@weft/schema";

/** The stored messages of a session, oldest first. */
export type Memory = {
  /** At most the last `limit` messages. Absent: all, up to the store's own bound. */
  messages(session: { agentId: string; sessionId: string; limit?: number }): Promise<HistoryMessage[]>;
};
