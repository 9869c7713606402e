import type { ExecutionSummary } from "@weft/client";
import type { ExecutionQuery } from "../../api/executions.ts";

export type ExecutionState = ExecutionSummary["state"];
export type ExecutionOrigin = ExecutionSummary["origin"];

const states: readonly ExecutionState[] = ["INPROGRESS", "FINISHED", "ERROR", "TIMEOUT", "TERMINATED", "STOPPED"];
const origins: readonly ExecutionOrigin[] = ["builder", "api", "visitor", "schedule", "webhook"];

/** The search parameters of the list: filters and page. Dates are days in the reader's time zone. */
export type ExecutionsSearch = {
  /** Part of the question or the session's id, or the beginning of the run's id. */
  q?: string;
  agent?: string;
  agentId?: string;
  state?: ExecutionState;
  origin?: ExecutionOrigin;
  session?: string;
  from?: string;
  until?: string;
  /** Only runs that started lately. */
  range?: StatsRange;
  page?: number;
  /** Rows of a page, if they are not as many as at first. */
  size?: PageSize;
};

export type StatsRange = "24h" | "7d" | "30d";

const hourMs = 3_600_000;
const rangesMs: Record<StatsRange, number> = { "24h": 24 * hourMs, "7d": 7 * 24 * hourMs, "30d": 30 * 24 * hourMs };

/** How many rows a page may have; at first the fewest. */
export const pageSizes = [25, 50, 100] as const;
export type PageSize = (typeof pageSizes)[number];
export const defaultPageSize = pageSizes[0];
/** In characters; the server takes no more. */
const longestSearch = 200;

/** Parses the search parameters and ignores unknown ones. */
export function readExecutionsSearch(search: Record<string, unknown>): ExecutionsSearch {
  const { range, page } = search;
  const size = pageSizes.find((each) => each === Number(search.size));
  const [state, origin] = [oneOf(states, search.state), oneOf(origins, search.origin)];
  const pageNumber = Number(page);
  return {
    ...textsOf(search),
    ...(state !== undefined && { state }),
    ...(origin !== undefined && { origin }),
    ...(isRange(range) && { range }),
    ...(Number.isInteger(pageNumber) && pageNumber > 1 && { page: pageNumber }),
    ...(size !== undefined && size !== defaultPageSize && { size }),
  };
}

/** The question to the API. The last day is a whole one; what happened lately is counted from the last full minute. */
export function toExecutionQuery(
  { q, agent, agentId, state, origin, session, from, until, range, page = 1, size = defaultPageSize }: ExecutionsSearch,
  nowMs = Date.now(),
): ExecutionQuery {
  const start = Math.max(
    from === undefined ? 0 : Date.parse(`${from}T00:00:00`),
    range === undefined ? 0 : nowMs - (nowMs % 60_000) - rangesMs[range],
  );
  return {
    page,
    limit: size,
    ...(q !== undefined && { search: q }),
    ...(agent !== undefined && { agentflowName: agent }),
    ...(agentId !== undefined && { agentflowId: agentId }),
    ...(state !== undefined && { state }),
    ...(origin !== undefined && { origin }),
    ...(session !== undefined && { sessionId: session }),
    ...(start > 0 && { startDate: new Date(start).toISOString() }),
    ...(until !== undefined && { endDate: new Date(`${until}T23:59:59.999`).toISOString() }),
  };
}

export function hasFilters({ page: _, size: __, ...filters }: ExecutionsSearch): boolean {
  return Object.keys(filters).length > 0;
}

function oneOf<T extends string>(values: readonly T[], value: unknown): T | undefined {
  return values.find((each) => each === value);
}

function isRange(value: unknown): value is StatsRange {
  return typeof value === "string" && Object.hasOwn(rangesMs, value);
}

function textsOf(search: Record<string, unknown>): Partial<ExecutionsSearch> {
  const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
  const isDay = (value: unknown): value is string => isText(value) && !Number.isNaN(Date.parse(`${value}T00:00:00`));
  // An address made of digits is read as a number.
  const toText = (value: unknown) => (typeof value === "number" ? String(value) : value);
  const { agent, agentId, from, until } = search;
  const [q, session] = [toText(search.q), toText(search.session)];
  return {
    ...(isText(q) && { q: q.slice(0, longestSearch) }),
    ...(isText(agent) && { agent }),
    ...(isText(agentId) && { agentId }),
    ...(isText(session) && { session }),
    ...(isDay(from) && { from }),
    ...(isDay(until) && { until }),
  };
}
