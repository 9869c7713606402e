import type { ChatMessage, Feedback } from "@weft/client";
import { messagesStrings } from "../../strings/messages.ts";
import { toCsv } from "./to-csv.ts";

type Row = {
  message: Pick<ChatMessage, "createdDate" | "sessionId" | "chatId" | "chatType" | "role" | "content" | "leadEmail">;
  feedback: Pick<Feedback, "rating" | "content"> | undefined;
};

/** Messages as a table for spreadsheets, a message in a row. */
export function toMessagesCsv(rows: readonly Row[]): string {
  const { columns, chatTypes, feedbacks, user, agent } = messagesStrings;
  return toCsv(
    Object.values(columns),
    rows.map(({ message, feedback }) => [
      message.createdDate,
      message.sessionId,
      message.chatId,
      chatTypes[message.chatType],
      message.role === "userMessage" ? user : agent,
      message.content,
      feedback ? feedbacks[feedback.rating] : "",
      feedback?.content ?? "",
      message.leadEmail,
    ]),
  );
}
