import { type Commit, type Database, isConstraintViolation, type Signals, type Tables } from "@weft/database";
import { type Journal, type JournalBatch, LeaseLostError } from "@weft/engine/ports/journal";
import { chatOwnerOf, isTerminalEvent, type RunEvent, type RunEventOf, toMoment } from "@weft/schema";
import type { CompiledQuery, Kysely } from "kysely";
import type { RunRow } from "../run-tables.ts";
import { toEventRows } from "./event-row.ts";
import { keepPrompts } from "./prompt-parts.ts";
import { createReadyRuns, type ReadyRuns } from "./ready-run.store.ts";
import { createRunLeases, type Lessee, type RunLeases } from "./run-lease.store.ts";
import type { ReachedChat } from "./run-reads.ts";
import { createRunReads, findRun, openStatuses, type RunReads } from "./run-reads.ts";
import { beginningSummary, type RunDigest, summaryText } from "./run-rows.ts";
import { createRunStatements, type RunStep } from "./run-statements.ts";
import { hasTurn, lockSession, nextPlace, type SessionTurns, sessionLock } from "./session-turns.ts";
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
  RunLeases &
  ReadyRuns &
  RunReads & {
    /**
     * Inserts a run with its first events, in one commit: leased to `owner`, or without one ready for any process.
     * Rejects if the id is taken.
     */
    create(creation: RunCreation): Promise<{ epoch: number }>;
    /** The journal as one process writes it: a batch that begins with `run-started` creates the run (epoch 1). */
    journalOf(lessee: Beginner): Journal;
    /**
     * Like `requestCancel`, for all open runs of an agent, in the caller's transaction. Those that wait end at once.
     */
    requestCancelOfAgent(tx: Kysely<Tables>, agentId: string, at: number): Promise<void>;
    /** Ends suspended runs, with all consequences. */
    cancelWaiting(filter: RunFilter, at: number): Promise<void>;
    /** Suspended runs, most recently suspended first. */
    listWaiting(filter: RunFilter): Promise<RunRow[]>;
    /** Whether a human ever answered a run of the chat. */
    hasAnswer(chat: ReachedChat): Promise<boolean>;
    /** Records a cancel request, and tells all processes. Undefined: there is no such run, or it has ended. */
    requestCancel(runId: string): Promise<RunRow | undefined>;
  };

export type NewRun = Pick<RunRow, "id" | "agentId" | "agentVersionId" | "chatId" | "sessionId" | "chatType" | "owner">;

/** The process that starts runs: it works on them, or, with no owner, leaves them to others. */
export type Beginner = Pick<Lessee, "leaseMs"> & { owner: string | null };

export type RunCreation = Beginner & { run: NewRun; events: readonly RunEvent[] };

/** Consequences of a run's end, suspension or resumption, for the commit of these events. */
export type FollowUp =
  | readonly CompiledQuery[]
  /** For work that needs decisions. It may wait only for the database, and may be run again (`Database.write`). */
  | ((tx: Kysely<Tables>) => Promise<void>);

/** A run as these events leave it. */
type ChangedRun = NewRun & Pick<RunRow, "status" | "lastSeq">;

/** Derives consequences, such as the messages of a chat. It may read what was committed before. */
export type ProjectRun = (run: ChangedRun, events: readonly RunEvent[]) => FollowUp | Promise<FollowUp>;

export type RunStoreDeps = {
  database: Database;
  project: ProjectRun;
  /** What lists show of a run that ends or waits with this event; undefined: unchanged. */
  summarise?(runId: string, end: RunEvent): RunDigest | undefined;
  /** Runs get their places in the order in which they entered their sessions, and `turns` is told after the commit. */
  turns?: SessionTurns;
  /** Called for each run that started, after the commit. */
  created?(): void;
};

/** Epoch of a run that nobody has taken over yet. */
const firstEpoch = 1;
/** Every statement here names the rows it changes and the state they must be in. */
const isolation = { isolation: "read-committed" } as const;

