import type { Tables } from "@weft/database";
import type { Reach } from "@weft/http/identity";
import { type ExpressionBuilder, sql } from "kysely";

/** Selects messages of an agent; absent fields do not restrict. Both dates are inclusive. */
export type MessageFilter = {
  messageId?: string | undefined;
  chatId?: string | undefined;
  sessionId?: string | undefined;
  memoryType?: string | undefined;
  chatType?: readonly string[] | undefined;
  /** Only messages with feedback of one of these ratings. */
  rated?: readonly string[] | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
  /** Only those within reach. */
  reach: Reach;
};

const textColumns = ["chatId", "sessionId", "memoryType"] as const satisfies readonly (keyof Tables["chatMessages"])[];

/** The filter as a condition. */
export function matches(filter: MessageFilter) {
  return (eb: ExpressionBuilder<Tables, "chatMessages">) =>
    eb.and([
      ...textColumns.flatMap((column) =>
        filter[column] === undefined ? [] : [eb(`chatMessages.${column}`, "=", filter[column])],
      ),
      ...(filter.reach.owners === "all" ? [] : [eb(ownerOf(filter), "in", filter.reach.owners)]),
      ...(filter.messageId === undefined ? [] : [eb("chatMessages.id", "=", filter.messageId)]),
      ...(filter.chatType === undefined ? [] : [eb("chatMessages.chatType", "in", filter.chatType)]),
      ...(filter.rated === undefined ? [] : [hasRating(eb, filter.rated)]),
      ...(filter.startDate === undefined ? [] : [eb("chatMessages.createdDate", ">=", filter.startDate)]),
      ...(filter.endDate === undefined ? [] : [eb("chatMessages.createdDate", "<=", filter.endDate)]),
    ]);
}

/** Matches the index of owners, if no other is narrower (migration 0020). */
function ownerOf({ sessionId, chatId, messageId }: MessageFilter) {
  const isNarrow = [sessionId, chatId, messageId].some((value) => value !== undefined);
  return isNarrow ? sql.ref<string>("chatMessages.owner") : sql<string>`"chatMessages"."owner" || ''`;
}

function hasRating({ exists, selectFrom }: ExpressionBuilder<Tables, "chatMessages">, ratings: readonly string[]) {
  return exists(
    selectFrom("feedback")
      .select("feedback.id")
      .whereRef("feedback.messageId", "=", "chatMessages.id")
      .where("feedback.rating", "in", ratings),
  );
}
