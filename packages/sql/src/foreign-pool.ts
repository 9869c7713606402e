import { type EgressClient, trustedCertificates } from "@weft/egress";
import type { JsonObject } from "@weft/schema";
import { WorkerEnded } from "@weft/workers";
import { createDatabaseProcess } from "./process/database-processes.ts";
import type { DatabaseAnswer, DatabasePart, DatabaseRequest, Server } from "./process/protocol.ts";

/** Address of a PostgreSQL database, with the actual secrets. */
export type PostgresPlace = Omit<Server, "engine" | "trusted">;

export type ForeignPool = {
  /** Waits for a free connection. Rejects with `egress-*` errors, and with the database's. */
  connect(): Promise<ForeignSession>;
  /** Ends all connections, whatever they do. */
  end(): Promise<void>;
};

export type ForeignSession = {
  /** Rejects with an error that has the database's `code`. */
  query(text: string, values?: readonly unknown[]): Promise<QueryResult>;
  release(): void;
};

type QueryResult = { command: string; rowCount: number; rows: JsonObject[] };

export type ForeignPoolDeps = Pick<EgressClient, "connect"> & {
  maxConnections: number;
  /** How long a process without queries is kept, with its connections. Default 30 s. */
  idleMs?: number;
  /** For a connection and its login, and for another caller's release. Default 10 s. */
  connectMs?: number;
  /** For a query; building an index may take any time. Default 5 min. */
  queryMs?: number;
};

/**
 * Connections to a third-party PostgreSQL, whose answers are parsed in a process of their own. Nothing is connected
 * before the first query.
 */
export function createForeignPool(place: PostgresPlace, deps: ForeignPoolDeps): ForeignPool {
  const { idleMs = 30_000, connectMs = 10_000, queryMs = 300_000 } = deps;
  const slots = createSlots(deps.maxConnections, connectMs);
  /** Unused sessions. They end with their process. */
  let idle: number[] = [];
  let lastSession = 0;
  const process = createDatabaseProcess({
    idleMs,
    onEnd: () => {
      idle = [];
    },
  });

  async function ask(request: DatabaseRequest, more: object = {}): Promise<DatabaseAnswer> {
    const options = { signal: new AbortController().signal, answerMs: connectMs, ...more };
    return process.ask(request, options).catch((error: unknown) => {
      throw error instanceof WorkerEnded ? lost() : error;
    });
  }

  async function open(): Promise<number> {
    const signal = AbortSignal.timeout(connectMs);
    await ask({ do: "ping" });
    const connection = await deps.connect(place.host, place.port, signal);
    connection.on("error", () => undefined);
    const database = { ...place, engine: "postgres", trusted: trustedCertificates() } as const;
    // A number is used once, across all processes.
    lastSession += 1;
    const session = lastSession;
    const answer = await ask({ do: "open", session, database }, { connection }).finally(() => connection.destroy());
    if (answer.kind === "done") return session;
    throw toError(answer);
  }

  async function query(session: number, text: string, values: readonly unknown[]): Promise<QueryResult> {
    const rows: JsonObject[] = [];
    const onPart = (part: DatabasePart) => void ("rows" in part && rows.push(...part.rows));
    const answerMs = /^create index/.test(text) ? undefined : queryMs;
    const answer = await ask({ do: "query", session, text, values }, { answerMs, onPart });
    if (answer.kind !== "queried") throw toError(answer);
    return { command: answer.command, rowCount: answer.rowCount ?? 0, rows };
  }

  function toSession(session: number): ForeignSession {
    const own = idle;
    let isUsable = true;
    return {
      async query(text, values = []) {
        try {
          return await query(session, text, values);
        } catch (error) {
          isUsable &&= !isLost(error);
          throw error;
        }
      },
      release() {
        // Sessions of a process that has ended meanwhile are gone with it.
        if (isUsable && own === idle) idle.push(session);
        isUsable = false;
        slots.give();
      },
    };
  }

  return {
    async connect() {
      await slots.take();
      try {
        return toSession(idle.pop() ?? (await open()));
      } catch (error) {
        slots.give();
        throw error;
      }
    },
    end: process.close,
  };
}

/** SQLSTATE: the connection failed. */
const lostCode = "08006";

const lost = () =>
  Object.assign(new Error("the connection was lost, or what came over it cannot be read as PostgreSQL"), {
    code: lostCode,
    isLost: true,
  });

function isLost(error: unknown): boolean {
  return error instanceof Error && "isLost" in error && error.isLost === true;
}

function toError(answer: DatabaseAnswer): Error {
  if (answer.kind === "failed") return Object.assign(new Error(answer.reason), { code: lostCode, isLost: true });
  if (answer.kind !== "broken") return new Error(`A query was answered with ${answer.kind}.`);
  const { message, code, isLost } = answer;
  return Object.assign(new Error(message), { code: code || (isLost ? lostCode : ""), isLost });
}

/** Admits a fixed number at a time, the others in order. */
function createSlots(total: number, waitMs: number) {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    async take(): Promise<void> {
      if (taken < total) {
        taken += 1;
        return;
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const limit = setTimeout(() => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(Object.assign(new Error("timeout: all connections are in use"), { code: "53300" }));
      }, waitMs);
      const go = () => {
        clearTimeout(limit);
        resolve();
      };
      waiting.push(go);
      return promise;
    },
    give(): void {
      const next = waiting.shift();
      if (next === undefined) taken -= 1;
      else next();
    },
  };
}
