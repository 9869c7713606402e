import { type Commit, type Database, DatabaseUnavailableError, type Tables } from "@weft/database";
import {
  type CompiledQuery,
  DefaultQueryExecutor,
  DummyDriver,
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  type QueryResult,
  SingleConnectionProvider,
  sql,
  Transaction,
} from "kysely";
import type { Random } from "../../chaos/house/random.ts";
import { type Facts, hinder } from "../facts.ts";
import { kyselyOver, type Postgres } from "./postgres.ts";
import type { Actor, VirtualTime } from "./virtual-time.ts";

/** What happens to the next write of a process. The last two end the process. */
export type WriteFault = "refused" | "answer lost" | "killed before commit" | "killed after commit";

/** The way of one process to the database, and what befalls it. */
export type Link = {
  database: Database;
  nextFault: WriteFault | undefined;
  /** Nothing passes before this moment of virtual time. */
  cutUntilMs: number;
  /** What is to be connected from now on. */
  connect(): void;
  disconnect(): void;
};

/** What is wrong with signals: they hurry, and are promised to nobody. */
export type SignalFaults = { lost: number; doubled: number; lateMs: number };

/** One database for all processes. A planted fault changes statements on their way (`plants.ts`). */
export type SharedDatabase = {
  openLink(life: { actor: Actor; kill(): void }): Link;
  signalFaults: SignalFaults;
  /** Reads at once, beside all processes. */
  look<R>(text: string, parameters?: readonly unknown[]): R[];
  actor: Actor;
};

export type SharedDatabaseDeps = {
  postgres: Postgres;
  time: VirtualTime;
  random: Random;
  facts: Facts;
  /** Plants a fault: what a statement is sent as. */
  alter?: ((text: string) => string) | undefined;
  /** Plants a fault: whether signals of a topic never come. */
  isDeaf?: ((topic: string) => boolean) | undefined;
};

type Execute = (text: string, parameters: readonly unknown[]) => QueryResult<unknown>;
type Listener = { actor: Actor; hear(text: string): void };

/** How long a process tries to reach its database before it gives up a query. */
const patienceMs = 13_000;
/** How long others may take to connect again: as the real signals have it. */
const settledAfterMs = 3_000;

export function createSharedDatabase(deps: SharedDatabaseDeps): SharedDatabase {
  const { postgres, time, random, alter = (text) => text, isDeaf = () => false } = deps;
  const actor: Actor = { name: "database", offsetMs: 0, state: "up" };
  const listeners = new Map<string, Set<Listener>>();
  const signalFaults: SignalFaults = { lost: 0, doubled: 0, lateMs: 0 };
  let idle: Promise<unknown> = Promise.resolve();
  let isBusy = false;

  const execute: Execute = (text, parameters) => time.within(actor, () => postgres.execute(alter(text), parameters));

  /** One transaction after the other: what follows from that is in the decision record. */
  async function alone<T>(work: () => Promise<T>): Promise<T> {
    while (isBusy) await idle;
    isBusy = true;
    const done = Promise.withResolvers<void>();
    idle = done.promise;
    try {
      return await work();
    } finally {
      isBusy = false;
      done.resolve();
    }
  }

  function tell(topic: string, text: string): void {
    if (isDeaf(topic)) return;
    for (const listener of listeners.get(topic) ?? []) {
      const times = random.next() < signalFaults.doubled ? 2 : 1;
      for (let left = times; left > 0; left -= 1) {
        if (random.next() < signalFaults.lost) continue;
        void time
          .sleep(random.between(1, 10) + random.next() * signalFaults.lateMs)
          .then(() => time.within(listener.actor, () => deliver(listener, text)));
      }
    }
  }

  async function deliver(listener: Listener, text: string): Promise<void> {
    await time.awake(listener.actor);
    if (listener.actor.state === "up") listener.hear(text);
  }

  return {
    actor,
    signalFaults,
    look: <R>(text: string, parameters: readonly unknown[] = []) =>
      time.within(actor, () => postgres.execute<R>(text, parameters)).rows,
    openLink: (life) => createLink({ ...deps, ...life, execute, alone, tell, listeners }),
  };
}

type LinkDeps = SharedDatabaseDeps & {
  actor: Actor;
  kill(): void;
  execute: Execute;
  alone<T>(work: () => Promise<T>): Promise<T>;
  tell(topic: string, text: string): void;
  listeners: Map<string, Set<Listener>>;
};

