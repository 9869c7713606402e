import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

export const variableKeys = { all: ["variables"] as const };

export const variablesQuery = queryOptions({
  queryKey: variableKeys.all,
  queryFn: ({ signal }) => client.listVariables({ signal }),
});
