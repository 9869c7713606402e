// An execution is listed with the name of its agent: the columns of that table are declared there.
import type {} from "@weft/agents";
import { escapeLike, isLike, prepareQuery, type Tables } from "@weft/database";
import { everything, type Reach } from "@weft/http/identity";
import { type ExecutionOrigin, executionStateSchema, type RunEvent } from "@weft/schema";
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from "kysely";
import { LRUCache } from "lru-cache";
import {
  askingPattern,
  eventColumns,
  fromEventRow,
  isReached,
  questionPattern,
  removePartsOf,
  restorePrompts,
} from "../journal/index.ts";
import type { RecordedRun, RunRow } from "../run-tables.ts";
import { noAgentId } from "../share-of.ts";
import { isFrom } from "./origin.ts";

/** Selects runs; absent fields do not restrict. Dates are of the run's start, and inclusive. */
export type ExecutionFilter = {
  id?: string | undefined;
  agentflowId?: string | undefined;
  /** Part of the agent's name, case-insensitive. */
  agentflowName?: string | undefined;
  sessionId?: string | undefined;
  chatId?: string | undefined;
  state?: ExecutionState | undefined;
  /** Among the runs updated last. */
  origin?: ExecutionOrigin | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
  /** Part of the question or of the session's id, or a prefix of the run's own id, among the runs updated last. */
  search?: string | undefined;
  reach: Reach;
};

export type ExecutionState = "INPROGRESS" | "FINISHED" | "ERROR" | "TERMINATED" | "TIMEOUT" | "STOPPED";

export type ExecutionRow = Omit<RunRow, WorkColumn> & { agentName: string | null };

/** Columns needed only by a process that works on a run. */
type WorkColumn =
  | "leaseEpoch"
  | "leaseOwner"
  | "leaseUntil"
  | "cancelRequested"
  | "turnOrder"
  | "takeOvers"
  | "takeOverSeq";

const timeoutCode = "flow-timeout";
const statuses = {
  INPROGRESS: "running",
  FINISHED: "completed",
  ERROR: "failed",
  TERMINATED: "cancelled",
  TIMEOUT: "failed",
  STOPPED: "suspended",
} as const satisfies Record<ExecutionState, string>;

export function stateOf({ status, errorCode }: Pick<RunRow, "status" | "errorCode">): ExecutionState {
  if (status === "failed") return errorCode === timeoutCode ? "TIMEOUT" : "ERROR";
  return executionStateSchema.options.find((state) => statuses[state] === status) ?? "INPROGRESS";
}

const columns = [
  "id",
  "agentId",
  "agentVersionId",
  "chatId",
  "sessionId",
  "chatType",
  "owner",
  "status",
  "lastSeq",
  "createdDate",
  "updatedDate",
  "stoppedDate",
  "errorCode",
  "summary",
  "dueAt",
  "durationMs",
  "totalTokens",
  "costNanos",
] as const satisfies readonly (keyof RunRow)[];

type Window = { offset: number; limit: number };

/** Most recently updated first, then by id. */
export function listExecutions(
  read: Kysely<Tables>,
  filter: ExecutionFilter,
  { offset, limit }: Window,
): Promise<ExecutionRow[]> {
  const window = { offset, limit, end: offset + limit };
  const prepared = prepareList(filter);
  return prepared === undefined ? buildList(read, filter, window).execute() : prepared(read, { ...filter, ...window });
}

/** `end`: of the window, counted from the first row. */
function buildList(read: Kysely<Tables>, filter: ExecutionFilter, { offset, limit, end }: Window & { end: number }) {
  return (
    read
      .selectFrom(newest(read, filter, end).as("runs"))
      .selectAll("runs")
      // Not a join: PostgreSQL does not know the limit when it plans, expects many rows and would read all agents.
      .select((eb) =>
        eb.selectFrom("agents").select("agents.name").whereRef("agents.id", "=", "runs.agentId").as("agentName"),
      )
      .orderBy("runs.updatedDate", "desc")
      .orderBy("runs.id")
      .limit(limit)
      .offset(offset)
  );
}

