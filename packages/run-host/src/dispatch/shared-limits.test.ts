import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { describe, type TestContext, test } from "node:test";
import { createMemoryLimits, type Limits } from "@weft/http";
import fc from "fast-check";
import { sql } from "kysely";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { openRedisLink } from "./redis-link.ts";
import {
  createLimits,
  createPostgresLimits,
  createRedisLimits,
  type LimitStore,
  type LimitStoreOptions,
  sweepRows,
  withFallback,
} from "./shared-limits.ts";
import { hasRedis, startTestRedis, type TestRedis } from "./testing/test-redis.ts";

const quiet = { warn: () => undefined };

/** Limits as processes open them, each call for another process on the same store. */
type Open = (options?: LimitStoreOptions) => Limits;

function createTime() {
  const time = { nowMs: 1_893_456_000_000.25 };
  return { time, clock: { now: () => time.nowMs } };
}

/** What all kinds of limits promise. */
function limitsContract(kind: string, prepare: (t: TestContext) => Promise<Open>): void {
  describe(`limits in ${kind}`, () => {
    test("let as many requests through at once as the limit says, then one for each interval", async (t) => {
      const { time, clock } = createTime();
      const { take } = (await prepare(t))({ clock });
      const limit = { requests: 3, windowMs: 1_000 };
      const standings = [];
      for (let index = 0; index < 4; index += 1) standings.push(await take("a", limit));
      assert.deepEqual(
        standings.map(({ remaining, waitMs }) => [remaining, waitMs]),
        [
          [2, 0],
          [1, 0],
          [0, 0],
          [0, 334],
        ],
      );
      assert.equal(standings[2]?.resetAtMs, Math.ceil(time.nowMs + 1_000));
      time.nowMs += 334;
      assert.equal((await take("a", limit)).waitMs, 0);
      assert.notEqual((await take("a", limit)).waitMs, 0);
    });

    test("a refused request costs nothing, and others are not touched by it", async (t) => {
      const { time, clock } = createTime();
      const { take } = (await prepare(t))({ clock });
      const limit = { requests: 1, windowMs: 1_000 };
      await take("a", limit);
      for (let index = 0; index < 50; index += 1) assert.equal((await take("a", limit)).waitMs, 1_000);
      assert.equal((await take("b", limit)).waitMs, 0);
      time.nowMs += 1_000;
      assert.equal((await take("a", limit)).waitMs, 0);
    });

    test("a limit that is changed holds at once", async (t) => {
      const { take } = (await prepare(t))({ clock: createTime().clock });
      await take("a", { requests: 1, windowMs: 60_000 });
      assert.notEqual((await take("a", { requests: 1, windowMs: 60_000 })).waitMs, 0);
      assert.equal((await take("a", { requests: 100, windowMs: 120_000 })).waitMs, 0);
    });

    test("failures bring waits that double, and are not counted meanwhile", async (t) => {
      const { time, clock } = createTime();
      const { fail, waitMs } = (await prepare(t))({ clock });
      for (let index = 0; index < 3; index += 1) assert.equal(await fail("a", 3), 0);
      for (const seconds of [30, 60, 120, 240, 480, 900, 900]) {
        assert.equal(await waitMs(["b", "a"]), seconds * 1_000);
        assert.equal(await fail("a", 3), seconds * 1_000);
        time.nowMs += seconds * 1_000 - 1;
        assert.equal(await waitMs(["a"]), 1);
        time.nowMs += 1;
        assert.equal(await waitMs(["a"]), 0);
        assert.equal(await fail("a", 3), 0);
      }
      assert.equal(await waitMs(["b"]), 0);
      assert.equal(await waitMs([]), 0);
    });

    test("failures are forgotten on request, and after fifteen quiet minutes", async (t) => {
      const { time, clock } = createTime();
      const { fail, forget, waitMs } = (await prepare(t))({ clock });
      await fail("a", 2);
      await forget("a");
      await fail("a", 2);
      assert.equal(await waitMs(["a"]), 0);
      time.nowMs += 15 * 60_000;
      await fail("a", 2);
      assert.equal(await waitMs(["a"]), 0);
      time.nowMs += 15 * 60_000 - 1;
      await fail("a", 2);
      assert.equal(await waitMs(["a"]), 30_000);
      await forget("a");
      assert.equal(await waitMs(["a"]), 0);
      await forget("unknown");
    });

    test("do what those in memory do, whatever comes in which order", async (t) => {
      const open = await prepare(t);
      let runs = 0;
      const name = fc.constantFrom("a", "b");
      const step = fc.oneof(
        fc.record({ kind: fc.constant("take" as const), name, requests: fc.integer({ min: 1, max: 7 }) }),
        fc.record({ kind: fc.constantFrom("fail" as const, "forget" as const, "waitMs" as const), name }),
        fc.record({ kind: fc.constant("pause" as const), ms: fc.constantFrom(0.1, 1, 90, 142.9, 30_000, 900_000) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
          runs += 1;
          const { time, clock } = createTime();
          const [tested, expected] = [open({ clock }), createMemoryLimits(clock)];
          for (const step of steps) {
            if (step.kind === "pause") time.nowMs += step.ms;
            else assertSame(await askFor(tested, step, runs), await askFor(expected, step, runs));
          }
        }),
        { numRuns: 40 },
      );
    });
  });
}

