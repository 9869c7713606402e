import { AsyncLocalStorage } from "node:async_hooks";
import { type Commit, type Database, DatabaseUnavailableError, type Tables } from "@weft/database";
import type { WallClock } from "@weft/engine/ports/clock";
import type { AuditedRequest, Auditor } from "@weft/http";
import type { Identity } from "@weft/http/identity";
import type { Logger } from "@weft/http/logger";
import { type AuditEntry, type AuditOutcome, isJsonObject, WeftError } from "@weft/schema";
import { type Kysely, sql } from "kysely";
import { LRUCache } from "lru-cache";
import { appendAudit, lockAudit, type NewAuditEntry } from "./audit.store.ts";

type AuditDeps = { database: Database; clock: WallClock; logger: Logger };

/** Writes the audit log beside what requests write. */
type Audit = {
  /** The same database, whose writes take the entry of their request along. */
  audited: Database;
  auditor: Auditor;
  /** Writes what was counted and is not written yet, and waits for entries that nobody waits for. */
  close(): Promise<void>;
};

/** A request that may change something, until it is answered. */
type Scope = {
  entry: NewAuditEntry;
  /** There is nothing more to write: its entry is durable, or it is over. */
  isOver: boolean;
  /** The write that takes the entry along. */
  turn: Promise<void> | undefined;
};

type WriteOptions = Parameters<Database["write"]>[1];

/**
 * Invariants:
 * - T1 The entry of a request is written in the transaction of its first write that succeeds: neither is there without the
 *   other, however often the write is repeated.
 * - T2 A request has one entry, however many transactions it has. Of writes at the same time the second one waits for the
 *   first, and takes the entry along if that one fails.
 * - T3 What a request leaves to the background takes no entry along once it is answered.
 * - T4 Failed sign-ins and refused requests fill no disk: so many are written in a minute, the others are counted.
 */
export function createAudit({ database, clock, logger }: AuditDeps): Audit {
  const scopes = new AsyncLocalStorage<Scope>();
  const seen = new LRUCache<string, true>({ max: 10_000, ttl: seenMs, perf: { now: () => clock.now() } });
  const note = (entry: NewAuditEntry): Promise<void> =>
    database.write(
      async (tx) => {
        await lockAudit(tx, database.dialect);
        await appendAudit(tx, entry, clock.now());
      },
      { isolation: "read-committed" },
    );
  const refusals = createBounded(clock, note, (cause) => logger.error("audit-entry-lost", { cause }));

  function change<T>(entry: NewAuditEntry, run: () => Promise<T>): Promise<{ scope: Scope; value: T }> {
    const scope: Scope = { entry, isOver: false, turn: undefined };
    return scopes.run(scope, async () => {
      try {
        const value = await run();
        // Of a write that the request does not wait for.
        await scope.turn;
        return { scope: { ...scope }, value };
      } finally {
        scope.isOver = true;
      }
    });
  }

  async function always<T>(entry: NewAuditEntry, run: () => Promise<T>): Promise<T> {
    const { scope, value } = await change(entry, run);
    if (!scope.isOver) await note(entry);
    return value;
  }

  async function atTimes<T>(entry: NewAuditEntry, run: () => Promise<T>): Promise<T> {
    const key = JSON.stringify([entry.actor, entry.action, entry.thing]);
    if (seen.has(key)) return run();
    const value = await always(entry, run);
    seen.set(key, true);
    return value;
  }

  async function signIn<T>(entry: NewAuditEntry, tried: string, run: () => Promise<T>): Promise<T> {
    try {
      const value = await run();
      const actor = signedIn(value) ?? entry.actor;
      await note({ ...entry, actor, thing: { kind: "accounts", id: actor.id } });
      return value;
    } catch (error) {
      const thing = { kind: "accounts", id: tried.slice(0, longestTried) };
      if (error instanceof WeftError && error.status < 500) refusals.add({ ...entry, outcome: "failed", thing });
      throw error;
    }
  }

  return {
    audited: auditDatabase(database, { current: () => scopes.getStore(), now: clock.now }),
    auditor: {
      change: async (request, run) => (await change(toEntry(request, "done"), run)).value,
      always: (request, run) => always(toEntry(request, "done"), run),
      atTimes: (request, run) => atTimes(toEntry(request, "done"), run),
      signIn: (request, tried, run) => signIn(toEntry(request, "done"), tried, run),
      refused: (request) => refusals.add(toEntry(request, "refused")),
    },
    close: refusals.close,
  };
}

const seenMs = 600_000;
const longestTried = 320;

type Auditing = { current(): Scope | undefined; now(): number };

