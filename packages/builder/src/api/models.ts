import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

export const modelKeys = { providers: ["model-providers"], default: ["default-model"] } as const;

/** The model used when a flow specifies none. */
export const defaultModelQuery = queryOptions({
  queryKey: modelKeys.default,
  queryFn: ({ signal }) => client.getDefaultModel({ signal }),
});

export const modelProvidersQuery = queryOptions({
  queryKey: modelKeys.providers,
  queryFn: ({ signal }) => client.listModelProviders({ signal }),
});
