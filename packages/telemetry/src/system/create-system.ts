import { hostname } from "node:os";
import type { Database } from "@weft/database";
import type { Clock } from "@weft/engine/ports/clock";
import type { Route } from "@weft/http";
import { type Reach, reachesAgent } from "@weft/http/identity";
import type { Logger } from "@weft/http/logger";
import { createPoller, type Role } from "@weft/run-host";
import {
  type FailingCallback,
  type RedisState,
  type System,
  type SystemProcess,
  toMoment,
  type VectorIndex,
} from "@weft/schema";
import { sql } from "kysely";
import { systemRoutes } from "./system.routes.ts";
import { createDatabaseReader, readDisk, readQueue, readTakeOvers } from "./system-facts.ts";

export type SystemDeps = {
  database: Database;
  clock: Clock;
  logger: Logger;
  version: string;
  role: Role;
};

/** Parts created after the telemetry. */
export type SystemParts = {
  /** Of this process, new after each start. */
  processId: string;
  /** Runs in this process. */
  countRuns(): number;
  /** Maximum number executed at once. */
  maxRuns: number;
  /** A folder of the measured file system. */
  dataDir: string;
  redisState(): RedisState;
  vectorIndex(): VectorIndex;
  /** The name of an agent; undefined for anything else. */
  agentName(agentId: string): Promise<string | undefined>;
  /** Undelivered callbacks, and their number. */
  failingCallbacks(): Promise<{ list: Omit<FailingCallback, "agentName">[]; failing: number }>;
};

/** The operators' view of the whole installation. */
export type SystemView = { routes: Route[]; start(): void; stop(): Promise<void> };

export function createSystem({ database, clock, logger, version, role }: SystemDeps, parts: SystemParts): SystemView {
  const { read } = database;
  const startedAt = clock.now();
  const readDatabase = createDatabaseReader(database);
  const registry = createProcessRegistry(database, () => ({
    id: parts.processId,
    role,
    version,
    host: hostname(),
    pid: process.pid,
    startedAt,
    runs: parts.countRuns(),
    maxRuns: role === "api" ? null : parts.maxRuns,
    memoryBytes: process.memoryUsage.rss(),
  }));
  const poller = createPoller({
    clock,
    everyMs: announcedEveryMs,
    round: registry.announce,
    onFailure: (cause) => logger.warn("process-not-announced", { cause }),
  });

  async function look(reach: Reach): Promise<System> {
    const agents = createNaming(reach, parts.agentName);
    const processes = await registry.list();
    const queue = await readQueue(read, clock.now());
    const { runs, latest } = await readTakeOvers(read, clock.now());
    const { failing, list } = await parts.failingCallbacks();
    const [named = null] = await agents.named(latest === null ? [] : [latest]);
    return {
      processes: processes.map((seen) => toProcess(seen, parts.processId)),
      queue: { ...queue, agents: await agents.named(queue.agents) },
      takeOvers: { runs, latest: named },
      database: await readDatabase(),
      redis: parts.redisState(),
      disk: await readDisk(parts.dataDir),
      vectorIndex: parts.vectorIndex(),
      callbacks: { failing, list: await agents.named(list) },
    };
  }

  return {
    routes: systemRoutes(look),
    start: poller.start,
    async stop() {
      await poller.stop();
      // The row of a process that cannot remove it expires.
      await registry.leave().catch(() => undefined);
    },
  };
}

type OfAgent = { agentflowId: string };

/** Adds names of the reachable agents, each read once, and drops entries of others. */
function createNaming(reach: Reach, agentName: SystemParts["agentName"]) {
  const asked = new Map<string, Promise<string | undefined>>();

  function nameOf(agentId: string): Promise<string | undefined> {
    const name = asked.get(agentId) ?? agentName(agentId);
    asked.set(agentId, name);
    return name;
  }

  return {
    async named<T extends OfAgent>(seen: readonly T[]): Promise<(T & { agentName: string | null })[]> {
      const reached = seen.filter(({ agentflowId }) => reachesAgent(reach.agents, agentflowId));
      return Promise.all(reached.map(async (one) => ({ ...one, agentName: (await nameOf(one.agentflowId)) ?? null })));
    },
  };
}

function toProcess({ startedAt, ...seen }: SeenProcess, ownId: string): SystemProcess {
  return { ...seen, startedDate: toMoment(startedAt), answered: seen.id === ownId };
}

/** A process's last announcement. Moments are milliseconds since the epoch. */
type ProcessRow = Omit<SystemProcess, "startedDate" | "seenSecondsAgo" | "answered"> & {
  startedAt: number;
  /** On the database's clock. */
  seenAt: number;
};

declare module "@weft/database" {
  interface Tables {
    processes: ProcessRow;
  }
}

/** A process's own announcement. */
type ProcessFacts = Omit<ProcessRow, "seenAt">;

type SeenProcess = ProcessFacts & { seenSecondsAgo: number };

/**
 * The processes on the database. With SQLite there is one, which writes nothing.
 * - N1 A process is one row, which it writes every few seconds and removes when it stops.
 * - N2 Only the database's clock decides which processes are gone: one that was silent for 15 seconds is left out, and any
 *   process removes its row. One that was merely frozen returns with its next announcement.
 * - N3 Nothing depends on it: leases decide who works on runs.
 */
type ProcessRegistry = {
  announce(): Promise<void>;
  /** Announces this process first, then lists all that exist, in start order. */
  list(): Promise<SeenProcess[]>;
  leave(): Promise<void>;
};

const silenceMs = 15_000;
/** Maximum age of the list's facts about other processes. */
const announcedEveryMs = 4_000;

/** Every statement here names the rows it changes. */
const isolation = { isolation: "read-committed" } as const;
const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

function createProcessRegistry({ dialect, read, write }: Database, readFacts: () => ProcessFacts): ProcessRegistry {
  if (dialect === "sqlite") {
    const alone = async () => [{ ...readFacts(), seenSecondsAgo: 0 }];
    return { announce: async () => undefined, list: alone, leave: async () => undefined };
  }
  return {
    async announce() {
      const facts = readFacts();
      const { runs, memoryBytes } = facts;
      const row = { ...facts, seenAt: now };
      await write(
        (tx) =>
          tx
            .insertInto("processes")
            .values(row)
            .onConflict((conflict) => conflict.column("id").doUpdateSet({ runs, memoryBytes, seenAt: now }))
            .execute(),
        isolation,
      );
      // In its own transaction: two processes that return at the same moment would wait for each other's rows.
      await write(
        (tx) => tx.deleteFrom("processes").where("seenAt", "<", sql<number>`${now} - ${silenceMs}`).execute(),
        isolation,
      );
    },
    async list() {
      const own = readFacts();
      const others = await read
        .selectFrom("processes")
        .selectAll()
        .select(sql<number>`greatest(0, ${now} - "seenAt")`.as("silentMs"))
        .where("id", "!=", own.id)
        .where("seenAt", ">=", sql<number>`${now} - ${silenceMs}`)
        .execute();
      const seen = others.map(({ silentMs, seenAt: _, ...facts }) => ({ ...facts, seenSecondsAgo: silentMs / 1_000 }));
      const all = [{ ...own, seenSecondsAgo: 0 }, ...seen];
      return all.toSorted((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1));
    },
    async leave() {
      const { id } = readFacts();
      await write((tx) => tx.deleteFrom("processes").where("id", "=", id).execute(), isolation);
    },
  };
}