function createLink({ actor, kill, execute, alone, tell, listeners, time, random, facts }: LinkDeps): Link {
  const names: string[] = [];
  const told = new WeakMap<object, [string, string][]>();
  let connectedAt = Number.POSITIVE_INFINITY;

  const travel = () => time.sleep(random.between(0, 3));

  /** The way to the database and back. Who is gone sends nothing more, and hears nothing. */
  async function ask<T>(work: () => Promise<T>): Promise<T> {
    await time.awake(actor);
    await travel();
    if (link.cutUntilMs > time.now()) {
      const isLong = link.cutUntilMs - time.now() > patienceMs;
      await time.sleep(isLong ? patienceMs : link.cutUntilMs - time.now() + random.between(0, 200));
      if (isLong) throw await answered(unavailable());
    }
    const asked = alone(work);
    asked.catch(() => undefined);
    try {
      return await answered(await asked);
    } catch (cause) {
      throw await answered(cause);
    }
  }

  async function answered<T>(answer: T): Promise<T> {
    await travel();
    await time.awake(actor);
    return answer;
  }

  const read = kyselyOver<Tables>((text, parameters) => ask(async () => execute(text, parameters)));

  /** What is to befall this write. Throws where it is not begun. */
  function takeFault(): WriteFault | undefined {
    const fault = link.nextFault;
    link.nextFault = undefined;
    if (fault === undefined) return undefined;
    hinder(facts, actor.name, time.now() + 2_000);
    if (fault === "killed before commit") kill();
    if (fault === "refused" || actor.state === "gone") throw unavailable();
    if (fault === "answer lost") link.cutUntilMs = Math.max(link.cutUntilMs, time.now() + 50);
    return fault;
  }

  /** A transaction that is never seen by halves. */
  async function transact<T>(work: (tx: Transaction<Tables>) => Promise<T>, fault = takeFault()): Promise<T> {
    const tx = createTransaction(execute);
    execute("begin", []);
    try {
      const about = [actor.name, String(time.now())];
      execute("select set_config('sim.writer', $1, false), set_config('sim.now', $2, false)", about);
      const value = await work(tx);
      execute("commit", []);
      for (const [topic, text] of told.get(tx) ?? []) tell(topic, text);
      if (fault === "killed after commit") kill();
      return value;
    } catch (cause) {
      execute("rollback", []);
      throw cause;
    }
  }

  const link: Link = {
    nextFault: undefined,
    cutUntilMs: 0,
    connect() {
      connectedAt = time.now();
    },
    disconnect() {
      for (const name of names) execute(`delete from "simPresent" where "name" = $1`, [name]);
      for (const heard of listeners.values()) {
        for (const listener of heard) if (listener.actor === actor) heard.delete(listener);
      }
    },
    database: {
      dialect: "postgres",
      read,
      readLarge: read,
      write: (fn) =>
        ask(async () => {
          const fault = takeFault();
          const value = await transact(fn, fault);
          // Whether a commit took place is not found out for these.
          if (fault === "answer lost") throw unavailable();
          return value;
        }),
      commit: <R>({ statements, lock }: Commit) =>
        ask(() =>
          transact(async (tx) => {
            if (lock !== undefined) execute("select pg_advisory_xact_lock(hashtextextended($1, 0))", [lock]);
            const rows: R[] = [];
            for (const statement of statements)
              rows.push(...(await tx.executeQuery(statement as CompiledQuery<R>)).rows);
            return rows;
          }),
        ),
      changes: () => undefined,
      signals: {
        async send(tx, topic, text) {
          told.set(tx, [...(told.get(tx) ?? []), [topic, text]]);
        },
        tell: (topic, text) => tell(topic, text),
        hear(topic, hear) {
          const heard = listeners.get(topic) ?? new Set();
          const listener = { actor, hear };
          listeners.set(topic, heard.add(listener));
          return () => void heard.delete(listener);
        },
        announce(name) {
          names.push(name);
          facts.owners.set(name, actor.name);
          execute(`insert into "simPresent" values ($1)`, [name]);
        },
        isPresent: (name) => sql`exists (select 1 from "simPresent" where "name" = ${name})`,
        seesOthers: () => time.now() - connectedAt > settledAfterMs,
      },
      giveBackSpace: async () => false,
      eraseDeleted: async () => undefined,
      connections: () => undefined,
      close: async () => undefined,
    },
  };
  return link;
}

function unavailable(): DatabaseUnavailableError {
  return new DatabaseUnavailableError("the database does not answer", undefined);
}

/** Statements of a transaction, one at a time and at once. */
function createTransaction(execute: Execute): Transaction<Tables> {
  const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error("A transaction has its connection.")) });
  const connection = {
    executeQuery: async <R>({ sql: text, parameters }: CompiledQuery) => execute(text, parameters) as QueryResult<R>,
    streamQuery: () => {
      throw new Error("Rows come all at once here.");
    },
  };
  const provider = new SingleConnectionProvider(connection);
  const executor = new DefaultQueryExecutor(new PostgresQueryCompiler(), new PostgresAdapter(), provider);
  return new Transaction<Tables>({ config: { dialect }, dialect, driver: new DummyDriver(), executor });
}