export function createRunStore({ database, project, summarise, turns, created }: RunStoreDeps): RunStore {
  const { dialect, signals } = database;
  const statements = createRunStatements(database);

  const create: RunStore["create"] = async ({ run, events, owner, leaseMs }) => {
    const [first] = events;
    const kept = await keepPrompts(database, events, () => run);
    const rows = await toEventRows(run.id, kept);
    const [firstRow] = rows;
    if (first === undefined || firstRow === undefined) throw new Error(`The journal of run ${run.id} does not begin.`);
    const isPlaced = first.type === "run-started" && hasTurn(first);
    const row = toBeginningRow({ run, events, owner }, summarise);
    const beginning = [statements.begin(row, { leaseMs, isPlaced }), ...statements.insertEvents(rows)];
    const lock = isPlaced ? sessionLock(row) : undefined;
    const follow = row.status === "running" ? [] : await project({ ...run, ...row }, events);
    if (isPlaced) await turns?.before(run.id);
    const proof = statements.findBegun(row, firstRow);
    const [begun] = await commit<{ turnOrder: number | null }>(
      database,
      { statements: beginning, proof, lock },
      follow,
    );
    created?.();
    const turnOrder = begun?.turnOrder ?? null;
    if (turnOrder !== null) turns?.placed(run.id, turnOrder === 1);
    return { epoch: firstEpoch };
  };

  const append: RunStore["append"] = async (batch) => {
    const { runId, events, begin } = batch;
    const [first] = events;
    const findChat = () => (begin ? toNewRunOf(runId, begin) : findRun(database.read, runId));
    const rows = await toEventRows(runId, await keepPrompts(database, events, findChat));
    const lastRow = rows.at(-1);
    if (first === undefined || lastRow === undefined) return;
    const step = toStep(batch);
    const journal = [toMove(batch, step), ...statements.insertEventsOf(step, rows)];
    const follow = await followUp({ read: database.read, project }, batch);
    if (first.type === "node-resumed") return appendAnswer(batch, { journal, follow });
    try {
      await commit(database, { statements: journal, proof: statements.findEvent(step, lastRow) }, follow);
    } catch (cause) {
      throw await whyRefused(database.read, step, cause);
    }
  };

  function toMove({ runId, events }: JournalBatch, step: RunStep): CompiledQuery {
    const last = events.at(-1);
    if (!isPause(last)) return statements.advance(step);
    const digest = summarise?.(runId, last);
    const { status } = progressAfter(events);
    return statements.pause({ ...step, status, ...pauseAfter(last), ...digested(digest, last) });
  }

  /** A run that is answered gets a place behind everything then running in its session, and is no longer due. */
  async function appendAnswer(
    { runId, epoch, events }: JournalBatch,
    { journal, follow }: { journal: readonly CompiledQuery[]; follow: FollowUp },
  ): Promise<void> {
    await turns?.before(runId);
    const placed = await database
      .write(async (tx) => {
        const answered = await placeAgain(dialect, tx, runId);
        await endDueTime(tx, runId);
        await execute(tx, journal);
        await applyFollowUp(tx, follow);
        return answered;
      }, isolation)
      .catch(async (cause: unknown) => {
        throw await whyRefused(database.read, toStep({ runId, epoch, events }), cause);
      });
    const turnOrder = placed?.turnOrder ?? null;
    if (turnOrder !== null) turns?.placed(runId, turnOrder === 1);
  }

  async function endWaiting(tx: Kysely<Tables>, filter: RunFilter, at: number): Promise<void> {
    for (const { run, events } of await cancelWaiting(tx, filter, at)) {
      await applyFollowUp(tx, await project(run, events));
    }
  }

  return {
    ...createRunLeases(database),
    ...createReadyRuns(database),
    ...createRunReads(database),
    create,
    append,
    journalOf: (lessee) => ({
      async append(batch) {
        const run = toNewRun(batch);
        if (run === undefined) return append(batch);
        await create({ run, events: batch.events, ...lessee });
      },
    }),
    async requestCancelOfAgent(tx, agentId, at) {
      // In this order: a run that starts to wait between them is due at once, or ended here.
      await requestCancelOfAgent(tx, signals, agentId);
      await endWaiting(tx, { agentId }, at);
    },
    cancelWaiting: (filter, at) => database.write((tx) => endWaiting(tx, filter, at), isolation),
    listWaiting: (filter) => listWaiting(database.read, filter),
    hasAnswer: (chat) => hasAnswer(database.read, chat),
    requestCancel: (runId) => database.write((tx) => requestCancel(tx, signals, runId), isolation),
  };
}

