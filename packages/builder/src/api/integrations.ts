import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

/** What agents can call; it changes with the server's version only. */
export const integrationsQuery = queryOptions({
  queryKey: ["integrations"],
  queryFn: ({ signal }) => client.listIntegrations({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
