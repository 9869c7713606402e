import { type Journal, type JournalBatch, LeaseLostError } from "@weft/engine";
import { isTerminalEvent, type RunEvent, toMoment } from "@weft/schema";
import type { Kysely } from "kysely";
import type { Database } from "../storage/database.ts";
import type { RunRow, Tables } from "../storage/tables.ts";
import { type AppendStatements, createAppendStatements, maxEvents } from "./append-statements.ts";
import { createRunLeases, type Lessee, leaseEnd, noLease, type RunLeases } from "./run-lease.store.ts";

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
    /** As `requestCancel`, for all open runs of an agent, in the caller's transaction. */
    requestCancelOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
    /** Runs of a chat that run or wait, newest first. */
    listOpen(chat: { agentId: string; chatId: string }): Promise<RunRow[]>;
    /** Notes that a cancel was asked for. Undefined: there is no such run, or it has ended. */
    requestCancel(runId: string): Promise<RunRow | undefined>;
    /** Which of these runs a cancel was asked for, in this process or another. */
    cancelRequested(runIds: readonly string[]): Promise<string[]>;
  };

export type NewRun = Pick<RunRow, "id" | "agentId" | "agentVersionId" | "chatId" | "sessionId" | "chatType">;

export type RunCreation = Lessee & { run: NewRun; events: readonly RunEvent[] };

/**
 * Writes what follows from a run's end or suspension, such as its chat messages, in the commit of these events.
 * `run` is the row as they leave it. It may wait for nothing but the database, and may be run again (`Database.write`).
 */
export type ProjectRun = (tx: Kysely<Tables>, run: RunRow, events: readonly RunEvent[]) => Promise<void>;

export type RunStoreDeps = { database: Database; project: ProjectRun };

/** Epoch of a run that nobody took over yet. */
const firstEpoch = 1;
const openStatuses = ["running", "suspended"];
/** Every statement here names the rows it changes and what they must be. */
const isolation = { isolation: "read-committed" } as const;

export function createRunStore({ database, project }: RunStoreDeps): RunStore {
  const statements = createAppendStatements(database.read);

  async function insertEvents(tx: Kysely<Tables>, runId: string, events: readonly RunEvent[]): Promise<void> {
    for (let start = 0; start < events.length; start += maxEvents) {
      await tx.executeQuery(statements.insertEvents(runId, events.slice(start, start + maxEvents)));
    }
  }

  const create: RunStore["create"] = async (creation) => {
    const { run, events } = creation;
    const row = toRunRow(database, creation);
    await database.write(async (tx) => {
      const inserted = await tx.insertInto("runs").values(row).returningAll().executeTakeFirstOrThrow();
      await insertEvents(tx, run.id, events);
      if (inserted.status !== "running") await project(tx, inserted, events);
    }, isolation);
    return { epoch: firstEpoch };
  };

  const append: RunStore["append"] = async (batch) => {
    if (batch.events.length === 0) return;
    await database.write(async (tx) => {
      const paused = await advance(tx, statements, batch);
      await insertEvents(tx, batch.runId, batch.events);
      if (paused !== undefined) await project(tx, paused, batch.events);
    }, isolation);
  };

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
    cancelRequested: (runIds) => cancelRequested(database.read, runIds),
    requestCancelOfAgent,
    requestCancel: (runId) => database.write((tx) => requestCancel(tx, runId), isolation),
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
      return "suspended";
    default:
      return "running";
  }
}

/** Ends the lease of a run that these events end or suspend, and dates its end. */
function pauseAfter(events: readonly RunEvent[]): Partial<RunRow> {
  const last = events.at(-1);
  if (last === undefined || statusAfter(last) === "running") return {};
  return { ...noLease, stoppedDate: isTerminalEvent(last) ? toMoment(last.at) : null };
}

/** The run that a batch begins, when it begins one. */
function toNewRun({ runId, events: [first] }: JournalBatch): NewRun | undefined {
  if (first?.type !== "run-started") return undefined;
  const { agentId, flowVersionId, chatId, sessionId, chatType } = first;
  return { id: runId, agentId, agentVersionId: flowVersionId, chatId, sessionId, chatType };
}

function toRunRow(database: Database, { run, events, owner, leaseMs }: RunCreation) {
  return {
    ...run,
    ...progressAfter(events),
    createdDate: toMoment(events[0]?.at ?? 0),
    stoppedDate: null,
    leaseEpoch: firstEpoch,
    leaseOwner: owner,
    leaseUntil: leaseEnd(database, leaseMs),
    cancelRequested: 0,
    ...pauseAfter(events),
  };
}

/** Moves the run's row on. Returns it when the run ends or waits. Rejects with `LeaseLostError`. */
async function advance(
  tx: Kysely<Tables>,
  statements: AppendStatements,
  { runId, epoch, events }: JournalBatch,
): Promise<RunRow | undefined> {
  const lastSeqBefore = (events[0]?.seq ?? 0) - 1;
  const { status, ...progress } = progressAfter(events);
  if (status === "running") {
    const step = { id: runId, leaseEpoch: epoch, lastSeqBefore, ...progress };
    const { numAffectedRows } = await tx.executeQuery(statements.advance(step));
    if (numAffectedRows !== 1n) throw new LeaseLostError(runId);
    return undefined;
  }
  const run = await tx
    .updateTable("runs")
    .set({ ...progress, status, ...pauseAfter(events) })
    .where("id", "=", runId)
    .where("leaseEpoch", "=", epoch)
    .where("lastSeq", "=", lastSeqBefore)
    .where("leaseOwner", "is not", null)
    .returningAll()
    .executeTakeFirst();
  if (run === undefined) throw new LeaseLostError(runId);
  return run;
}

async function load(read: Kysely<Tables>, runId: string): ReturnType<RunStore["load"]> {
  const run = await read.selectFrom("runs").selectAll().where("id", "=", runId).executeTakeFirst();
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

function listOpen(read: Kysely<Tables>, chat: { agentId: string; chatId: string }): Promise<RunRow[]> {
  return read
    .selectFrom("runs")
    .selectAll()
    .where("agentId", "=", chat.agentId)
    .where("chatId", "=", chat.chatId)
    .where("status", "in", openStatuses)
    .orderBy("createdDate", "desc")
    .orderBy("id", "desc")
    .execute();
}

function requestCancel(tx: Kysely<Tables>, runId: string): Promise<RunRow | undefined> {
  return tx
    .updateTable("runs")
    .set({ cancelRequested: 1 })
    .where("id", "=", runId)
    .where("status", "in", openStatuses)
    .returningAll()
    .executeTakeFirst();
}

async function requestCancelOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void> {
  await tx
    .updateTable("runs")
    .set({ cancelRequested: 1 })
    .where("agentId", "=", agentId)
    .where("status", "in", openStatuses)
    .execute();
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