/** Filters used in a query as they are. */
const plainFilters = ["id", "agentflowId", "sessionId", "chatId", "startDate", "endDate"] as const;
type PlainFilter = (typeof plainFilters)[number];
type ListValues = ExecutionFilter & Window & { end: number };

const preparedLists = new Map<string, (read: Kysely<Tables>, values: ListValues) => Promise<ExecutionRow[]>>();

/** The query for a kind of filter; it costs more to build than to run. Undefined if its text depends on values. */
function prepareList({ reach, agentflowName, search, origin, state, ...plain }: ExecutionFilter) {
  if (reach.owners !== "all" || reach.agents !== "all") return undefined;
  if ([agentflowName, search, origin].some((value) => value !== undefined)) return undefined;
  const names = plainFilters.filter((name) => plain[name] !== undefined);
  const key = [state, ...names].join();
  const known = preparedLists.get(key) ?? prepareListOf(names, state);
  preparedLists.set(key, known);
  return known;
}

function prepareListOf(names: readonly PlainFilter[], state: ExecutionState | undefined) {
  const query = prepareQuery<Record<string, string | number>, ExecutionRow>(
    [...names, "offset", "limit", "end"],
    (db, { offset = 0, limit = 0, end = 0, ...plain }) =>
      buildList(db, { ...plain, state, reach: everything }, { offset, limit, end } as Window & { end: number }),
  );
  return (read: Kysely<Tables>, { offset, limit, end, ...filter }: ListValues) => {
    const plain = names.map((name) => [name, filter[name] ?? ""]);
    return query(read, { ...Object.fromEntries(plain), offset, limit, end });
  };
}

/** Event types used to show the steps of a run. */
const stepTypes = ["run-started", "node-completed", "node-failed", "node-suspended", "node-resumed"] as const;

/**
 * Events used to show the steps of these runs, in order, by run: those present when the run's row was read. A run
 * deleted since has none.
 */
export async function listStepEvents(
  read: Kysely<Tables>,
  runs: readonly RecordedRun[],
): Promise<Map<string, RunEvent[]>> {
  const found = new Map<string, { lastSeq: number; events: RunEvent[] }>(
    runs.map(({ id, lastSeq }) => [id, { lastSeq, events: [] }]),
  );
  const rows = await read
    .selectFrom("runEvents")
    .select(eventColumns)
    .where("runId", "in", [...found.keys()])
    .where("type", "in", stepTypes)
    .orderBy("runId")
    .orderBy("seq")
    .execute();
  for (const row of rows) {
    const run = found.get(row.runId);
    if (run !== undefined && row.seq <= run.lastSeq) run.events.push(fromEventRow(row));
  }
  const restored = [...found].map(async ([id, { events }]) => [id, await restorePrompts(read, id, events)] as const);
  return new Map(await Promise.all(restored));
}

/** Number of runs that match filters, recounted when this process creates or deletes one, and after a second. */
export type ExecutionTotals = {
  of(read: Kysely<Tables>, filter: ExecutionFilter): Promise<number>;
  /** Call when a run was created or deleted here, durably. */
  changed(): void;
};

/**
 * The usual delay in noticing other processes' changes. Counting 100,000 runs takes PostgreSQL 10 ms of both its cores.
 */
const countedAgainMs = 1_000;

export function createExecutionTotals(): ExecutionTotals {
  const totals = new LRUCache<string, number>({ max: 1_000, ttl: countedAgainMs });
  let changes = 0;
  return {
    async of(read, filter) {
      const { id, state, origin, agentflowName, search, reach, ...named } = filter;
      // Anything else that can change about a run or its agent is counted each time.
      const special = [id, state, origin, agentflowName, search];
      if (special.some((value) => value !== undefined)) return countExecutions(read, filter);
      const key = JSON.stringify([named, reach.owners, reach.agents === "all" ? "all" : [...reach.agents]]);
      const known = totals.get(key);
      if (known !== undefined) return known;
      const before = changes;
      const total = await countExecutions(read, filter);
      if (changes === before) totals.set(key, total);
      return total;
    },
    changed() {
      changes += 1;
      totals.clear();
    },
  };
}

