import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ReadableDatabase, Tables } from "@weft/database";
import type { WallClock } from "@weft/engine/ports/clock";
import {
  type Bucket,
  createMemoryLimits,
  failureWaits,
  type Limits,
  type MemoryLimits,
  type RateLimit,
  roundingMs,
  toStanding,
} from "@weft/http";
import type { WarningLogger } from "@weft/http/logger";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { RedisLink } from "./redis-link.ts";

/** The counts of a name: one row for its requests, and one for its failures. */
export type LimitRow = {
  /** `rate` or `failure`, and a hash. */
  name: string;
  /** Consecutive failures; 0 for requests. */
  count: number;
  /** In milliseconds since the epoch: when the bucket is full again, or the wait is over. */
  untilMs: number;
  /** Whether the last request or failure was counted. */
  isCounted: boolean;
};

declare module "@weft/database" {
  interface Tables {
    limits: LimitRow;
  }
}

/** Limits in a store that processes share. Rejects when it cannot count. */
export type LimitStore = {
  [Name in keyof Limits]: (...given: Parameters<Limits[Name]>) => Promise<Awaited<ReturnType<Limits[Name]>>>;
};

export type LimitStoreOptions = {
  /** Default: the store's own, shared by all processes. */
  clock?: WallClock;
  /** Most names remembered; those free again soonest are forgotten first. */
  capacity?: number;
};

const defaultCapacity = 100_000;

export type LimitsDeps = {
  database: ReadableDatabase;
  link: RedisLink | undefined;
  clock: WallClock;
  logger: WarningLogger;
};

/**
 * Limits across all processes on a database, counted in PostgreSQL. With Redis, requests are counted there; failures,
 * such as wrong passwords, are not, so emptying Redis lifts no wait. A process with SQLite is alone and counts in
 * memory.
 */
export function createLimits({ database, link, clock, logger }: LimitsDeps): Limits {
  const memory = createMemoryLimits(clock);
  if (database.dialect === "sqlite") return memory;
  const store = createPostgresLimits(database);
  const limits = withFallback(store, memory, logger);
  if (link === undefined) return limits;
  return { ...limits, take: withFallback({ ...store, ...createRedisLimits(link) }, memory, logger).take };
}

/** How long a request waits for the store, and how long requests then skip it before it is tried again. */
const patienceMs = 500;
const pauseMs = 1_000;
/** How much sooner than memory the store's clock may let a request through. */
const slackMs = 50;

/**
 * Counts in the store and in memory. Memory decides when the store does not respond, and for requests over the limit
 * counting only what this process let through: a flood does not reach the store.
 */
export function withFallback(store: LimitStore, memory: MemoryLimits, logger: WarningLogger): Limits {
  let askAgainAt = Number.NEGATIVE_INFINITY;
  let isLost = false;

  async function ask<T>(question: () => Promise<T>, own: () => T): Promise<T> {
    if (performance.now() < askAgainAt) return own();
    const waiting = new AbortController();
    const late = sleep(patienceMs, undefined, { signal: waiting.signal }).then(() => {
      throw new Error("The shared limits do not answer in time.");
    });
    late.catch(() => undefined);
    try {
      const answer = await Promise.race([question(), late]);
      isLost = false;
      return answer;
    } catch (cause) {
      askAgainAt = performance.now() + pauseMs;
      if (!isLost) logger.warn("limits-not-shared", { cause });
      isLost = true;
      return own();
    } finally {
      waiting.abort();
    }
  }

  return {
    async take(name, limit) {
      const own = memory.look(name, limit);
      if (own.waitMs > slackMs) return own;
      const shared = await ask(
        () => store.take(toKey(name), limit),
        () => undefined,
      );
      if (shared === undefined) return memory.take(name, limit);
      if (shared.waitMs === 0) memory.take(name, limit);
      return shared;
    },
    waitMs: (names) =>
      ask(
        () => store.waitMs(names.map(toKey)),
        () => memory.waitMs(names),
      ),
    async fail(name, limit) {
      const own = memory.fail(name, limit);
      return ask(
        () => store.fail(toKey(name), limit),
        () => own,
      );
    },
    async forget(name) {
      memory.forget(name);
      await ask<void>(
        () => store.forget(toKey(name)),
        () => undefined,
      );
    },
  };
}

/** Names contain network and e-mail addresses, which the store must not see. */
function toKey(name: string): string {
  return hash("sha256", name, "base64url");
}

/** How often expired rows are removed, by time and by number of writes. */
const sweepEveryMs = 60_000;
const sweepEveryWrites = 10_000;

/** Counts in the table `limits`, one statement each. The table is unlogged: it need not survive a crash. */
export function createPostgresLimits(
  { read: db }: ReadableDatabase,
  { clock, capacity = defaultCapacity }: LimitStoreOptions = {},
): LimitStore {
  let sweptAt = performance.now();
  let writes = 0;
  const now = (): RawBuilder<number> =>
    clock ? sql<number>`${clock.now()}::float8` : sql<number>`(extract(epoch from now())::float8 * 1000)`;

  function noteWrite(): void {
    writes += 1;
    if (writes < sweepEveryWrites && performance.now() - sweptAt < sweepEveryMs) return;
    [writes, sweptAt] = [0, performance.now()];
    sweepRows(db, now(), capacity).catch(() => undefined);
  }

  return {
    async take(name, limit) {
      const { rows } = await takeStatement(`rate ${name}`, limit, now()).execute(db);
      noteWrite();
      return toStanding(limit, rows[0] ?? impossible());
    },
    async waitMs(names) {
      if (names.length === 0) return 0;
      const { rows } = await sql<{ waitMs: number | null }>`
        select max("untilMs") - ${now()} as "waitMs" from "limits" where "name" in (${sql.join(names.map(ofFailures))})`.execute(
        db,
      );
      return Math.max(0, rows[0]?.waitMs ?? 0);
    },
    async fail(name, limit) {
      const { rows } = await failStatement(ofFailures(name), limit, now()).execute(db);
      noteWrite();
      const { isCounted, waitMs } = rows[0] ?? impossible();
      return isCounted ? 0 : waitMs;
    },
    async forget(name) {
      await db.deleteFrom("limits").where("name", "=", ofFailures(name)).execute();
    },
  };
}

