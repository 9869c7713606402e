import type { Tables } from "@weft/database";
import type { Reach } from "@weft/http/identity";
import type { ExpressionBuilder } from "kysely";

/** The reachable chats of an agent with one id: there may be several, each with its own owner. */
export type ReachedChat = { agentId: string; chatId: string; reach: Reach };

export function isOfChat({ agentId, chatId, reach }: ReachedChat) {
  return (eb: ExpressionBuilder<Tables, "runs">) =>
    eb.and([eb("runs.agentId", "=", agentId), eb("runs.chatId", "=", chatId), isReached(reach)(eb)]);
}

export function isReached({ owners, agents }: Reach) {
  return (eb: ExpressionBuilder<Tables, "runs">) =>
    eb.and([
      ...(owners === "all" ? [] : [eb("runs.owner", "in", owners)]),
      ...(agents === "all" ? [] : [eb("runs.agentId", "in", [...agents])]),
    ]);
}
