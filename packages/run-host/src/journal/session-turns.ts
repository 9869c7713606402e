import type { Database, ReadableDatabase, Tables } from "@weft/database";
import { chatOwnerOf, type RunEventOf } from "@weft/schema";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { RunRow } from "../run-tables.ts";
import type { RunTimings } from "../run-timings.ts";
import { isBuiltIn } from "../share-of.ts";

/**
 * When runs of one session may take their steps: one after the other, in the order in which they were accepted, whatever
 * process accepted or took over which (G14). The order is a fact in the database: `turnOrder` grows in a session with
 * every run that is accepted or answered, and a run waits until no running run of its session has a smaller one. A run
 * that waits for a person lets others pass, and gets a new place with the answer.
 */
export type SessionTurns = {
  /** Call before the run is accepted or taken over. Undefined: certainly nothing else of its session is running. */
  enter(run: EnteringRun): SessionTurn | undefined;
  /** Runs of a session that entered here, and have not left. */
  countOf(session: string): number;
  /** Resolves when those that entered the session here before the run have their places, or have left. */
  before(runId: string): Promise<void>;
  /** A run has its place, durably. `isNext`: nothing of its session ran at that moment. */
  placed(runId: string, isNext: boolean): void;
  /** A run of this process has ended, or waits for a person. */
  leave(runId: string): void;
  /** From now on this process knows all running runs, except detached ones, if no other process works on the database. */
  knowsAll(): void;
  /** A running run that this process does not manage at the moment. */
  detached(runId: string): void;
  /** It has been taken over, or has ended. */
  found(runId: string): void;
  close(): void;
};

export type EnteringRun = {
  runId: string;
  session: string;
  /** It already has its place. */
  isTakenOver: boolean;
  /** Its session was created for it. */
  isFirst: boolean;
};

export type SessionTurn = {
  /** Something of the session runs here: the run will wait. */
  mustWait: boolean;
  /** Resolves when the run has its place, with whether it may proceed at once. */
  isNext: Promise<boolean>;
  /** Resolves when it is the run's turn in the session. */
  turn: Promise<void>;
};

/** Limits the parameters of one query. */
const maxIds = 500;

type Entered = { session: string; before: Promise<void> | undefined; settled: PromiseWithResolvers<void> };

type Waiting = { placed(isNext: boolean): void; called(): void; isPlaced: boolean };

export function createSessionTurns({ dialect, read }: ReadableDatabase, { turnPollMs }: RunTimings): SessionTurns {
  /** Runs of this process that run or wait for their turn, by session in the order in which they entered. */
  const sessions = new Map<string, Set<string>>();
  const entered = new Map<string, Entered>();
  const waiting = createWaitingRuns(read, turnPollMs);
  const detached = new Set<string>();
  let isAllKnown = false;

  function placed(runId: string, isNext: boolean): void {
    entered.get(runId)?.settled.resolve();
    waiting.placed(runId, isNext);
  }

  return {
    enter({ runId, session, isTakenOver, isFirst }) {
      const here = sessions.get(session) ?? new Set();
      const last = [...here].at(-1);
      const isBehind = last !== undefined;
      const before = last === undefined ? undefined : entered.get(last)?.settled.promise;
      sessions.set(session, here.add(runId));
      entered.set(runId, { session, before, settled: Promise.withResolvers() });
      const isCertain = isFirst || (dialect === "sqlite" && isAllKnown && detached.size === 0);
      if (isCertain && !isBehind && !isTakenOver) return undefined;
      const place = Promise.withResolvers<boolean>();
      const turn = Promise.withResolvers<void>();
      waiting.add(runId, { placed: place.resolve, called: turn.resolve, isPlaced: false });
      if (isTakenOver) placed(runId, false);
      return { mustWait: isBehind || isTakenOver, isNext: place.promise, turn: turn.promise };
    },
    countOf: (session) => sessions.get(session)?.size ?? 0,
    before: async (runId) => entered.get(runId)?.before,
    placed,
    leave(runId) {
      const run = entered.get(runId);
      if (run === undefined) return;
      const { session, before, settled } = run;
      settled.resolve(before);
      waiting.call(runId);
      entered.delete(runId);
      const here = sessions.get(session);
      here?.delete(runId);
      if (here?.size === 0) sessions.delete(session);
      else waiting.look();
    },
    knowsAll() {
      isAllKnown = true;
    },
    detached: (runId) => void detached.add(runId),
    found: (runId) => void detached.delete(runId),
    close: waiting.close,
  };
}