async function countExecutions(read: Kysely<Tables>, filter: ExecutionFilter): Promise<number> {
  const count = async (runs: Condition | undefined) => {
    const counted = read.selectFrom("runs").select((eb) => eb.fn.countAll<number>().as("total"));
    return Number((await (runs ? counted.where(runs) : counted).executeTakeFirstOrThrow()).total);
  };
  // Without any condition SQLite counts pages and not rows.
  const { reach, ...named } = filter;
  const isBounded = reach.owners !== "all" || reach.agents !== "all";
  const isFiltered = isBounded || Object.values(named).some((value) => value !== undefined);
  const all = await count(isFiltered ? asked(filter) : undefined);
  if (filter.id !== undefined) return all;
  // Each is read from an index; whether a run is an agent's would be looked up for every single one.
  return all - (await count((eb) => eb.and([asked(filter)(eb), eb("runs.agentId", "=", sql.lit(noAgentId))])));
}

/** Runs within reach that wait for a human, shortest wait first. */
export function listAsking(read: Kysely<Tables>, reach: Reach, { offset, limit }: Window): Promise<ExecutionRow[]> {
  return read
    .selectFrom("runs")
    .select(columns)
    .select((eb) =>
      eb.selectFrom("agents").select("agents.name").whereRef("agents.id", "=", "runs.agentId").as("agentName"),
    )
    .where(isAsking(reach))
    .orderBy("updatedDate", "desc")
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Number of runs within reach that wait for a human. Reads waiting runs only. */
export async function countAsking(read: Kysely<Tables>, reach: Reach): Promise<number> {
  const counted = read.selectFrom("runs").select((eb) => eb.fn.countAll<number>().as("total"));
  return Number((await counted.where(isAsking(reach)).executeTakeFirstOrThrow()).total);
}

function isAsking(reach: Reach): Condition {
  return (eb) =>
    eb.and([isIn(eb, "STOPPED"), eb("runs.summary", "like", sql.lit(askingPattern)), matches({ reach })(eb)]);
}

/** Running runs are few, and not in the index by date; all others are read in its order. */
function newest(read: Kysely<Tables>, filter: ExecutionFilter, limit: number) {
  const paused = read.selectFrom("runs").select(columns).where("status", "!=", sql.lit("running"));
  // The limit, which is never reached, keeps SQLite from choosing an index for the filter.
  const running = read.selectFrom("runs").select(columns).where("status", "=", sql.lit("running")).limit(maxRunning);
  const first = (runs: typeof paused) => read.selectFrom(page(runs).as("page")).selectAll();
  const page = (runs: typeof paused) =>
    runs.where(matches(filter)).orderBy("updatedDate", "desc").orderBy("id").limit(limit);
  const ofRunning = read.selectFrom(running.as("runs")).selectAll() as unknown as typeof paused;
  return first(paused).unionAll(first(ofRunning));
}

const maxRunning = 1_000_000;

type Runs = ExpressionBuilder<Tables, "runs">;

const conditions = {
  id: (eb: Runs, id: string) => eb("runs.id", "=", id),
  agentflowId: (eb: Runs, id: string) => eb("runs.agentId", "=", id),
  agentflowName: (eb: Runs, name: string) => eb("runs.agentId", "in", agentsNamed(eb, name)),
  sessionId: (eb: Runs, id: string) => eb("runs.sessionId", "=", id),
  chatId: (eb: Runs, id: string) => eb("runs.chatId", "=", id),
  state: (eb: Runs, state: string) => isIn(eb, state as ExecutionState),
  startDate: (eb: Runs, moment: string) => eb("runs.createdDate", ">=", moment),
  endDate: (eb: Runs, moment: string) => eb("runs.createdDate", "<=", moment),
  origin: (eb: Runs, origin: string) => eb.and([isSearched(eb), isFrom(eb, origin as ExecutionOrigin)]),
  search: (eb: Runs, text: string) =>
    eb.and([
      isSearched(eb),
      eb.or([
        isLike(eb.ref("runs.id"), `${escapeLike(text)}%`),
        isLike(eb.ref("runs.sessionId"), `%${escapeLike(text)}%`),
        isLike(eb.ref("runs.summary"), questionPattern(escapeLike(JSON.stringify(text).slice(1, -1)))),
      ]),
    ]),
} as const satisfies Record<Exclude<keyof ExecutionFilter, "reach">, unknown>;

export type Condition = (eb: Runs) => Expression<SqlBool>;

function asked(filter: ExecutionFilter): Condition {
  const keys = (Object.keys(conditions) as (keyof typeof conditions)[]).filter((key) => filter[key] !== undefined);
  const { reach } = filter;
  return (eb) => eb.and([...keys.map((key) => conditions[key](eb, filter[key] ?? "")), isReached(reach)(eb)]);
}

/** Work of the platform itself is listed elsewhere. */
function matches(filter: ExecutionFilter): Condition {
  if (filter.id !== undefined) return asked(filter);
  return (eb) => eb.and([asked(filter)(eb), eb("runs.agentId", "!=", sql.lit(noAgentId))]);
}

function isIn(eb: Runs, state: ExecutionState) {
  const status = eb("runs.status", "=", sql.lit(statuses[state]));
  // Stated so that SQLite sees that the index of other runs applies.
  const isSpecial = eb.and([eb("status", "!=", sql.lit("running")), eb("status", "!=", sql.lit("completed"))]);
  switch (state) {
    case "INPROGRESS":
    case "FINISHED":
      return status;
    case "TIMEOUT":
      return eb.and([status, isSpecial, eb("runs.errorCode", "=", timeoutCode)]);
    case "ERROR":
      return eb.and([status, isSpecial, eb(eb.fn.coalesce("runs.errorCode", sql.lit("")), "!=", timeoutCode)]);
    default:
      return eb.and([status, isSpecial]);
  }
}

/** No index finds substrings and origins. Reading this many rows blocks SQLite, and everything else, for some 50 ms. */
const searchedRuns = 20_000;

function isSearched(eb: Runs) {
  return eb.or([eb("runs.status", "=", sql.lit("running")), eb("runs.updatedDate", ">=", oldestSearched(eb))]);
}

/** The date of the last run that a search examines, found in the index of runs by date. */
function oldestSearched({ selectFrom, fn }: Runs) {
  const last = selectFrom("runs as counted")
    .select("counted.updatedDate")
    .where("counted.status", "!=", sql.lit("running"))
    .orderBy("counted.updatedDate", "desc")
    .limit(1)
    .offset(sql.lit(searchedRuns - 1));
  return fn.coalesce(last, sql.lit(""));
}

function agentsNamed({ selectFrom }: Runs, part: string) {
  return selectFrom("agents")
    .select("agents.id")
    .where(isLike(sql.ref("agents.name"), `%${escapeLike(part)}%`));
}

export type DeletedRun = Pick<RunRow, "id" | "chatId" | "agentVersionId">;

const ended = ["completed", "failed", "cancelled"];

/** Deletes those of these runs that have ended, with their journals. */
export async function deleteEnded(tx: Kysely<Tables>, ids: readonly string[]): Promise<DeletedRun[]> {
  const deleted = await tx
    .deleteFrom("runs")
    .where("id", "in", ids)
    .where("status", "in", ended)
    .returning(["id", "chatId", "agentVersionId", "agentId", "owner"])
    .execute();
  const gone = deleted.map(({ id }) => id);
  if (gone.length > 0) await tx.deleteFrom("runEvents").where("runId", "in", gone).execute();
  await removePartsOf(tx, deleted);
  return deleted.map(({ id, chatId, agentVersionId }) => ({ id, chatId, agentVersionId }));
}

/** Runs that ended before a moment, oldest first. */
export async function listEndedBefore(read: Kysely<Tables>, moment: string, limit: number): Promise<string[]> {
  const rows = await read
    .selectFrom("runs")
    .select("id")
    .where("status", "!=", sql.lit("running"))
    .where("status", "in", ended)
    .where("updatedDate", "<", moment)
    .orderBy("updatedDate")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
