import { setTimeout as sleep } from "node:timers/promises";
import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import { Client } from "pg";
import type { Signals, SignalTopic, StorageLogger } from "../database.ts";
import { defaultLineTimes, type LineTimes } from "../line-times.ts";
import type { PostgresOptions } from "./connect-postgres.ts";
import { destroy } from "./dead-lines.ts";

/** Signals through LISTEN and NOTIFY, on a connection of their own from the first listener on. */
export type PostgresSignals = Signals & {
  /** Whether every message sent from now on is heard. */
  isHearing(): boolean;
  close(): Promise<void>;
};

const channel = "weft";
/** How long closing waits for messages being sent. */
const lastWordMs = 1_000;

type SignalsOptions = PostgresOptions & {
  /** Called whenever it starts to listen: messages sent before are lost. */
  onHearing?(): void;
};

export function createPostgresSignals({ databaseUrl, logger, onHearing, times }: SignalsOptions): PostgresSignals {
  const listeners = new Map<SignalTopic, Set<(text: string) => void>>();
  const names: string[] = [];
  let connection: Connection | undefined;

  function connect(): Connection {
    connection ??= keepListening(databaseUrl, {
      take,
      logger,
      onHearing,
      names,
      times: { ...defaultLineTimes, ...times },
    });
    return connection;
  }

  function take(payload: string): void {
    const [topic = "", text = ""] = payload.split(/ (.*)/s);
    for (const listener of listeners.get(topic as SignalTopic) ?? []) listener(text);
  }

  return {
    async send(tx, topic, text) {
      await sql`select pg_notify(${channel}, ${`${topic} ${text}`})`.execute(tx);
    },
    tell: (topic, text) => connect().tell(`${topic} ${text}`),
    hear(topic, listener) {
      const heard = listeners.get(topic) ?? new Set();
      listeners.set(topic, heard.add(listener));
      connect();
      return () => void heard.delete(listener);
    },
    announce(name) {
      names.push(name);
      connect().announce(name);
    },
    isPresent,
    isHearing: () => connection?.isHearing() ?? false,
    seesOthers: () => connection?.seesOthers() ?? false,
    close: async () => connection?.close(),
  };
}

/** Rejects when the connection no longer responds, which a connection that only listens would never notice. */
async function silence(client: Client, { askEveryMs, answerWithinMs }: LineTimes): Promise<never> {
  for (;;) {
    await sleep(askEveryMs, undefined, { ref: false });
    // Repeating LISTEN has no effect.
    const answer = client.query(`listen ${channel}`).then(() => true);
    const isAnswered = await Promise.race([answer, sleep(answerWithinMs, false, { ref: false })]);
    if (!isAnswered) throw new Error("The connection for signals no longer answers.");
  }
}

type Connection = Pick<PostgresSignals, "announce" | "isHearing" | "seesOthers" | "close"> & {
  tell(payload: string): void;
};
type Hearing = {
  take(payload: string): void;
  logger: StorageLogger | undefined;
  onHearing: (() => void) | undefined;
  /** Names to announce on every connection. */
  names: readonly string[];
  times: LineTimes;
};

/** Listens, and reconnects soon after the connection is lost. */
function keepListening(databaseUrl: string, { take, logger, onHearing, names, times }: Hearing): Connection {
  let isClosed = false;
  let hearing: { client: Client; since: number } | undefined;
  /** The driver never settles a `connect` whose client was ended meanwhile. */
  const closing = Promise.withResolvers<never>();
  closing.promise.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  let telling: Promise<unknown> = Promise.resolve();

  async function listen(): Promise<void> {
    const next = new Client({ connectionString: databaseUrl, application_name: "weft", keepAlive: true });
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => undefined);
    next.on("error", lost.reject);
    next.on("end", () => lost.reject(new Error("The connection ended.")));
    next.on("notification", ({ payload = "" }) => take(payload));
    try {
      await Promise.race([next.connect(), closing.promise]);
      await next.query(`listen ${channel}`);
      for (const name of names) await hold(next, name);
      onHearing?.();
      hearing = { client: next, since: performance.now() };
      await Promise.race([lost.promise, closing.promise, silence(next, times)]);
    } finally {
      hearing = undefined;
      // A dead connection accepts no termination message.
      await Promise.race([next.end().catch(() => undefined), sleep(lastWordMs, undefined, { ref: false })]);
      destroy(next);
    }
  }

  function start(): Promise<void> {
    return listen().catch((cause: unknown) => {
      if (isClosed) return;
      logger?.error("database-signals-lost", { cause });
      timer = setTimeout(() => {
        listening = start();
      }, times.reconnectAfterMs).unref();
    });
  }

  let listening = start();
  return {
    announce(name) {
      // A connecting one announces all names itself; a failure here ends the connection, and another one follows.
      if (hearing) hold(hearing.client, name).catch(() => undefined);
    },
    tell(payload) {
      const client = hearing?.client;
      // One after the other, as the driver requires.
      telling = telling
        .then(() => client?.query("select pg_notify($1, $2)", [channel, payload]))
        .catch(() => undefined);
    },
    isHearing: () => hearing !== undefined,
    seesOthers: () => hearing !== undefined && performance.now() - hearing.since > times.settledAfterMs,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await Promise.race([telling, sleep(lastWordMs, undefined, { ref: false })]);
      closing.reject(new Error("The database is closed."));
      await listening;
    },
  };
}

/** Separate from the locks of sessions. */
const nameSeed = 1;

/** Until the connection ends. Shared, because the server may not know yet that the previous connection has ended. */
async function hold(client: Client, name: string): Promise<void> {
  await client.query("select pg_advisory_lock_shared(hashtextextended($1, $2))", [name, nameSeed]);
}

function isPresent(name: Expression<string | null>): RawBuilder<SqlBool> {
  return sql<SqlBool>`hashtextextended(${name}, ${sql.lit(nameSeed)}) in (
    select (classid::bigint << 32) | objid::bigint from pg_locks
    where locktype = 'advisory' and objsubid = 1 and granted
      and database = (select oid from pg_database where datname = current_database()))`;
}
