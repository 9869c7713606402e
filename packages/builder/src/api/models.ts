import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

export const modelKeys = { providers: ["model-providers"], default: ["default-model"] } as const;

/** What answers where a flow names no model. */
export const defaultModelQuery = queryOptions({
  queryKey: modelKeys.default,
  queryFn: ({ signal }) => client.getDefaultModel({ signal }),
});

export const modelProvidersQuery = queryOptions({
  queryKey: modelKeys.providers,
  queryFn: ({ signal }) => client.listModelProviders({ signal }),
});
