import type { Database, Signals, Tables } from "@weft/database";
import { type Journal, type JournalBatch, LeaseLostError } from "@weft/engine/ports/journal";
import { chatOwnerOf, isTerminalEvent, type RunEvent, toMoment } from "@weft/schema";
import type { Kysely } from "kysely";
import type { RunRow } from "../run-tables.ts";
import { isOfChat, type ReachedChat } from "./reached-runs.ts";
import { createRunLeases, type Lessee, leaseEnd, noLease, type RunLeases } from "./run-lease.store.ts";
import {
  type AppendStatements,
  beginningSummary,
  createAppendStatements,
  maxEvents,
  type RunSummary,
  summaryText,
} from "./run-rows.ts";
import { hasTurn, lockSession, nextPlace, type SessionTurns } from "./session-turns.ts";
import { cancelWaiting, hasAnswer, listWaiting, type RunFilter } from "./waiting-run.store.ts";

/**
 * Runs and their journals.
 *
 * 1. An append is compare-and-set on (run, lastSeq, leaseEpoch): it writes all of its events, or nothing (E8).
 * 2. A row of `runs` says what its journal says: both change in one commit, and so does what `project` writes.
 * 3. Every take-over raises `leaseEpoch`, and ending or suspending a run ends its lease: who does not hold the run,
 *    any more or yet, cannot write.
 */
export type RunStore = Journal &
  RunLeases & {
    /** Inserts a run, leased to `owner`, with its first events, in one commit. Rejects when the id is taken. */
    create(creation: RunCreation): Promise<{ epoch: number }>;
    /** The journal as one process writes it: a batch that begins with `run-started` creates the run (epoch 1). */
    journalOf(lessee: Lessee): Journal;
    load(runId: string): Promise<{ run: RunRow; events: RunEvent[] } | undefined>;
    /** As `requestCancel`, for all open runs of an agent, in the caller's transaction. Those that wait end at once. */
    requestCancelOfAgent(tx: Kysely<Tables>, agentId: string, at: number): Promise<void>;
    /** Ends what is suspended, with all that follows. */
    cancelWaiting(filter: RunFilter, at: number): Promise<void>;
    /** Suspended runs, the one that was suspended last first. */
    listWaiting(filter: RunFilter): Promise<RunRow[]>;
    /** Whether a human ever answered a run of the chat. */
    hasAnswer(chat: ReachedChat): Promise<boolean>;
    /** Runs of a chat that run or wait, newest first. */
    listOpen(chat: ReachedChat): Promise<RunRow[]>;
    /** Whether a run goes on in some process, or would if its process were alive. */
    isRunning(runId: string): Promise<boolean>;
    /** Whether a run runs or waits, and nobody asked it to end. */
    isWanted(runId: string): Promise<boolean>;
    /** Notes that a cancel was asked for, and tells all processes. Undefined: there is no such run, or it has ended. */
    requestCancel(runId: string): Promise<RunRow | undefined>;
    /** Which of these runs a cancel was asked for, in this process or another. */
    cancelRequested(runIds: readonly string[]): Promise<string[]>;
  };

export type NewRun = Pick<RunRow, "id" | "agentId" | "agentVersionId" | "chatId" | "sessionId" | "chatType" | "owner">;

export type RunCreation = Lessee & { run: NewRun; events: readonly RunEvent[] };

/**
 * Writes what follows from a run's end, suspension or resumption, such as its chat messages, in the commit of these
 * events. `run` is the row as they leave it. It may wait for nothing but the database, and may be run again (`Database.write`).
 */
export type ProjectRun = (tx: Kysely<Tables>, run: RunRow, events: readonly RunEvent[]) => Promise<void>;

export type RunStoreDeps = {
  database: Database;
  project: ProjectRun;
  /** What lists show of a run that ends or waits with this event; undefined: nothing new. */
  summarise?(runId: string, end: RunEvent): RunSummary | undefined;
  /** Runs get their places in the order in which they entered their sessions, and `turns` is told after the commit. */
  turns?: Pick<SessionTurns, "before" | "placed">;
};

