import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import type { Tables } from "@weft/database";
import type { Kysely } from "kysely";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import type { DocumentCheckRow } from "../tables.ts";
import * as store from "./check.store.ts";

const isolation = { isolation: "read-committed" } as const;
const minuteMs = 60_000;

await forEachDatabase((databases) => {
  async function open(t: TestContext) {
    const database = await (await databases.createTestStorage(t)).open();
    t.after(database.close);
    const storeId = randomUUID();
    const clock = { dialect: database.dialect, now: Date.now };
    const write = <T>(fn: (tx: Kysely<Tables>) => Promise<T>) => database.write(fn, isolation);
    await write((tx) => store.setCheck(tx, storeId, true));
    return {
      storeId,
      ask: () => write((tx) => store.askCheck(tx, clock, storeId)),
      due: () => store.listDueChecks(database.read, clock),
      claim: (leaseOwner: string) => write((tx) => store.claimCheck(tx, clock, { storeId, leaseOwner })),
      finish: (claimed: store.ClaimedCheck) => write((tx) => store.finishCheck(tx, clock, claimed)),
      fail: (claimed: store.ClaimedCheck) => write((tx) => store.failCheck(tx, clock, { ...claimed, error: "No." })),
      row: async () => (await store.findCheck(database.read, storeId)) as DocumentCheckRow,
      turn: (isOn: boolean) => write((tx) => store.setCheck(tx, storeId, isOn)),
      /** As if so much time had passed. */
      pass: (ms: number) =>
        write(async (tx) => {
          const { askedAt, dueAt, leaseUntil } = (await store.findCheck(tx, storeId)) as DocumentCheckRow;
          const earlier = { askedAt: askedAt - ms, dueAt: dueAt - ms, leaseUntil: leaseUntil - ms };
          await tx.updateTable("documentChecks").set(earlier).where("storeId", "=", storeId).execute();
        }),
    };
  }

  test("a check begins when upserts have been quiet, or after ten minutes at the latest", async (t) => {
    const { storeId, ask, due, pass } = await open(t);
    assert.deepEqual(await due(), []);
    await ask();
    assert.deepEqual(await due(), []);
    await pass(4_000);
    assert.deepEqual(await due(), [storeId]);
    await ask();
    assert.deepEqual(await due(), [], "another one has just ended");
    await pass(11 * minuteMs);
    await ask();
    assert.deepEqual(await due(), [storeId], "they never stop");
  });

  test("only one process claims a check, and one that lost the lease stores nothing", async (t) => {
    const { storeId, ask, due, claim, finish, pass, row } = await open(t);
    await ask();
    await pass(4_000);
    const claims = await Promise.all(["a", "b", "c", "d"].map(claim));
    const [first, ...others] = claims.filter((one) => one !== undefined);
    assert.deepEqual([first?.asked, others], [1, []]);
    assert.deepEqual(await due(), []);
    await pass(31_000);
    const second = await claim("e");
    assert.ok(first && second);
    await ask();
    assert.equal(await finish(first), false);
    assert.equal(await finish(second), true);
    assert.equal(await finish(second), false);
    const { asked, done, leaseOwner } = await row();
    assert.deepEqual({ asked, done, leaseOwner }, { asked: 2, done: 1, leaseOwner: "" });
    await pass(4_000);
    assert.deepEqual(await due(), [storeId], "what ended meanwhile owes another one");
  });

  test("a check that fails is tried five times with growing pauses, also when it is overdue", async (t) => {
    const { storeId, ask, due, claim, fail, pass, row } = await open(t);
    await ask();
    await pass(4_000);
    for (const minutes of [1, 2, 4, 8]) {
      await fail((await claim("a")) as store.ClaimedCheck);
      await pass(minutes * minuteMs - 20_000);
      assert.deepEqual(await due(), [], `${minutes} minutes`);
      await pass(20_000);
      assert.deepEqual(await due(), [storeId]);
    }
    assert.equal(await fail((await claim("a")) as store.ClaimedCheck), true);
    const { asked, done, error } = await row();
    assert.deepEqual({ asked, done, error }, { asked: 1, done: 1, error: "No." });
    await pass(60 * minuteMs);
    assert.deepEqual(await due(), []);
    await ask();
    await pass(4_000);
    assert.deepEqual(await due(), [storeId]);
  });

  test("turning it off gives up what is owed and under way, and upserts owe nothing then", async (t) => {
    const { ask, due, claim, finish, fail, pass, row, turn } = await open(t);
    await ask();
    await pass(4_000);
    const claimed = (await claim("a")) as store.ClaimedCheck;
    await turn(false);
    assert.deepEqual([await finish(claimed), await fail(claimed)], [false, false]);
    await ask();
    await turn(true);
    assert.deepEqual([await due(), (await row()).asked], [[], 0]);
  });
});