type Step = { kind: "take"; name: string; requests: number } | { kind: "fail" | "forget" | "waitMs"; name: string };

async function askFor(limits: Limits, step: Step, run: number): Promise<unknown> {
  const name = `${step.name} ${run}`;
  if (step.kind === "take") return limits.take(name, { requests: step.requests, windowMs: 1_000 });
  if (step.kind === "fail") return limits.fail(name, 3);
  return step.kind === "waitMs" ? limits.waitMs([name]) : limits.forget(name);
}

/** Sums of fractions may differ in their last bits. */
function assertSame(answer: unknown, expected: unknown): void {
  if (typeof answer === "number") assert.ok(Math.abs(answer - Number(expected)) < 0.01, `${answer} ${expected}`);
  else assert.deepEqual(answer, expected);
}

/** What limits promise that several processes count together. */
function sharedContract(kind: string, prepare: (t: TestContext) => Promise<Open>): void {
  limitsContract(kind, prepare);

  describe(`limits of many processes in ${kind}`, () => {
    test("of requests at the same moment let through what one process would", async (t) => {
      const open = await prepare(t);
      const processes = [open(), open(), open()];
      const limit = { requests: 10, windowMs: 3_600_000 };
      const takes = Array.from({ length: 60 }, async (_, index) => processes[index % 3]?.take("a", limit));
      const standings = await Promise.all(takes);
      assert.equal(standings.filter((standing) => standing?.waitMs === 0).length, 10);
      assert.ok(standings.every((standing) => standing !== undefined && standing.remaining < 10));
    });

    test("count as many failures at the same moment as one process would", async (t) => {
      const open = await prepare(t);
      const processes = [open(), open(), open()];
      const fails = Array.from({ length: 60 }, async (_, index) => processes[index % 3]?.fail("a", 5));
      assert.equal((await Promise.all(fails)).filter((waitMs) => waitMs === 0).length, 5);
      for (const { waitMs } of processes) assert.ok((await waitMs(["a"])) > 29_000);
      await processes[0]?.forget("a");
      assert.equal(await processes[1]?.waitMs(["a"]), 0);
    });

    test("go by the clock of the store", async (t) => {
      const { take } = (await prepare(t))();
      const { resetAtMs } = await take("a", { requests: 1, windowMs: 60_000 });
      assert.ok(Math.abs(resetAtMs - Date.now() - 60_000) < 20_000);
    });
  });
}

limitsContract(
  "memory",
  async () =>
    (options = {}) =>
      createMemoryLimits(options.clock ?? { now: Date.now }),
);

const openLink = async (t: TestContext, { url }: TestRedis) => {
  const link = await openRedisLink({ url, prefix: "test", logger: quiet });
  t.after(link.close);
  await until(async () => (link.commands.status === "ready" ? true : undefined));
  return link;
};

