import { sql } from "kysely";
import { Client } from "pg";
import type { Signals, SignalTopic, StorageLogger } from "../database.ts";
import type { PostgresOptions } from "./connect-postgres.ts";

/** Signals through LISTEN and NOTIFY, on a connection of their own from the first listener on. */
export type PostgresSignals = Signals & { close(): Promise<void> };

const channel = "weft";
const reconnectAfterMs = 1_000;

export function createPostgresSignals({ databaseUrl, logger }: PostgresOptions): PostgresSignals {
  const listeners = new Map<SignalTopic, Set<(text: string) => void>>();
  let connection: Connection | undefined;

  function take(payload: string): void {
    const [topic = "", text = ""] = payload.split(/ (.*)/s);
    for (const listener of listeners.get(topic as SignalTopic) ?? []) listener(text);
  }

  return {
    async send(tx, topic, text) {
      await sql`select pg_notify(${channel}, ${`${topic} ${text}`})`.execute(tx);
    },
    hear(topic, listener) {
      const heard = listeners.get(topic) ?? new Set();
      listeners.set(topic, heard.add(listener));
      connection ??= keepListening(databaseUrl, { take, logger });
      return () => void heard.delete(listener);
    },
    close: async () => connection?.close(),
  };
}

type Connection = { close(): Promise<void> };
type Hearing = { take(payload: string): void; logger: StorageLogger | undefined };

/** Listens, and connects again a second after the connection is lost. */
function keepListening(databaseUrl: string, { take, logger }: Hearing): Connection {
  let isClosed = false;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function listen(): Promise<void> {
    const next = new Client({ connectionString: databaseUrl, application_name: "weft", keepAlive: true });
    client = next;
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => undefined);
    next.on("error", lost.reject);
    next.on("end", () => lost.reject(new Error("The connection ended.")));
    next.on("notification", ({ payload = "" }) => take(payload));
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
      await lost.promise;
    } finally {
      await next.end().catch(() => undefined);
    }
  }

  function start(): Promise<void> {
    return listen().catch((cause: unknown) => {
      if (isClosed) return;
      logger?.error("database-signals-lost", { cause });
      timer = setTimeout(() => {
        listening = start();
      }, reconnectAfterMs).unref();
    });
  }

  let listening = start();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
      await listening;
    },
  };
}