const ofFailures = (name: string): string => `failure ${name}`;

function impossible(): never {
  throw new Error("A statement that returns a row returned none.");
}

/** `excluded."untilMs"` is an interval from now. */
function takeStatement(name: string, { requests, windowMs }: RateLimit, now: RawBuilder<number>) {
  const intervalMs = sql`${windowMs / requests}::float8`;
  const after = sql`greatest("own"."untilMs" + ${intervalMs}, excluded."untilMs")`;
  const isAllowed = sql`${after} - excluded."untilMs" + ${intervalMs} - ${windowMs}::float8 <= ${roundingMs}::float8`;
  return sql<Bucket>`
    insert into "limits" as "own" ("name", "count", "untilMs", "isCounted")
    values (${name}, 0, ${now} + ${intervalMs}, true)
    on conflict ("name") do update set
      "isCounted" = ${isAllowed},
      "untilMs" = case when ${isAllowed} then ${after} else "own"."untilMs" end
    returning "isCounted" as "isTaken", "untilMs" as "fullAtMs", ${now} as "now"`;
}

function failStatement(name: string, limit: number, now: RawBuilder<number>) {
  const { quietMs } = failureWaits;
  const isWaiting = sql`"own"."untilMs" > ${now}`;
  const count = sql`case when ${now} < "own"."untilMs" + ${quietMs}::float8 then "own"."count" + 1 else 1 end`;
  return sql<{ isCounted: boolean; waitMs: number }>`
    insert into "limits" as "own" ("name", "count", "untilMs", "isCounted")
    values (${name}, 1, ${now} + ${waitAfter(sql`1`, limit)}, true)
    on conflict ("name") do update set
      "isCounted" = not (${isWaiting}),
      "count" = case when ${isWaiting} then "own"."count" else ${count} end,
      "untilMs" = case when ${isWaiting} then "own"."untilMs" else ${now} + ${waitAfter(count, limit)} end
    returning "isCounted", "untilMs" - ${now} as "waitMs"`;
}

function waitAfter(count: RawBuilder<unknown>, limit: number): RawBuilder<number> {
  const { firstMs, longestMs } = failureWaits;
  const beyond = sql`(${count} - ${limit}::bigint)`;
  return sql`case when ${beyond} < 0 then 0::float8
    else least(${longestMs}::float8, ${firstMs}::float8 * power(2::float8, least(${beyond}, 20)::float8)) end`;
}

/** Removes rows without effect, and those beyond the capacity. */
export async function sweepRows(db: Kysely<Tables>, now: RawBuilder<number>, capacity: number): Promise<void> {
  const limits = sql.table("limits");
  await sql`delete from ${limits} where "untilMs" < ${now} - ${failureWaits.quietMs}::float8`.execute(db);
  await sql`
    delete from ${limits} where "name" in (
      select "name" from ${limits} order by "untilMs", "name"
      limit greatest(0, (select count(*) from ${limits}) - ${capacity}::bigint))`.execute(db);
}

/** Counts requests in a sorted set, one script each, which Redis runs atomically. */
export function createRedisLimits(
  { commands, prefix }: RedisLink,
  { clock, capacity = defaultCapacity }: LimitStoreOptions = {},
): Pick<LimitStore, "take"> {
  const rates = `${prefix}:limits:rates`;
  return {
    async take(name, limit) {
      const { requests, windowMs } = limit;
      const given = [clock?.now() ?? "", capacity, name, windowMs / requests, windowMs, roundingMs];
      const answer = await commands.eval(takeScript, 1, rates, ...given);
      const [isTaken, fullAtMs = 0, now = 0] = Array.isArray(answer) ? answer.map(Number) : [];
      return toStanding(limit, { isTaken: isTaken === 1, fullAtMs, now });
    },
  };
}

/** Scores are exact numbers, which Lua's own conversion to text would round. A full bucket need not be stored. */
const takeScript = `
local rates, name = KEYS[1], ARGV[3]
local capacity, interval, window, rounding = tonumber(ARGV[2]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local now = tonumber(ARGV[1])
if now == nil then
  local time = redis.call("TIME")
  now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
end
local function exact(number) return string.format("%.17g", number) end
redis.call("ZREMRANGEBYSCORE", rates, "-inf", exact(now))
local before = math.max(now, tonumber(redis.call("ZSCORE", rates, name) or 0))
local after = before + interval
if after - now - window > rounding then return { "0", exact(before), exact(now) } end
redis.call("ZADD", rates, exact(after), name)
if redis.call("ZCARD", rates) > capacity then redis.call("ZPOPMIN", rates) end
return { "1", exact(after), exact(now) }`;
