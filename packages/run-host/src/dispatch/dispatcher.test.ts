import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createLogger } from "@weft/http/logger";
import { forEachDatabase, openTestStorage } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { createDatabaseDispatcher, type Dispatcher, farMs } from "./dispatcher.ts";
import { openRedisDispatch } from "./queue-dispatcher.ts";
import { hasRedis, startTestRedis } from "./testing/test-redis.ts";

/** Two processes that tell each other what is ready. */
type Pair = { sender: Dispatcher; receiver: Dispatcher };

const quiet = createLogger({ level: "silent", write: () => undefined, now: Date.now });

/** What every dispatcher promises. */
function dispatcherContract(name: string, open: (t: TestContext) => Promise<Pair>): void {
  describe(`a dispatcher by ${name}`, () => {
    test("wakes a process for what another one announces", async (t) => {
      const { sender, receiver } = await open(t);
      let woken = 0;
      receiver.onWake("runs", async () => {
        woken += 1;
      });
      await until(async () => {
        sender.announce("runs");
        await sleep(20);
        return woken > 0 ? true : undefined;
      });
    });

    test("goes on when what it wakes fails", async (t) => {
      const { sender, receiver } = await open(t);
      let woken = 0;
      receiver.onWake("runs", () => {
        woken += 1;
        return Promise.reject(new Error("The database does not answer."));
      });
      await until(async () => {
        sender.announce("runs");
        await sleep(20);
        return woken > 2 ? true : undefined;
      });
    });

    test("wakes a process when a moment has come that another one announced, and not before", async (t) => {
      const { sender, receiver } = await open(t);
      const woken: number[] = [];
      receiver.onWake("due", async () => void woken.push(Date.now()));
      await until(async () => {
        sender.announce("due");
        await sleep(50);
        return woken.length > 0 ? true : undefined;
      });
      // What was announced in vain may still come.
      await sleep(500);
      woken.length = 0;
      const at = Date.now() + 400;
      sender.announce("due", at);
      await until(() => (woken.length > 0 ? true : undefined));
      assert.ok(Math.min(...woken) >= at, `${woken} is before ${at}`);
    });

    test("wakes at once for what is due already, every listener until it goes, and for that kind of work alone", async (t) => {
      const { sender, receiver } = await open(t);
      const woken = { first: 0, second: 0, runs: 0 };
      const count = (name: keyof typeof woken) => async () => {
        woken[name] += 1;
      };
      receiver.onWake("runs", count("runs"));
      const goAway = receiver.onWake("due", count("first"));
      receiver.onWake("due", count("second"));
      const announced = async () => {
        sender.announce("due");
        sender.announce("due", Date.now() - 60_000);
        await sleep(100);
      };
      await until(async () => {
        await announced();
        return woken.first > 0 && woken.second > 0 ? true : undefined;
      });
      goAway();
      const before = { ...woken };
      await until(async () => {
        await announced();
        return woken.second > before.second + 1 ? true : undefined;
      });
      assert.ok(woken.first <= before.first + 1, "what was under way may still arrive once");
      assert.equal(woken.runs, 0);
    });

    test("leaves what is far away to those who look", async (t) => {
      const { sender, receiver } = await open(t);
      let woken = 0;
      receiver.onWake("due", async () => {
        woken += 1;
      });
      sender.announce("due", Date.now() + farMs + 1_000);
      sender.announce("due", Number.MAX_SAFE_INTEGER);
      await sleep(300);
      assert.equal(woken, 0);
    });

    test("announces without waiting, and says nothing after its end", async (t) => {
      const { sender, receiver } = await open(t);
      let woken = 0;
      receiver.onWake("runs", async () => {
        woken += 1;
      });
      await until(async () => {
        for (let n = 0; n < 1_000; n += 1) sender.announce("runs");
        await sleep(20);
        return woken > 0 ? true : undefined;
      });
      await receiver.close();
      await sleep(100);
      const before = woken;
      sender.announce("runs");
      await sleep(200);
      assert.equal(woken, before);
    });
  });
}

await forEachDatabase(({ name, createTestStorage }) => {
  if (name === "sqlite") return;
  dispatcherContract("the database", async (t) => {
    const storage = await createTestStorage(t);
    const [first, second] = [await storage.open(), await storage.open()];
    t.after(() => Promise.all([first.close(), second.close()]));
    return { sender: createDatabaseDispatcher(first.signals), receiver: createDatabaseDispatcher(second.signals) };
  });
});

if (hasRedis()) {
  const openPair = async (t: TestContext, url: string) => {
    const database = await (await openTestStorage("sqlite", t)).open();
    const options = { url, prefix: "test", database, logger: quiet };
    const [sender, receiver] = [await openRedisDispatch(options), await openRedisDispatch(options)];
    t.after(async () => {
      for (const { dispatcher, link } of [sender, receiver]) {
        await dispatcher.close();
        await link.close();
      }
      await database.close();
    });
    return { sender: sender.dispatcher, receiver: receiver.dispatcher };
  };

  dispatcherContract("BullMQ", async (t) => openPair(t, (await startTestRedis(t)).url));

  test("BullMQ wakes again when Redis is back, and nothing throws while it is gone, frozen or empty", async (t) => {
    const redis = await startTestRedis(t);
    const { sender, receiver } = await openPair(t, redis.url);
    let woken = 0;
    receiver.onWake("runs", async () => {
      woken += 1;
    });
    const isWoken = (since: number) => async () => {
      sender.announce("runs");
      await sleep(50);
      return woken > since ? true : undefined;
    };
    await until(isWoken(0));
    await redis.kill();
    for (let n = 0; n < 20_000; n += 1) sender.announce("runs");
    await sleep(300);
    await redis.start();
    await until(isWoken(woken));
    redis.freeze();
    sender.announce("runs");
    await sleep(300);
    redis.thaw();
    await until(isWoken(woken));
  });

  test("BullMQ gives a job to one process, and to the one that has room", async (t) => {
    const redis = await startTestRedis(t);
    const { sender, receiver: full } = await openPair(t, redis.url);
    const { receiver: free } = await openPair(t, redis.url);
    const room = Promise.withResolvers<void>();
    let [atFull, atFree] = [0, 0];
    full.onWake("runs", () => {
      atFull += 1;
      return room.promise;
    });
    free.onWake("runs", async () => {
      atFree += 1;
    });
    for (let n = 0; n < 20; n += 1) sender.announce("runs");
    await until(async () => (atFull + atFree === 20 ? true : undefined));
    room.resolve();
    assert.ok(atFull <= 1, `${atFull} jobs went to the process without room.`);
  });
}