/** Epoch of a run that nobody took over yet. */
const firstEpoch = 1;
const openStatuses = ["running", "suspended"];
/** Every statement here names the rows it changes and what they must be. */
const isolation = { isolation: "read-committed" } as const;

export function createRunStore({ database, project, summarise, turns }: RunStoreDeps): RunStore {
  const { dialect, signals } = database;
  const statements = createAppendStatements(database.read);

  async function insertEvents(tx: Kysely<Tables>, runId: string, events: readonly RunEvent[]): Promise<void> {
    for (let start = 0; start < events.length; start += maxEvents) {
      await tx.executeQuery(statements.insertEvents(runId, events.slice(start, start + maxEvents)));
    }
  }

  const create: RunStore["create"] = async (creation) => {
    const { run, events } = creation;
    const row = toRunRow(database, creation, summarise);
    const [begin] = events;
    const isPlaced = begin?.type === "run-started" && hasTurn(begin);
    if (isPlaced) await turns?.before(run.id);
    const { turnOrder } = await database.write(async (tx) => {
      if (isPlaced) await lockSession(dialect, tx, row);
      const place = isPlaced ? nextPlace(row) : null;
      const values = { ...row, turnOrder: place };
      const inserted = await tx.insertInto("runs").values(values).returningAll().executeTakeFirstOrThrow();
      await insertEvents(tx, run.id, events);
      if (inserted.status !== "running") await project(tx, inserted, events);
      return inserted;
    }, isolation);
    if (turnOrder !== null) turns?.placed(run.id, turnOrder === 1);
    return { epoch: firstEpoch };
  };

  const append: RunStore["append"] = async (batch) => {
    if (batch.events.length === 0) return;
    const isAnswered = batch.events[0]?.type === "node-resumed";
    if (isAnswered) await turns?.before(batch.runId);
    const turnOrder = await database.write(async (tx) => {
      const answered = isAnswered ? await placeAgain(dialect, tx, batch.runId) : undefined;
      if (isAnswered) await endDueTime(tx, batch.runId);
      const paused = await advance(tx, statements, batch, summarise);
      await insertEvents(tx, batch.runId, batch.events);
      const run = paused ?? (isAnswered ? await findRun(tx, batch.runId) : undefined);
      if (run !== undefined) await project(tx, run, batch.events);
      return answered?.turnOrder ?? null;
    }, isolation);
    if (turnOrder !== null) turns?.placed(batch.runId, turnOrder === 1);
  };

  async function endWaiting(tx: Kysely<Tables>, filter: RunFilter, at: number): Promise<void> {
    for (const { run, events } of await cancelWaiting(tx, filter, at)) await project(tx, run, events);
  }

  return {
    ...createRunLeases(database),
    create,
    append,
    journalOf: (lessee) => ({
      async append(batch) {
        const run = toNewRun(batch);
        if (run === undefined) return append(batch);
        await create({ run, events: batch.events, ...lessee });
      },
    }),
    load: (runId) => load(database.read, runId),
    listOpen: (chat) => listOpen(database.read, chat),
    isRunning: (runId) => isRunning(database.read, runId),
    isWanted: (runId) => isWanted(database.read, runId),
    cancelRequested: (runIds) => cancelRequested(database.read, runIds),
    async requestCancelOfAgent(tx, agentId, at) {
      await endWaiting(tx, { agentId }, at);
      await requestCancelOfAgent(tx, signals, agentId);
    },
    cancelWaiting: (filter, at) => database.write((tx) => endWaiting(tx, filter, at), isolation),
    listWaiting: (filter) => listWaiting(database.read, filter),
    hasAnswer: (chat) => hasAnswer(database.read, chat),
    requestCancel: (runId) => database.write((tx) => requestCancel(tx, signals, runId), isolation),
  };
}