function auditDatabase(database: Database, { current, now }: Auditing): Database {
  const { dialect } = database;

  async function writeInTurn<T>(scope: Scope, fn: (tx: Kysely<Tables>) => Promise<T>, options?: WriteOptions) {
    while (scope.turn !== undefined) await scope.turn;
    if (scope.isOver) return database.write(fn, options);
    const writing = database.write(async (tx) => {
      await lockAudit(tx, dialect);
      const value = await fn(tx);
      await appendAudit(tx, withCreated(scope.entry, value), now());
      return value;
    }, options);
    scope.turn = writing.then(
      () => {
        scope.isOver = true;
        scope.turn = undefined;
      },
      () => {
        scope.turn = undefined;
      },
    );
    return writing;
  }

  const write: Database["write"] = (fn, options) => {
    const scope = current();
    return scope === undefined || scope.isOver ? database.write(fn, options) : writeInTurn(scope, fn, options);
  };

  async function commitInTurn<R>(scope: Scope, { statements, proof, lock }: Commit): Promise<R[]> {
    const run = async (tx: Kysely<Tables>) => {
      if (lock !== undefined && dialect === "postgres")
        await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
      const rows: R[] = [];
      for (const statement of statements) rows.push(...(await tx.executeQuery<R>(statement)).rows);
      return rows;
    };
    try {
      return await writeInTurn(scope, run, { isolation: "read-committed" });
    } catch (cause) {
      // The connection may have been lost after the commit.
      const proven = cause instanceof DatabaseUnavailableError ? await database.read.executeQuery<R>(proof) : undefined;
      if (proven === undefined || proven.rows.length === 0) throw cause;
      return proven.rows;
    }
  }

  return {
    ...database,
    write,
    commit(commit) {
      const scope = current();
      return scope === undefined || scope.isOver ? database.commit(commit) : commitInTurn(scope, commit);
    },
  };
}

/** With the id of what a write has created, if the request did not name it. */
function withCreated(entry: NewAuditEntry, value: unknown): NewAuditEntry {
  if (entry.thing.id !== "" || !isJsonObject(value) || typeof value.id !== "string") return entry;
  return { ...entry, thing: { ...entry.thing, id: value.id } };
}

function toEntry({ identity, ...request }: AuditedRequest, outcome: AuditOutcome): NewAuditEntry {
  const { action, thing, fields, address, requestId } = request;
  return {
    actor: toActor(identity),
    action,
    outcome,
    thing,
    fields: [...fields],
    omitted: 0,
    address,
    requestId,
  };
}

function toActor(identity: Identity | undefined): AuditEntry["actor"] {
  switch (identity?.kind) {
    case "account":
      return { kind: "account", id: identity.accountId, name: identity.email };
    case "api-key":
      return { kind: "api-key", id: identity.apiKeyId, name: identity.keyName };
    case "operator":
      return { kind: "operator", id: "", name: "operator" };
    default:
      return { kind: "nobody", id: "", name: "" };
  }
}

/** The account of a session that a sign-in answers. */
function signedIn(session: unknown): AuditEntry["actor"] | undefined {
  const user = isJsonObject(session) ? session.user : undefined;
  if (!isJsonObject(user) || typeof user.id !== "string" || typeof user.email !== "string") return undefined;
  return { kind: "account", id: user.id, name: user.email };
}

/** Entries that are written in a minute, for each outcome; see T4. */
const mostInWindow = 60;
const windowMs = 60_000;

type Bounded = { add(entry: NewAuditEntry): void; close(): Promise<void> };

/** A minute of one outcome: how many entries it has, and the last one that was only counted. */
type Window = { endsAtMs: number; written: number; counted: number; last: NewAuditEntry | undefined };

function createBounded(
  clock: WallClock,
  note: (entry: NewAuditEntry) => Promise<void>,
  onLost: (cause: unknown) => void,
): Bounded {
  const windows = new Map<AuditOutcome, Window>();
  const underWay = new Set<Promise<void>>();

  function write(entry: NewAuditEntry): void {
    const writing = note(entry)
      .catch(onLost)
      .finally(() => underWay.delete(writing));
    underWay.add(writing);
  }

  /** One entry stands for those that were counted: it is the last of them. */
  function end(outcome: AuditOutcome, window: Window): void {
    if (windows.get(outcome) !== window) return;
    windows.delete(outcome);
    if (window.last !== undefined) write({ ...window.last, omitted: window.counted - 1 });
  }

  return {
    add(entry) {
      const { outcome } = entry;
      const open = windows.get(outcome);
      if (open !== undefined && open.endsAtMs <= clock.now()) end(outcome, open);
      const window = windows.get(outcome) ?? {
        endsAtMs: clock.now() + windowMs,
        written: 0,
        counted: 0,
        last: undefined,
      };
      windows.set(outcome, window);
      if (window.written < mostInWindow) {
        window.written += 1;
        return write(entry);
      }
      window.counted += 1;
      window.last = entry;
      if (window.counted === 1) setTimeout(end, Math.max(0, window.endsAtMs - clock.now()), outcome, window).unref();
    },
    async close() {
      for (const [outcome, window] of [...windows]) end(outcome, window);
      await Promise.all(underWay);
    },
  };
}
