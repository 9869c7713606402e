import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createLogger } from "@weft/http/logger";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { createDatabaseDispatcher, type Dispatcher } from "./dispatcher.ts";
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
      receiver.onWake(async () => {
        woken += 1;
      });
      await until(async () => {
        sender.announce(randomUUID());
        await sleep(20);
        return woken > 0 ? true : undefined;
      });
    });

    test("goes on when what it wakes fails", async (t) => {
      const { sender, receiver } = await open(t);
      let woken = 0;
      receiver.onWake(() => {
        woken += 1;
        return Promise.reject(new Error("The database does not answer."));
      });
      await until(async () => {
        sender.announce(randomUUID());
        await sleep(20);
        return woken > 2 ? true : undefined;
      });
    });

    test("announces without waiting, and says nothing after its end", async (t) => {
      const { sender, receiver } = await open(t);
      let woken = 0;
      receiver.onWake(async () => {
        woken += 1;
      });
      await until(async () => {
        for (let n = 0; n < 1_000; n += 1) sender.announce(randomUUID());
        await sleep(20);
        return woken > 0 ? true : undefined;
      });
      await receiver.close();
      await sleep(100);
      const before = woken;
      sender.announce(randomUUID());
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
    const options = { url, prefix: "test", logger: quiet };
    const [sender, receiver] = [await openRedisDispatch(options), await openRedisDispatch(options)];
    t.after(async () => {
      for (const { dispatcher, link } of [sender, receiver]) {
        await dispatcher.close();
        await link.close();
      }
    });
    return { sender: sender.dispatcher, receiver: receiver.dispatcher };
  };

  dispatcherContract("BullMQ", async (t) => openPair(t, (await startTestRedis(t)).url));

  test("BullMQ wakes again when Redis is back, and nothing throws while it is gone, frozen or empty", async (t) => {
    const redis = await startTestRedis(t);
    const { sender, receiver } = await openPair(t, redis.url);
    let woken = 0;
    receiver.onWake(async () => {
      woken += 1;
    });
    const isWoken = (since: number) => async () => {
      sender.announce(randomUUID());
      await sleep(50);
      return woken > since ? true : undefined;
    };
    await until(isWoken(0));
    await redis.kill();
    for (let n = 0; n < 20_000; n += 1) sender.announce(randomUUID());
    await sleep(300);
    await redis.start();
    await until(isWoken(woken));
    redis.freeze();
    sender.announce(randomUUID());
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
    full.onWake(() => {
      atFull += 1;
      return room.promise;
    });
    free.onWake(async () => {
      atFree += 1;
    });
    for (let n = 0; n < 20; n += 1) sender.announce(randomUUID());
    await until(async () => (atFull + atFree === 20 ? true : undefined));
    room.resolve();
    assert.ok(atFull <= 1, `${atFull} jobs went to the process without room.`);
  });
}
