import { queryOptions } from "@tanstack/react-query";
import { client } from "../api/client.ts";

/** Settings of the chat with an agent, or with its draft: its appearance and accepted input. */
export const chatConfigQuery = (agentId: string, isDraft: boolean) =>
  queryOptions({
    queryKey: ["agents", agentId, "chat-config", isDraft],
    queryFn: ({ signal }) =>
      client.getChatConfig({ id: agentId, ...(isDraft && { draft: "true" as const }) }, { signal }),
  });
