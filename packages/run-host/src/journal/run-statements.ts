import { type Database, prepareQuery, type Tables } from "@weft/database";
import { CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";
import type { LeasedRun, RunEventRow, RunRow } from "../run-tables.ts";
import { noLease } from "./run-lease.store.ts";
import { nextPlace } from "./session-turns.ts";

/** A run as it starts. The database determines its place in the session and the end of its lease. */
export type BeginningRow = Omit<RunRow, "turnOrder" | "leaseUntil">;

/** The columns of a run's row that an append updates. */
export type RunStep = Pick<RunRow, "id" | "leaseEpoch" | "lastSeq" | "updatedDate"> & { lastSeqBefore: number };

/** The row of a run that ended or waits. `summary` and usage: null if unchanged. */
export type RunPause = RunStep &
  Pick<
    RunRow,
    "status" | "errorCode" | "dueAt" | "stoppedDate" | "summary" | "durationMs" | "totalTokens" | "costNanos"
  >;

/** The statements for every run, each compiled once: building them again costs as much as running them. */
export type RunStatements = {
  /** Returns `turnOrder`. Fails if the id is taken. */
  begin(row: BeginningRow, lease: { leaseMs: number; isPlaced: boolean }): CompiledQuery;
  /** Changes one row, or none if the lease or the sequence differs. */
  advance(step: RunStep): CompiledQuery;
  /** Like `advance`, and ends the lease. A run that is to wait although a cancel was requested is due at once. */
  pause(pause: RunPause): CompiledQuery;
  /** Any number of events. */
  insertEvents(events: readonly RunEventRow[]): CompiledQuery[];
  /** Like `insertEvents`, after `advance` or `pause`: fails if that changed no row. */
  insertEventsOf(step: RunStep, events: readonly RunEventRow[]): CompiledQuery[];
  /**
   * Returns the `turnOrder` of a run that was started as this row says. For an owner, who continues the run, one that
   * another process started with an equal event or has taken over proves nothing.
   */
  findBegun(row: BeginningRow, first: RunEventRow): CompiledQuery;
  /**
   * Returns a row if this event is in the journal and nobody has taken the run over since the step: with keys derived
   * from the run, another owner's event may be equal.
   */
  findEvent(step: RunStep, event: RunEventRow): CompiledQuery;
};

/** Limits the number of different statements, and the parameters of one. */
const maxEvents = 64;

const beginningColumns = [
  ...(["id", "agentId", "agentVersionId", "chatId", "sessionId", "chatType", "owner", "status", "lastSeq"] as const),
  ...(["leaseEpoch", "leaseOwner", "cancelRequested", "createdDate", "updatedDate", "stoppedDate"] as const),
  ...(["errorCode", "summary", "takeOvers", "takeOverSeq", "dueAt"] as const),
  ...(["durationMs", "totalTokens", "costNanos"] as const),
];

export function createRunStatements({ dialect, read }: Database): RunStatements {
  const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  const leaseUntil = (lease: number) => (dialect === "sqlite" ? lease : sql<number>`${now} + ${lease}::bigint`);
  const beginning = (turnOrder: (row: BeginningRow) => RawBuilder<number> | null) =>
    prepareQuery<BeginningRow & { lease: number }, { turnOrder: number | null }>(
      [...beginningColumns, "lease"],
      (db, { lease, ...row }) =>
        db
          .insertInto("runs")
          .values({ ...row, leaseUntil: leaseUntil(lease), turnOrder: turnOrder(row) })
          .returning("turnOrder"),
    );
  const [beginPlaced, beginUnplaced] = [beginning(nextPlace), beginning(() => null)];
  const insertTexts = new Map<string, string>();

  function insertEvents(events: readonly RunEventRow[], step?: RunStep): CompiledQuery[] {
    const statements: CompiledQuery[] = [];
    for (let start = 0; start < events.length; start += maxEvents) {
      const rows = events.slice(start, start + maxEvents);
      const isGuarded = step !== undefined && start === 0;
      const key = `${rows.length} ${isGuarded}`;
      const text = insertTexts.get(key) ?? compileInsert(read, rows.length, isGuarded);
      insertTexts.set(key, text);
      const parameters: unknown[] = [];
      for (const [index, { runId, seq, at, type, event }] of rows.entries()) {
        if (isGuarded && index === 0) parameters.push(runId, step.leaseEpoch, step.lastSeq);
        else parameters.push(runId);
        parameters.push(seq, at, type, event);
      }
      statements.push(CompiledQuery.raw(text, parameters));
    }
    return statements;
  }

  return {
    begin: (row, { leaseMs, isPlaced }) =>
      (isPlaced ? beginPlaced : beginUnplaced).statement(read, {
        ...row,
        lease: dialect === "sqlite" ? Date.now() + leaseMs : leaseMs,
      }),
    advance: (step) => advance.statement(read, step),
    pause: (step) => pause.statement(read, step),
    insertEvents: (events) => insertEvents(events),
    insertEventsOf: (step, events) => insertEvents(events, step),
    findBegun: ({ id, leaseEpoch, leaseOwner }, { event }) =>
      findBegun.statement(read, { id, leaseEpoch, leaseOwner, event }),
    findEvent: ({ id, leaseEpoch }, { seq, event }) => findEvent.statement(read, { id, leaseEpoch, seq, event }),
  };
}

const stepColumns = ["id", "leaseEpoch", "lastSeq", "updatedDate", "lastSeqBefore"] as const;

const advance = prepareQuery<RunStep, never>(stepColumns, (db, { lastSeq, updatedDate, ...held }) =>
  ofHeld(db, held).set({ lastSeq, updatedDate, status: sql.lit("running") }),
);

const pause = prepareQuery<RunPause, never>(
  [
    ...stepColumns,
    ...(["status", "errorCode", "dueAt", "stoppedDate", "summary", "durationMs", "totalTokens", "costNanos"] as const),
  ],
  (db, { id, leaseEpoch, lastSeqBefore, summary, dueAt, totalTokens, ...step }) =>
    ofHeld(db, { id, leaseEpoch, lastSeqBefore }).set({
      ...step,
      ...noLease,
      // Its process has not learned of the cancel: another one ends it at once.
      dueAt: sql<
        number | null
      >`case when ${sql.ref("cancelRequested")} = 1 and cast(${step.status} as text) = 'suspended'
        then cast(0 as bigint) else cast(${dueAt} as bigint) end`,
      summary: sql<string>`coalesce(${summary}, ${sql.ref("summary")})`,
      totalTokens: sql<number>`coalesce(cast(${totalTokens} as bigint), ${sql.ref("totalTokens")})`,
    }),
);

/** The row of a run, if it is held under this lease and at the expected sequence. */
function ofHeld(
  db: Kysely<Tables>,
  { id, leaseEpoch, lastSeqBefore }: Pick<RunStep, "id" | "leaseEpoch" | "lastSeqBefore">,
) {
  return db
    .updateTable("runs")
    .where("id", "=", id)
    .where("leaseEpoch", "=", leaseEpoch)
    .where("lastSeq", "=", lastSeqBefore)
    .where("leaseOwner", "is not", null);
}

type BegunRun = Pick<RunRow, "id" | "leaseEpoch" | "leaseOwner"> & { event: string };

const findBegun = prepareQuery<BegunRun, { turnOrder: number | null }>(
  ["id", "leaseEpoch", "leaseOwner", "event"],
  (db, { leaseEpoch, leaseOwner, ...event }) =>
    ofEvent(db, event)
      .select("runs.turnOrder")
      .where("runEvents.seq", "=", sql.lit(1))
      .where(sql<boolean>`(cast(${leaseOwner} as text) is null
        or (${sql.ref("runs.leaseOwner")} = ${leaseOwner} and ${sql.ref("runs.leaseEpoch")} = ${leaseEpoch}))`),
);

const findEvent = prepareQuery<LeasedRun & { seq: number; event: string }, { seq: number }>(
  ["id", "leaseEpoch", "seq", "event"],
  (db, { leaseEpoch, seq, ...event }) =>
    ofEvent(db, event)
      .select("runEvents.seq")
      .where("runEvents.seq", "=", seq)
      .where("runs.leaseEpoch", "=", leaseEpoch),
);

/** A run with an event of its journal. */
function ofEvent(db: Kysely<Tables>, { id, event }: { id: string; event: string }) {
  return db
    .selectFrom("runs")
    .innerJoin("runEvents", "runEvents.runId", "runs.id")
    .where("runs.id", "=", id)
    .where("runEvents.event", "=", event);
}

/**
 * `isGuarded`: the first row's key is read where `advance` left it; without a row it is null, which a key cannot be.
 */
function compileInsert(read: Kysely<Tables>, count: number, isGuarded: boolean): string {
  const row: RunEventRow = { runId: "", seq: 0, at: 0, type: "", event: "" };
  const held = sql<string>`(
    select "id" from "runs" where "id" = ${""} and "leaseEpoch" = ${0} and "lastSeq" = ${0})`;
  const rows = Array.from({ length: count }, (_, index) => (isGuarded && index === 0 ? { ...row, runId: held } : row));
  return read.insertInto("runEvents").values(rows).compile().sql;
}
