import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

export const callerQuery = queryOptions({
  queryKey: ["caller"],
  queryFn: ({ signal }) => client.getCaller({ signal }),
  staleTime: 60_000,
});

export const versionQuery = queryOptions({
  queryKey: ["version"],
  queryFn: ({ signal }) => client.getVersion({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
