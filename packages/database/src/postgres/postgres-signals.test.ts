import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "kysely";
import type { Database } from "../database.ts";
import { openDatabase } from "../open-database.ts";
import { forEachDatabase } from "../testing/test-databases.ts";
import { until } from "../testing/until.ts";

/** Sends until it is heard: a listener that was just made may not listen yet. */
async function untilHeard(send: () => Promise<void>, heard: readonly string[]): Promise<void> {
  await until(async () => {
    await send();
    return heard[0];
  });
}

await forEachDatabase(({ name, createTestStorage }) => {
  if (name === "sqlite") return;

  test("another process hears what a transaction says when it commits, and after its connection was lost", async (t) => {
    // Closed before its database is removed: hooks run in the order of their registration.
    let opened: Database | undefined;
    t.after(() => opened?.close());
    const storage = await createTestStorage(t);
    const sender = await storage.open();
    // By its name this test finds the connection of its own listener alone.
    const ownName = `weft-${randomUUID()}`;
    const listener = await openDatabase({
      ...storage,
      databaseUrl: `${storage.databaseUrl}?application_name=${ownName}`,
      times: { reconnectAfterMs: 50 },
    });
    opened = listener;
    const heard: string[] = [];
    const stop = listener.signals.hear("run-cancel-requested", (text) => heard.push(text));
    const say = (text: string) => sender.write((tx) => sender.signals.send(tx, "run-cancel-requested", text));
    await untilHeard(() => say("a run"), heard);
    assert.equal(heard[0], "a run");

    await assert.rejects(
      sender.write(async (tx) => {
        await sender.signals.send(tx, "run-cancel-requested", "rolled back");
        throw new Error("no");
      }),
    );
    const listening = sql<{ pid: number }>`
      select pid from pg_stat_activity where query = 'listen weft' and application_name = ${ownName}`;
    const { rows } = await listening.execute(sender.read);
    assert.equal(rows.length, 1);
    heard.length = 0;
    await sql`select pg_terminate_backend(${rows[0]?.pid}::int)`.execute(sender.read);
    await untilHeard(() => say("another"), heard);
    assert.ok(!heard.includes("rolled back"));

    stop();
    heard.length = 0;
    await say("nobody hears it");
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.deepEqual(heard, []);
  });
});
