import type { ChatMessage } from "@weft/client";

/** A chat in the agent's history. `title`: its first known message. */
export type ChatSummary = { chatId: string; title: string; updatedDate: string; messageCount: number };

/** The chats that these messages belong to, the one with the newest message first. `messages`: the newest first. */
export function toChatList(
  messages: readonly Pick<ChatMessage, "chatId" | "role" | "content" | "createdDate">[],
): ChatSummary[] {
  return Array.from(
    Map.groupBy(messages, ({ chatId }) => chatId),
    ([chatId, own]) => ({
      chatId,
      title: own.findLast(({ role, content }) => role === "userMessage" && content.trim() !== "")?.content ?? "",
      updatedDate: own[0]?.createdDate ?? "",
      messageCount: own.length,
    }),
  );
}
