import type { Client } from "@weft/client";
import type { Conversation } from "./conversation.ts";
import { toTurns } from "./stored-turns.ts";

type Reader = Pick<Client, "listInternalChatMessages" | "listExecutions">;
type Chat = { agentId: string; chatId: string; signal: AbortSignal };

/** A stored chat. Empty if it has no messages yet. */
export async function loadChat(client: Reader, { agentId: id, chatId, signal }: Chat): Promise<Conversation> {
  const [messages, rated, executions] = await Promise.all([
    client.listInternalChatMessages({ id, chatId }, { signal }),
    client.listInternalChatMessages({ id, chatId, feedback: "true" }, { signal }),
    client.listExecutions({ agentflowId: id, chatId, limit: 100 }, { signal }),
  ]);
  const facts = { executions: executions.data, rated };
  return { chatId, turns: toTurns(messages, facts) };
}

/** Id of a chat's active run; undefined if there is none. */
export async function findRunning(client: Reader, { agentId, chatId, signal }: Chat): Promise<string | undefined> {
  const query = { agentflowId: agentId, chatId, state: "INPROGRESS", limit: 1 } as const;
  const { data } = await client.listExecutions(query, { signal });
  return data[0]?.id;
}
