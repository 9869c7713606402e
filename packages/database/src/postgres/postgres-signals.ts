import { sql } from "kysely";
import { Client } from "pg";
import type { Signals, SignalTopic, StorageLogger } from "../database.ts";
import type { PostgresOptions } from "./connect-postgres.ts";

/** Signals through LISTEN and NOTIFY, on a connection of their own from the first listener on. */
export type PostgresSignals = Signals & {
  /** Whether everything is heard that is sent from now on. */
  isHearing(): boolean;
  close(): Promise<void>;
};

const channel = "weft";
const reconnectAfterMs = 1_000;

type SignalsOptions = PostgresOptions & {
  /** Called whenever it begins to hear: what was sent before is lost. */
  onHearing?(): void;
};

export function createPostgresSignals({ databaseUrl, logger, onHearing }: SignalsOptions): PostgresSignals {
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
      connection ??= keepListening(databaseUrl, { take, logger, onHearing });
      return () => void heard.delete(listener);
    },
    isHearing: () => connection?.isHearing() ?? false,
    close: async () => connection?.close(),
  };
}

type Connection = Pick<PostgresSignals, "isHearing" | "close">;
type Hearing = {
  take(payload: string): void;
  logger: StorageLogger | undefined;
  onHearing: (() => void) | undefined;
};

/** Listens, and connects again a second after the connection is lost. */
function keepListening(databaseUrl: string, { take, logger, onHearing }: Hearing): Connection {
  let isClosed = false;
  let isHearing = false;
  /** The driver never settles a `connect` whose client was ended meanwhile. */
  const closing = Promise.withResolvers<never>();
  closing.promise.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;

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
      onHearing?.();
      isHearing = true;
      await Promise.race([lost.promise, closing.promise]);
    } finally {
      isHearing = false;
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
    isHearing: () => isHearing,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      closing.reject(new Error("The database is closed."));
      await listening;
    },
  };
}
