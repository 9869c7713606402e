import { queryOptions } from "@tanstack/react-query";
import { createClient } from "@weft/client";
import { agentKeys } from "./agents.ts";
import { isApiError } from "./client.ts";

/** Sends no credentials, as a chat client on a website does. */
const visitor = createClient({ baseUrl: "" });

const unauthenticated = 401;

/** Whether this server lets visitors without a key chat with an agent. */
export const isOpenQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...agentKeys.one(agentId), "is-open"],
    staleTime: 0,
    async queryFn({ signal }) {
      try {
        await visitor.getChatConfig({ id: agentId }, { signal });
        return true;
      } catch (error) {
        if (isApiError(error) && error.status === unauthenticated) return false;
        throw error;
      }
    },
  });
