import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { toTestVector } from "@weft/providers/testing";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { openEmbeddedStore } from "../testing/bench.ts";

const dimension = 64;
const now = { signal: new AbortController().signal };

await forEachDatabase((databases) => {
  test("what vectors take is known while they are in memory, and is nothing once they are given back", async (t) => {
    const { store, open } = await openEmbeddedStore(t, databases, { memoryBytes: 1e8, idleMs: 1_500 });
    const nothing = { bytes: 0, collections: 0, loading: null, limitBytes: 1e8 };
    const search = async (name: string) => {
      const collection = await open(name, dimension);
      const record = { id: randomUUID(), text: name, metadata: {}, vector: toTestVector(name, dimension) };
      await collection.upsert([record], now);
      const asked = { text: name, vector: record.vector, topK: 1, mode: "vector", filter: undefined } as const;
      await collection.search({ ...asked, ...now });
    };
    assert.deepEqual(store.memory(), nothing);
    await search("one");
    await search("two");
    const held = await until(() => (store.memory().collections === 2 ? store.memory() : undefined));
    assert.ok(held.bytes >= 2 * dimension, `${held.bytes}`);
    assert.deepEqual([held.loading, held.limitBytes], [null, 1e8]);
    await until(() => (store.memory().collections === 0 ? true : undefined));
    assert.deepEqual(store.memory(), nothing);
  });
});