/** Runs that wait for the turn of their session. The database is queried at once, and again until none waits. */
function createWaitingRuns(read: Kysely<Tables>, pollMs: number) {
  const waiting = new Map<string, Waiting>();
  let isClosed = false;
  let looking: Promise<void> | undefined;
  let isLookedForAgain = false;
  let timer: NodeJS.Timeout | undefined;

  function call(runId: string): void {
    const entry = waiting.get(runId);
    waiting.delete(runId);
    entry?.called();
  }

  async function lookOnce(): Promise<void> {
    const ids = [...waiting].flatMap(([runId, { isPlaced }]) => (isPlaced ? [runId] : []));
    for (let start = 0; start < ids.length; start += maxIds) {
      for (const runId of await whoseTurnItIs(read, ids.slice(start, start + maxIds))) call(runId);
    }
  }

  /** Finds runs that may proceed. Retries a failing database. */
  function look(): void {
    if (looking) {
      isLookedForAgain = true;
      return;
    }
    clearTimeout(timer);
    timer = undefined;
    looking = lookOnce()
      .catch(() => undefined)
      .then(() => {
        looking = undefined;
        if (isClosed || waiting.size === 0) return;
        if (isLookedForAgain) {
          isLookedForAgain = false;
          look();
        } else {
          timer = setTimeout(look, pollMs);
          timer.unref();
        }
      });
  }

  return {
    add: (runId: string, entry: Waiting): unknown => waiting.set(runId, entry),
    call,
    look,
    /** A run has its place, and proceeds if nothing of its session comes before it. */
    placed(runId: string, isNext: boolean): void {
      const entry = waiting.get(runId);
      if (!entry) return;
      entry.isPlaced = true;
      entry.placed(isNext);
      if (isNext) call(runId);
      else look();
    },
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Sessions belong to an agent and an owner: the same session id of two of them is two sessions. */
export function sessionKey(begin: RunEventOf<"run-started">): string {
  return `${begin.agentId}/${chatOwnerOf(begin)}/${begin.sessionId}`;
}

/**
 * Whether a run has a place in its session. One that another run waits for shares that one's place: behind it, neither
 * would ever continue. Upserts are not messages.
 */
export function hasTurn({ depth, flowVersionId }: RunEventOf<"run-started">): boolean {
  return depth === 0 && !isBuiltIn(flowVersionId);
}

export type SessionColumns = Pick<RunRow, "agentId" | "sessionId" | "owner">;

/** The place behind everything running in a session, for a statement of a transaction after `lockSession`. */
export function nextPlace({ agentId, sessionId, owner }: SessionColumns): RawBuilder<number> {
  return sql<number>`(
    select coalesce(max("turnOrder"), 0) + 1 from "runs"
    where "agentId" = ${agentId} and "sessionId" = ${sessionId} and "owner" = ${owner} and "status" = 'running')`;
}

export function sessionLock({ agentId, sessionId, owner }: SessionColumns): string {
  return `${agentId}/${owner}/${sessionId}`;
}

/** Until the transaction ends, no other one assigns places in this session. SQLite has one writer. */
export async function lockSession(dialect: Database["dialect"], tx: Kysely<Tables>, lock: string): Promise<void> {
  if (dialect === "sqlite") return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
}

/** Of these runs, those with no earlier running run in their session, and those that are no longer running. */
async function whoseTurnItIs(read: Kysely<Tables>, runIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select "id" from "runs" as "own"
    where "id" in (${sql.join(runIds)}) and ("status" <> 'running' or not exists (
      select 1 from "runs" as "earlier"
      where "earlier"."agentId" = "own"."agentId" and "earlier"."sessionId" = "own"."sessionId"
        and "earlier"."owner" = "own"."owner" and "earlier"."status" = 'running'
        and "earlier"."turnOrder" < "own"."turnOrder"))`.execute(read);
  return rows.map(({ id }) => id);
}