await forEachDatabase(({ name, openTestDatabase }) => {
  if (name === "sqlite") {
    test("a process with SQLite counts in memory", async (t) => {
      const database = await openTestDatabase(t);
      const { take } = createLimits({ database, link: undefined, clock: { now: () => 0 }, logger: quiet });
      assert.ok(!(take("a", { requests: 1, windowMs: 1 }) instanceof Promise));
    });
    return;
  }

  sharedContract("PostgreSQL", async (t) => {
    const database = await openTestDatabase(t);
    return (options) => createPostgresLimits(database, options);
  });

  if (hasRedis()) {
    sharedContract("PostgreSQL and Redis", async (t) => {
      const database = await openTestDatabase(t);
      const link = await openLink(t, await startTestRedis(t));
      return (options) => ({ ...createPostgresLimits(database, options), ...createRedisLimits(link, options) });
    });

    for (const what of ["is emptied", "is killed"] as const) {
      test(`when Redis ${what} nobody who waits is let in`, async (t) => {
        const database = await openTestDatabase(t);
        const redis = await startTestRedis(t);
        const open = async () =>
          createLimits({ database, link: await openLink(t, redis), clock: { now: Date.now }, logger: quiet });
        const [first, second] = [await open(), await open()];
        for (let index = 0; index < 3; index += 1) await first.fail("a", 3);
        if (what === "is killed") await redis.kill();
        else await (await openLink(t, redis)).commands.flushall();
        assert.ok((await second.waitMs(["a"])) > 20_000);
      });
    }
  }

  test("rows that say nothing any more go, and the table holds no more than its capacity", async (t) => {
    const database = await openTestDatabase(t);
    const { time, clock } = createTime();
    const { take, fail, waitMs } = createPostgresLimits(database, { clock });
    const sweep = (capacity: number) => sweepRows(database.read, sql`${time.nowMs}::float8`, capacity);
    const count = async () => (await database.read.selectFrom("limits").select("name").execute()).length;
    for (let index = 0; index < 20; index += 1) await take(`client ${index}`, { requests: 1, windowMs: 1_000 + index });
    await fail("a", 1);
    await sweep(100);
    assert.equal(await count(), 21);
    await sweep(10);
    assert.equal(await count(), 10);
    assert.equal(await waitMs(["a"]), 30_000, "it is free again last");
    time.nowMs += 900_000 + 30_000;
    await sweep(10);
    assert.equal(await count(), 1);
    time.nowMs += 1;
    await sweep(10);
    assert.equal(await count(), 0);
  });

  test("nothing that names a client is stored", async (t) => {
    const database = await openTestDatabase(t);
    const limits = createLimits({ database, link: undefined, clock: { now: Date.now }, logger: quiet });
    await limits.fail("email admin@example.org", 5);
    await limits.take("agent 203.0.113.7", { requests: 1, windowMs: 1_000 });
    const rows = await database.read.selectFrom("limits").select("name").execute();
    assert.equal(rows.length, 2);
    assert.doesNotMatch(JSON.stringify(rows), /admin|203/);
  });

  test("where the database has gone, each process counts for itself", async (t) => {
    const database = await openTestDatabase(t);
    const limits = createLimits({ database, link: undefined, clock: { now: Date.now }, logger: quiet });
    const limit = { requests: 2, windowMs: 3_600_000 };
    assert.equal((await limits.take("a", limit)).waitMs, 0);
    await sql`drop table "limits"`.execute(database.read);
    assert.equal((await limits.take("a", limit)).waitMs, 0);
    assert.ok((await limits.take("a", limit)).waitMs > 0);
    for (let index = 0; index < 5; index += 1) assert.equal(await limits.fail("b", 5), 0);
    assert.ok((await limits.fail("b", 5)) > 0);
  });
});

