import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

export const apiKeyKeys = { all: ["api-keys"] as const };

export const apiKeysQuery = queryOptions({
  queryKey: apiKeyKeys.all,
  queryFn: ({ signal }) => client.listApiKeys({ signal }),
});
