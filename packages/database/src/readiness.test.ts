import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "./database.ts";
import { createReadiness } from "./readiness.ts";
import { DatabaseUnavailableError } from "./storage-error.ts";

/** A database whose writes are settled by hand, and a clock that is set by hand. */
function createSettable() {
  const writes: PromiseWithResolvers<never>[] = [];
  const write = () => {
    const asked = Promise.withResolvers<never>();
    writes.push(asked);
    return asked.promise;
  };
  const clock = { now: 0 };
  const database: Pick<Database, "write"> = { write };
  return { writes, clock, deps: { database, now: () => clock.now } };
}

const settled = undefined as never;

test("askers share a check, and its outcome serves for a second", async () => {
  const { writes, clock, deps } = createSettable();
  const assertReady = createReadiness(deps);
  const asked = Promise.all([assertReady(), assertReady()]);
  writes[0]?.resolve(settled);
  await asked;
  clock.now = 999;
  await assertReady();
  assert.equal(writes.length, 1);
  clock.now = 1_000;
  const again = assertReady();
  assert.equal(writes.length, 2);
  writes[1]?.reject(new DatabaseUnavailableError("its disk is full", undefined));
  await assert.rejects(again, { reason: "its disk is full" });
  await assert.rejects(assertReady(), { reason: "its disk is full" });
  clock.now = 2_000;
  const recovered = assertReady();
  writes[2]?.resolve(settled);
  await recovered;
});

test("nobody waits longer than the patience, and no check is begun while one is under way", async () => {
  const { writes, clock, deps } = createSettable();
  const assertReady = createReadiness({ ...deps, patienceMs: 1 });
  await assert.rejects(assertReady(), { reason: "the database does not answer" });
  clock.now = 60_000;
  await assert.rejects(assertReady(), { reason: "the database does not answer" });
  assert.equal(writes.length, 1);
  writes[0]?.resolve(settled);
  await assertReady();
});
