import { queryOptions } from "@tanstack/react-query";
import { client } from "../api/client.ts";

const refreshMs = 30_000;
const mostShown = 50;

/** What needs a person, open ones first. Refetched while the tab is visible. */
export const noticesQuery = queryOptions({
  queryKey: ["notices"],
  queryFn: ({ signal }) => client.listNotices({ limit: mostShown }, { signal }),
  refetchInterval: refreshMs,
});
