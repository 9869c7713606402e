import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

export const credentialKeys = { all: ["credentials"] as const };

export const credentialsQuery = queryOptions({
  queryKey: credentialKeys.all,
  queryFn: ({ signal }) => client.listCredentials({}, { signal }),
});

/** Kinds of credentials with their fields; they change with the server's version only. */
export const credentialTypesQuery = queryOptions({
  queryKey: ["credential-types"],
  queryFn: ({ signal }) => client.listCredentialTypes({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
