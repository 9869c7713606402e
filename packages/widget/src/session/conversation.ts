import { type Answer as ChatAnswer, isUnderWay } from "@weft/conversation";
import type { Source } from "./to-sources.ts";

export type Attachment = { name: string };

/** `author`: the person who wrote it in place of the agent; empty: without a name. */
export type Answer = ChatAnswer<Source> & { rating?: "THUMBS_UP" | "THUMBS_DOWN"; author?: string };

/** A message and its answer. `key` is the message's Idempotency-Key, too. */
export type Turn = { key: string; question: string; attachments: readonly Attachment[]; answer: Answer };

/** The turn whose answer is under way. */
export function openTurn(turns: readonly Turn[]): Turn | undefined {
  return turns.findLast(({ answer }) => isUnderWay(answer));
}