/** What a journal that ends with `events` makes of its run. */
function progressAfter(events: readonly RunEvent[]): Pick<RunRow, "lastSeq" | "updatedDate" | "status"> {
  const last = events.at(-1);
  return { lastSeq: last?.seq ?? 0, updatedDate: toMoment(last?.at ?? 0), status: statusAfter(last) };
}

function statusAfter(last: RunEvent | undefined): string {
  switch (last?.type) {
    case "run-completed":
      return "completed";
    case "run-failed":
      return "failed";
    case "run-cancelled":
      return "cancelled";
    case "run-suspended":
      return last.holds ? "running" : "suspended";
    default:
      return "running";
  }
}

/** Whether no process works on the run after this event. */
function isPause(last: RunEvent | undefined): last is RunEvent {
  return last !== undefined && (isTerminalEvent(last) || last.type === "run-suspended");
}

/** Ends the lease of a run that these events end or suspend, and dates its end, or the moment at which it goes on. */
function pauseAfter(events: readonly RunEvent[]): Partial<RunRow> {
  const last = events.at(-1);
  if (!isPause(last)) return {};
  const errorCode = last.type === "run-failed" ? last.error.code : null;
  const dueAt = last.type === "run-suspended" ? (last.dueAt ?? null) : null;
  return { ...noLease, errorCode, dueAt, stoppedDate: isTerminalEvent(last) ? toMoment(last.at) : null };
}

/** The run that a batch begins, when it begins one. */
export function toNewRun({ runId, events: [first] }: JournalBatch): NewRun | undefined {
  if (first?.type !== "run-started") return undefined;
  const { agentId, flowVersionId, chatId, sessionId, chatType } = first;
  const owner = chatOwnerOf(first);
  return { id: runId, agentId, agentVersionId: flowVersionId, chatId, sessionId, chatType, owner };
}

function toRunRow(
  database: Database,
  { run, events, owner, leaseMs }: RunCreation,
  summarise: RunStoreDeps["summarise"],
) {
  const last = events.at(-1);
  const summary = isPause(last) ? summarise?.(run.id, last) : undefined;
  return {
    ...run,
    ...progressAfter(events),
    createdDate: toMoment(events[0]?.at ?? 0),
    stoppedDate: null,
    leaseEpoch: firstEpoch,
    leaseOwner: owner,
    leaseUntil: leaseEnd(database, leaseMs),
    cancelRequested: 0,
    errorCode: null,
    summary: summaryText(summary ?? beginningSummary(events)),
    takeOvers: 0,
    takeOverSeq: 0,
    dueAt: null,
    ...pauseAfter(events),
  };
}

/** Moves the run's row on. Returns it when the run ends or waits. Rejects with `LeaseLostError`. */
async function advance(
  tx: Kysely<Tables>,
  statements: AppendStatements,
  { runId, epoch, events }: JournalBatch,
  summarise: RunStoreDeps["summarise"],
): Promise<RunRow | undefined> {
  const lastSeqBefore = (events[0]?.seq ?? 0) - 1;
  const { status, ...progress } = progressAfter(events);
  const last = events.at(-1);
  if (!isPause(last)) {
    const step = { id: runId, leaseEpoch: epoch, lastSeqBefore, ...progress };
    const { numAffectedRows } = await tx.executeQuery(statements.advance(step));
    if (numAffectedRows !== 1n) throw new LeaseLostError(runId);
    return undefined;
  }
  const summary = summarise?.(runId, last);
  const run = await tx
    .updateTable("runs")
    .set({ ...progress, status, ...pauseAfter(events), ...(summary && { summary: summaryText(summary) }) })
    .where("id", "=", runId)
    .where("leaseEpoch", "=", epoch)
    .where("lastSeq", "=", lastSeqBefore)
    .where("leaseOwner", "is not", null)
    .returningAll()
    .executeTakeFirst();
  if (run === undefined) throw new LeaseLostError(runId);
  return run;
}

