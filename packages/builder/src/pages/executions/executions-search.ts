import type { ExecutionSummary } from "@weft/client";
import type { ExecutionQuery } from "../../api/executions.ts";

export type ExecutionState = ExecutionSummary["state"];

const states: readonly ExecutionState[] = ["INPROGRESS", "FINISHED", "ERROR", "TIMEOUT", "TERMINATED", "STOPPED"];

/** The search parameters of the list: filters and page. Dates are days in the reader's time zone. */
export type ExecutionsSearch = {
  agent?: string;
  agentId?: string;
  state?: ExecutionState;
  session?: string;
  from?: string;
  until?: string;
  page?: number;
};

export const runsPerPage = 25;

/** Parses the search parameters and ignores unknown ones. */
export function readExecutionsSearch(search: Record<string, unknown>): ExecutionsSearch {
  const { state, page } = search;
  const pageNumber = Number(page);
  return {
    ...textsOf(search),
    ...(isState(state) && { state }),
    ...(Number.isInteger(pageNumber) && pageNumber > 1 && { page: pageNumber }),
  };
}

/** The question to the API. The last day is a whole one. */
export function toExecutionQuery({
  agent,
  agentId,
  state,
  session,
  from,
  until,
  page = 1,
}: ExecutionsSearch): ExecutionQuery {
  return {
    page,
    limit: runsPerPage,
    ...(agent !== undefined && { agentflowName: agent }),
    ...(agentId !== undefined && { agentflowId: agentId }),
    ...(state !== undefined && { state }),
    ...(session !== undefined && { sessionId: session }),
    ...(from !== undefined && { startDate: new Date(`${from}T00:00:00`).toISOString() }),
    ...(until !== undefined && { endDate: new Date(`${until}T23:59:59.999`).toISOString() }),
  };
}

export function hasFilters({ page: _, ...filters }: ExecutionsSearch): boolean {
  return Object.keys(filters).length > 0;
}

function isState(value: unknown): value is ExecutionState {
  return states.some((state) => state === value);
}

function textsOf(
  search: Record<string, unknown>,
): Pick<ExecutionsSearch, "agent" | "agentId" | "session" | "from" | "until"> {
  const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
  const isDay = (value: unknown): value is string => isText(value) && !Number.isNaN(Date.parse(`${value}T00:00:00`));
  // An address made of digits is read as a number.
  const { agent, agentId, from, until } = search;
  const session = typeof search.session === "number" ? String(search.session) : search.session;
  return {
    ...(isText(agent) && { agent }),
    ...(isText(agentId) && { agentId }),
    ...(isText(session) && { session }),
    ...(isDay(from) && { from }),
    ...(isDay(until) && { until }),
  };
}