describe("limits that fall back on memory", () => {
  const limit = { requests: 2, windowMs: 1_000 };

  /** A store that does as the test says, over one in memory. */
  function start(act: (asked: number) => Promise<void>) {
    const { time, clock } = createTime();
    const there = createMemoryLimits(clock);
    const counted = { asked: 0, warned: 0 };
    const ask =
      <Given extends unknown[], T>(answer: (...given: Given) => T) =>
      async (...given: Given): Promise<T> => {
        counted.asked += 1;
        await act(counted.asked);
        return answer(...given);
      };
    const store: LimitStore = {
      take: ask(there.take),
      waitMs: ask(there.waitMs),
      fail: ask(there.fail),
      forget: ask(there.forget),
    };
    const logger = {
      warn() {
        counted.warned += 1;
      },
    };
    return { time, counted, there, limits: withFallback(store, createMemoryLimits(clock), logger) };
  }

  for (const [what, act] of [
    ["refuses", () => Promise.reject(new Error("Connection is closed."))],
    ["does not answer", () => new Promise<never>(() => undefined)],
  ] as const) {
    test(`neither open nor closed while the store ${what}, which is logged once`, async () => {
      const { limits, counted } = start(act);
      assert.equal((await limits.take("a", limit)).waitMs, 0);
      assert.equal((await limits.take("a", limit)).waitMs, 0);
      assert.equal((await limits.take("a", limit)).waitMs, 500);
      for (let index = 0; index < 3; index += 1) assert.equal(await limits.fail("a", 3), 0);
      assert.equal(await limits.fail("a", 3), 30_000);
      assert.equal(await limits.waitMs(["a"]), 30_000);
      await limits.forget("a");
      assert.equal(await limits.waitMs(["a"]), 0);
      assert.deepEqual(counted, { asked: 1, warned: 1 });
    });
  }

  test("ask the store again after a second, and take its word", async () => {
    const { limits, there, counted } = start(async (asked) => {
      if (asked === 1) throw new Error("Connection is closed.");
    });
    await limits.take("a", limit);
    const stored = hash("sha256", "a", "base64url");
    for (let index = 0; index < 2; index += 1) there.take(stored, limit);
    assert.equal((await limits.take("a", limit)).waitMs, 0, "memory does not know");
    await until(async () => {
      await limits.waitMs(["b"]);
      return counted.asked > 1 ? true : undefined;
    });
    assert.equal((await limits.take("a", { requests: 3, windowMs: 1_000 })).remaining, 0);
  });

  test("do not ask the store for what this process alone let through too often", async () => {
    const { limits, counted, time } = start(async () => undefined);
    for (let index = 0; index < 100; index += 1) await limits.take("a", limit);
    assert.equal(counted.asked, 2);
    time.nowMs += 500;
    assert.equal((await limits.take("a", limit)).waitMs, 0);
  });
});

if (hasRedis()) {
  test("Redis holds no more names than its capacity, and none that says nothing any more", async (t) => {
    const link = await openLink(t, await startTestRedis(t));
    const { time, clock } = createTime();
    const { take } = createRedisLimits(link, { clock, capacity: 10 });
    for (let index = 0; index < 20; index += 1) await take(`client ${index}`, { requests: 1, windowMs: 1_000 });
    const size = () => link.commands.zcard("test:limits:rates");
    assert.equal(await size(), 10);
    time.nowMs += 1_000;
    await take("client 20", { requests: 1, windowMs: 1_000 });
    assert.equal(await size(), 1);
  });

  for (const [what, disturb] of [
    ["is killed", (redis: TestRedis) => redis.kill()],
    ["freezes", async (redis: TestRedis) => redis.freeze()],
  ] as const) {
    test(`when Redis ${what} each process counts for itself, and together again afterwards`, async (t) => {
      const redis = await startTestRedis(t);
      const postgres = { dialect: "postgres" as const, read: undefined as never };
      const open = async () =>
        createLimits({ database: postgres, link: await openLink(t, redis), clock: { now: Date.now }, logger: quiet });
      const [first, second] = [await open(), await open()];
      const limit = { requests: 3, windowMs: 3_600_000 };
      assert.equal((await first.take("a", limit)).remaining, 2);
      assert.equal((await second.take("a", limit)).remaining, 1);
      await disturb(redis);
      assert.equal((await first.take("a", limit)).remaining, 1);
      assert.equal((await first.take("a", limit)).remaining, 0);
      assert.ok((await first.take("a", limit)).waitMs > 0);
      if (what === "freezes") redis.thaw();
      else await redis.start();
      await until(async () => {
        await first.take("b", limit);
        return (await second.take("b", limit)).waitMs > 0 ? true : undefined;
      });
    });
  }
}