/** A suspended run that goes on is due no more. */
async function endDueTime(tx: Kysely<Tables>, runId: string): Promise<void> {
  const due = tx.updateTable("runs").set({ dueAt: null }).where("id", "=", runId);
  await due.where("dueAt", "is not", null).where("leaseOwner", "is not", null).execute();
}

/** Gives a run that is answered a place behind all that runs in its session meanwhile. */
async function placeAgain(
  dialect: Database["dialect"],
  tx: Kysely<Tables>,
  runId: string,
): Promise<Pick<RunRow, "turnOrder"> | undefined> {
  const run = await findRun(tx, runId);
  if (run === undefined || run.turnOrder === null) return undefined;
  await lockSession(dialect, tx, run);
  const place = tx.updateTable("runs").set({ turnOrder: nextPlace(run) });
  return place.where("id", "=", runId).where("status", "=", "suspended").returning("turnOrder").executeTakeFirst();
}

function findRun(read: Kysely<Tables>, runId: string): Promise<RunRow | undefined> {
  return read.selectFrom("runs").selectAll().where("id", "=", runId).executeTakeFirst();
}

async function load(read: Kysely<Tables>, runId: string): ReturnType<RunStore["load"]> {
  const run = await findRun(read, runId);
  if (run === undefined) return undefined;
  const rows = await read
    .selectFrom("runEvents")
    .select("event")
    .where("runId", "=", runId)
    // What was appended since the row was read is left out, so that the two agree.
    .where("seq", "<=", run.lastSeq)
    .orderBy("seq")
    .execute();
  return { run, events: rows.map((row) => JSON.parse(row.event) as RunEvent) };
}

function listOpen(read: Kysely<Tables>, chat: ReachedChat): Promise<RunRow[]> {
  return read
    .selectFrom("runs")
    .selectAll()
    .where(isOfChat(chat))
    .where("status", "in", openStatuses)
    .orderBy("createdDate", "desc")
    .orderBy("id", "desc")
    .execute();
}

async function isWanted(read: Kysely<Tables>, runId: string): Promise<boolean> {
  const wanted = await read
    .selectFrom("runs")
    .select("id")
    .where("id", "=", runId)
    .where("status", "in", openStatuses)
    .where("cancelRequested", "=", 0)
    .executeTakeFirst();
  return wanted !== undefined;
}

async function isRunning(read: Kysely<Tables>, runId: string): Promise<boolean> {
  const running = await read
    .selectFrom("runs")
    .select("id")
    .where("id", "=", runId)
    .where("status", "=", "running")
    .executeTakeFirst();
  return running !== undefined;
}

async function requestCancel(tx: Kysely<Tables>, signals: Signals, runId: string): Promise<RunRow | undefined> {
  const run = await markUnwanted(tx).where("id", "=", runId).returningAll().executeTakeFirst();
  if (run !== undefined) await signals.send(tx, "run-cancel-requested", run.id);
  return run;
}

async function requestCancelOfAgent(tx: Kysely<Tables>, signals: Signals, agentId: string): Promise<void> {
  const runs = await markUnwanted(tx).where("agentId", "=", agentId).returning("id").execute();
  for (const { id } of runs) await signals.send(tx, "run-cancel-requested", id);
}

function markUnwanted(tx: Kysely<Tables>) {
  return tx.updateTable("runs").set({ cancelRequested: 1 }).where("status", "in", openStatuses);
}

async function cancelRequested(read: Kysely<Tables>, runIds: readonly string[]): Promise<string[]> {
  if (runIds.length === 0) return [];
  const runs = await read
    .selectFrom("runs")
    .select("id")
    .where("id", "in", runIds)
    .where("cancelRequested", "=", 1)
    .execute();
  return runs.map((run) => run.id);
}
