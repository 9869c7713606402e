import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

/** What the server's code offers; it changes with the server's version only. */
const staleTime = Number.POSITIVE_INFINITY;

export const nodeTypesQuery = queryOptions({
  queryKey: ["node-types"],
  queryFn: ({ signal }) => client.listNodeTypes({ signal }),
  staleTime,
});

/** What agents can call; it changes with the server's version only. */
export const integrationsQuery = queryOptions({
  queryKey: ["integrations"],
  queryFn: ({ signal }) => client.listIntegrations({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
