import { queryOptions } from "@tanstack/react-query";
import { agentKeys } from "./agents.ts";
import { client } from "./client.ts";

/** The saved flows of an agent, newest first, without the flows themselves. */
export const agentVersionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...agentKeys.one(id), "versions"],
    queryFn: ({ signal }) => client.listAgentVersions({ id }, { signal }),
    staleTime: 0,
  });

/** One saved flow, as `read` understands it. It never changes. */
export const agentVersionQuery = <T>(id: string, number: number, read: (flowData: string) => Promise<T>) =>
  queryOptions({
    queryKey: [...agentKeys.one(id), "versions", number],
    queryFn: async ({ signal }) => read((await client.getAgentVersion({ id, number }, { signal })).flowData),
    staleTime: Number.POSITIVE_INFINITY,
  });