/** The columns of a run whose journal ends with `events`. */
function progressAfter(events: readonly RunEvent[]) {
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

/** The end of a run that this event ends or suspends, or the moment at which it resumes. */
function pauseAfter(last: RunEvent) {
  const errorCode = last.type === "run-failed" ? last.error.code : null;
  const dueAt = last.type === "run-suspended" ? (last.dueAt ?? null) : null;
  return { errorCode, dueAt, stoppedDate: isTerminalEvent(last) ? toMoment(last.at) : null };
}

/** The columns of a run that ends or waits with `end`, besides its state. */
function digested(digest: RunDigest | undefined, end: RunEvent) {
  const isEnded = digest?.startedAt !== undefined && isTerminalEvent(end);
  return {
    summary: digest ? summaryText(digest.summary) : null,
    durationMs: isEnded ? Math.max(0, end.at - (digest.startedAt ?? end.at)) : null,
    totalTokens: digest?.summary.usage.totalTokens ?? null,
    costNanos: digest?.costNanos ?? null,
  };
}

/** The run that a batch starts, if any. */
export function toNewRun({ runId, events: [first] }: JournalBatch): NewRun | undefined {
  return first?.type === "run-started" ? toNewRunOf(runId, first) : undefined;
}

function toNewRunOf(runId: string, begin: RunEventOf<"run-started">): NewRun {
  const { agentId, flowVersionId, chatId, sessionId, chatType } = begin;
  return { id: runId, agentId, agentVersionId: flowVersionId, chatId, sessionId, chatType, owner: chatOwnerOf(begin) };
}

function toBeginningRow({ run, events, owner }: Omit<RunCreation, "leaseMs">, summarise: RunStoreDeps["summarise"]) {
  const last = events.at(-1);
  const pause = isPause(last) ? last : undefined;
  const digest = pause && summarise?.(run.id, pause);
  return {
    ...run,
    ...progressAfter(events),
    createdDate: toMoment(events[0]?.at ?? 0),
    stoppedDate: null,
    leaseEpoch: firstEpoch,
    leaseOwner: pause === undefined ? owner : null,
    cancelRequested: 0,
    errorCode: null,
    takeOvers: 0,
    takeOverSeq: 0,
    dueAt: null,
    durationMs: null,
    totalTokens: null,
    costNanos: null,
    ...(pause && { ...pauseAfter(pause), ...digested(digest, pause) }),
    summary: summaryText(digest?.summary ?? beginningSummary(events)),
  };
}

function toStep({ runId, epoch, events }: JournalBatch): RunStep {
  const { lastSeq, updatedDate } = progressAfter(events);
  return { id: runId, leaseEpoch: epoch, lastSeq, updatedDate, lastSeqBefore: (events[0]?.seq ?? 0) - 1 };
}

async function followUp(
  { read, project }: { read: Kysely<Tables>; project: ProjectRun },
  { runId, begin, events }: JournalBatch,
): Promise<FollowUp> {
  if (events[0]?.type !== "node-resumed" && !isPause(events.at(-1))) return [];
  const run = begin === undefined ? await findRun(read, runId) : toNewRunOf(runId, begin);
  return run === undefined ? [] : project({ ...run, ...progressAfter(events) }, events);
}

/** Runs the statements and their consequences. Resolves with the rows that the statements return. */
async function commit<R>(
  database: Database,
  { statements, proof, lock }: Commit,
  follow: FollowUp,
): Promise<readonly R[]> {
  if (typeof follow !== "function") {
    return database.commit<R>({ statements: [...statements, ...follow], proof, lock });
  }
  return database.write(async (tx) => {
    if (lock !== undefined) await lockSession(database.dialect, tx, lock);
    const rows = await execute<R>(tx, statements);
    await follow(tx);
    return rows;
  }, isolation);
}

async function execute<R>(tx: Kysely<Tables>, statements: readonly CompiledQuery<R>[]): Promise<R[]> {
  const rows: R[] = [];
  for (const statement of statements) rows.push(...(await tx.executeQuery(statement)).rows);
  return rows;
}

async function applyFollowUp(tx: Kysely<Tables>, follow: FollowUp): Promise<void> {
  if (typeof follow === "function") await follow(tx);
  else await execute(tx, follow);
}

/**
 * The failure of an append: `LeaseLostError` if the run is not held, or not at the sequence where the append begins.
 */
async function whyRefused(read: Kysely<Tables>, step: RunStep, cause: unknown): Promise<unknown> {
  if (!isConstraintViolation(cause)) return cause;
  const run = await findRun(read, step.id);
  const isHeld = run?.leaseEpoch === step.leaseEpoch && run.leaseOwner !== null && run.lastSeq === step.lastSeqBefore;
  return isHeld ? cause : new LeaseLostError(step.id);
}

/** A suspended run that resumes is no longer due. */
async function endDueTime(tx: Kysely<Tables>, runId: string): Promise<void> {
  const due = tx.updateTable("runs").set({ dueAt: null }).where("id", "=", runId);
  await due.where("dueAt", "is not", null).where("leaseOwner", "is not", null).execute();
}

/** Gives an answered run a place behind everything then running in its session. */
async function placeAgain(dialect: Database["dialect"], tx: Kysely<Tables>, runId: string) {
  const run = await findRun(tx, runId);
  if (run === undefined || run.turnOrder === null) return undefined;
  await lockSession(dialect, tx, sessionLock(run));
  const place = tx.updateTable("runs").set({ turnOrder: nextPlace(run) });
  return place.where("id", "=", runId).where("status", "=", "suspended").returning("turnOrder").executeTakeFirst();
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
