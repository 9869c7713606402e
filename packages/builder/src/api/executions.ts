import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Execution, Operations } from "@weft/client";
import { client } from "./client.ts";

/** Keys of everything about runs; invalidate `all` after a change to any. */
export const executionKeys = {
  all: ["executions"] as const,
  one: (id: string) => ["executions", "one", id] as const,
};

export type ExecutionQuery = NonNullable<Parameters<Operations["listExecutions"]>[0]>;

const refreshMs = 2_000;

/** A page of runs. Refetched while one of them is running. */
export const executionsQuery = (query: ExecutionQuery) =>
  queryOptions({
    queryKey: [...executionKeys.all, "list", query],
    queryFn: ({ signal }) => client.listExecutions({ ...query, executionData: "false" }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isGoingOn) ? refreshMs : false),
  });

const shortestRefreshMs = 700;

/** A run with its steps. Refetched while it is running, less often the more steps it has. */
export const executionQuery = (id: string) =>
  queryOptions({
    queryKey: executionKeys.one(id),
    queryFn: ({ signal }) => client.getExecution({ id }, { signal }),
    refetchInterval({ state: { data } }) {
      if (data === undefined || !isGoingOn(data)) return false;
      return Math.max(shortestRefreshMs, Math.min(data.steps.length * 5, 10_000));
    },
  });

export function isGoingOn({ state }: Pick<Execution, "state">): boolean {
  return state === "INPROGRESS";
}
