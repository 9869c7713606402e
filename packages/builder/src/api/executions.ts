import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Execution, ExecutionSummary, Operations, Stats } from "@weft/client";
import { client, queryClient } from "./client.ts";

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
    refetchInterval: ({ state }) => (state.data?.data.some((run) => isGoingOn(run) || isDue(run)) ? refreshMs : false),
  });

export const waitingPerPage = 25;
const waitingRefreshMs = 5_000;
const countRefreshMs = 15_000;

/** A page of the runs that wait for a person. Refetched while the tab is visible. */
export const waitingQuery = (page: number) =>
  queryOptions({
    queryKey: [...executionKeys.all, "waiting", page],
    async queryFn({ signal }) {
      const waiting = await client.listWaitingExecutions({ page, limit: waitingPerPage }, { signal });
      queryClient.setQueryData(waitingCountQuery.queryKey, waiting.total);
      return waiting;
    },
    placeholderData: keepPreviousData,
    refetchInterval: waitingRefreshMs,
  });

/** How many runs wait for a person. Reads no run, and only while the tab is visible. */
export const waitingCountQuery = queryOptions({
  queryKey: [...executionKeys.all, "waiting-count"],
  queryFn: async ({ signal }) => (await client.listWaitingExecutions({ limit: 0 }, { signal })).total,
  refetchInterval: countRefreshMs,
});

/** The id of an agent's last run; null: it has not run. */
export const lastExecutionQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...executionKeys.all, "last", agentId],
    async queryFn({ signal }) {
      const query = { agentflowId: agentId, page: 1, limit: 1, executionData: "false" } as const;
      const { data } = await client.listExecutions(query, { signal });
      return data[0]?.id ?? null;
    },
  });

const statsRefreshMs = 30_000;

/** Statistics of a time range. Refetched while the tab is visible. */
export const statsQuery = (range: Stats["range"], agentId?: string) =>
  queryOptions({
    queryKey: [...executionKeys.all, "stats", range, agentId],
    queryFn: ({ signal }) =>
      client.getStats({ range, ...(agentId !== undefined && { agentflowId: agentId }) }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: statsRefreshMs,
  });

/** Statistics of the last week and the last run of every agent that ever ran. Refetched while the tab is visible. */
export const agentStatsQuery = queryOptions({
  queryKey: [...executionKeys.all, "agent-stats"],
  queryFn: ({ signal }) => client.listAgentStats({ signal }),
  refetchInterval: statsRefreshMs,
});

const shortestRefreshMs = 700;

/** A run with its steps. Refetched while it is running, less often the more steps it has. */
export const executionQuery = (id: string) =>
  queryOptions({
    queryKey: executionKeys.one(id),
    queryFn: ({ signal }) => client.getExecution({ id }, { signal }),
    refetchInterval({ state: { data } }) {
      if (data === undefined) return false;
      if (!isGoingOn(data)) return data.waitsUntil === null ? false : msUntilDue(data.waitsUntil);
      return Math.max(shortestRefreshMs, Math.min(data.steps.length * 5, 10_000));
    },
  });

/** One step of a run with its complete values; null if the step is gone. */
export const wholeStepQuery = (id: string, nodeKey: string) =>
  queryOptions({
    queryKey: [...executionKeys.one(id), "whole", nodeKey],
    async queryFn({ signal }) {
      const { steps } = await client.getExecution({ id, wholeStep: nodeKey }, { signal });
      return steps.find((step) => step.nodeKey === nodeKey) ?? null;
    },
  });

/** Whether a run waiting for a time is about to continue. */
function isDue({ waitsUntil }: ExecutionSummary): boolean {
  return waitsUntil !== null && Date.parse(waitsUntil) - Date.now() <= longestPauseMs;
}

const longestPauseMs = 60_000;

/** Until then the run does not change, unless it is sent a signal. */
function msUntilDue(waitsUntil: string): number {
  return Math.max(shortestRefreshMs, Math.min(Date.parse(waitsUntil) - Date.now(), longestPauseMs));
}

export function isGoingOn({ state }: ExecutionSummary): boolean {
  return state === "INPROGRESS";
}

/** The messages of a run, oldest first. Refetched whenever the run changes. */
export const chatMessagesOfRunQuery = (run: Execution) =>
  queryOptions({
    queryKey: ["executions", "messages", run.id, run.updatedDate],
    placeholderData: keepPreviousData,
    async queryFn({ signal }) {
      const messages = await client.listChatMessages({ id: run.agentflowId, chatId: run.chatId }, { signal });
      return messages.filter(({ executionId }) => executionId === run.id);
    },
  });
