import type { ChatMessage } from "@weft/client";

/** A conversation as the list shows it: by its newest message. */
export type SessionSummary = {
  sessionId: string;
  title: string;
  updatedDate: string;
  count: number;
  rating: "THUMBS_UP" | "THUMBS_DOWN" | undefined;
};

type Row = Pick<ChatMessage, "id" | "sessionId" | "role" | "content" | "createdDate">;

/**
 * The sessions of these messages, the one with the newest message first. `messages`: newest first. `ratings` by
 * message; a bad one takes precedence over a good one.
 */
export function groupSessions(
  messages: readonly Row[],
  ratings: ReadonlyMap<string, "THUMBS_UP" | "THUMBS_DOWN"> = new Map(),
): SessionSummary[] {
  return Array.from(
    Map.groupBy(messages, ({ sessionId }) => sessionId),
    ([sessionId, own]) => {
      const rated = own.map(({ id }) => ratings.get(id));
      const first = own.findLast(({ role, content }) => role === "userMessage" && content.trim() !== "");
      return {
        sessionId,
        title: first?.content.trim() ?? own.find(({ content }) => content.trim() !== "")?.content.trim() ?? "",
        updatedDate: own[0]?.createdDate ?? "",
        count: own.length,
        rating: rated.includes("THUMBS_DOWN") ? "THUMBS_DOWN" : rated.includes("THUMBS_UP") ? "THUMBS_UP" : undefined,
      };
    },
  );
}
