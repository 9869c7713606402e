// @tier long: it starts two servers.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuditPage } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { findBrokenAudit } from "../audit/index.ts";
import { openProcessBench } from "../testing/process-bench.ts";

await forEachDatabase((databases) => {
  if (databases.name !== "postgres") return;

  test("a hundred changes at once over two processes make one chain without a gap, and none is lost", async (t) => {
    const { start, storage } = await openProcessBench(t, databases);
    const both = await Promise.all([start(), start()]);
    const [first] = both;
    const changes = Array.from({ length: 100 }, (_, n) => {
      const server = both[n % 2] ?? first;
      // Prices are written in a serializable transaction, of which all but one would lose without the lock.
      return n % 5 === 0
        ? server.call("PUT", "/prices", { prices: {} })
        : server.call("POST", "/variables", { name: `v${n}`, value: "1", type: "string" });
    });
    await Promise.all(changes);
    const { data } = await first.call<AuditPage>("GET", "/audit?limit=200");
    assert.deepEqual(
      data.map(({ seq }) => seq),
      Array.from({ length: 100 }, (_, n) => 100 - n),
    );
    assert.equal(data.filter(({ action }) => action === "setPrices").length, 20);
    assert.equal(new Set(data.map(({ thing }) => thing.id)).size, 81);
    assert.equal((await first.call<unknown[]>("GET", "/variables")).length, 80);
    const database = await storage.open();
    t.after(() => database.close());
    assert.equal(await findBrokenAudit(database.read), undefined);
  });
});
