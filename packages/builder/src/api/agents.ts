import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

/** Keys of everything about agents; invalidate `all` after a change to any. */
export const agentKeys = {
  all: ["agents"] as const,
  one: (id: string) => ["agents", id] as const,
};

export const agentsQuery = queryOptions({
  queryKey: [...agentKeys.all, "list"],
  queryFn: ({ signal }) => client.listAgents({}, { signal }),
});

/** An agent with its entity tag, which `updateAgent` takes as `ifMatch`. */
export const agentQuery = (id: string) =>
  queryOptions({ queryKey: agentKeys.one(id), queryFn: ({ signal }) => fetchAgent(id, signal) });

/** Reads an agent and its entity tag. */
export async function fetchAgent(id: string, signal: AbortSignal) {
  let etag = "";
  const onResponse = (response: Response) => {
    etag = response.headers.get("etag") ?? "";
  };
  const agent = await client.getAgent({ id }, { signal, onResponse });
  return { agent, etag };
}
