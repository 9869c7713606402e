import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

/** The catalogue changes only with the server's version. */
const staleTime = Number.POSITIVE_INFINITY;

export const nodeTypesQuery = queryOptions({
  queryKey: ["node-types"],
  queryFn: ({ signal }) => client.listNodeTypes({ signal }),
  staleTime,
});

/** The tools agents can call; they change only with the server's version. */
export const integrationsQuery = queryOptions({
  queryKey: ["integrations"],
  queryFn: ({ signal }) => client.listIntegrations({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
