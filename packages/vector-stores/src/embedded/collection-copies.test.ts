import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import { toTestVector } from "@weft/providers/testing";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { openEmbeddedStore } from "../testing/bench.ts";
import { createCollectionCopies } from "./collection-copies.ts";
import { normalise } from "./matrix/vector-planes.ts";
import { findCollection, type HeldVectors, type StoredCollection, type VectorsLoading } from "./vector-record.store.ts";

const now = { signal: new AbortController().signal };
const dimension = 256;
const name = { collection: "copied", embedderId: "test", dimension };

function toRecords(from: number, to: number) {
  return Array.from({ length: to - from }, (_, index) => {
    const text = `item${from + index}`;
    return { id: randomUUID(), text, metadata: {}, vector: toTestVector(text, dimension) };
  });
}

await forEachDatabase((databases) => {
  async function startCopies(t: TestContext, waitMs: number) {
    const bench = await openEmbeddedStore(t, databases);
    const { read } = bench.database;
    const told: VectorsLoading[] = [];
    const shown: HeldVectors[] = [];
    const show = (held: HeldVectors) => void shown.push(held);
    const tell = (loading: VectorsLoading) => void told.push(loading);
    const copies = createCollectionCopies({ read, memoryBytes: 1e8, waitMs, toldRows: 1_000, tell, show });
    const find = async (text: string) => {
      const matrix = await copies.open((await findCollection(read, "copied")) as StoredCollection, name);
      const vector = toTestVector(text, dimension);
      normalise(vector);
      const [best] = matrix.search({ vector, limit: 1, accepts: undefined });
      const row = await read
        .selectFrom("vectorRecords")
        .select("text")
        .where("rowKey", "=", best?.key ?? 0)
        .executeTakeFirst();
      return { size: matrix.size, text: row?.text };
    };
    return { collection: await bench.open("copied", dimension), told, shown, find };
  }

  test("who does not want to wait for a large collection is told how far it is, and it is read to its end", async (t) => {
    const { collection, told, shown, find } = await startCopies(t, 0);
    await collection.upsert(toRecords(0, 3_500), now);
    const loading = {
      code: "vector-store-failed",
      retryable: true,
      message: /copied are still .* \(\d+ %\)\. Try again/,
    };
    await assert.rejects(find("item77"), loading);
    await assert.rejects(find("item77"), loading);
    while (told.at(-1)?.done !== 3_500) await new Promise(setImmediate);
    const found = await find("item77").catch(() => find("item77"));
    assert.deepEqual(found, { size: 3_500, text: "item77" });
    assert.ok(told.length >= 4, "every thousand, and the end");
    const [first, last] = [shown[0], shown.at(-1)];
    assert.ok(first?.loading && first.loading.done < 3_500 && first.loading.total === 3_500, JSON.stringify(first));
    assert.deepEqual([last?.collections, last?.loading], [1, null]);
    assert.ok((last?.bytes ?? 0) > (first?.bytes ?? 0), "it grew");
    assert.ok(told.every((each, index) => each.total === 3_500 && each.done >= (told[index - 1]?.done ?? 1_000)));
  });

  test("a collection that grew from one record to many is found right, with what was removed meanwhile gone", async (t) => {
    const { collection, find } = await startCopies(t, 60_000);
    const [first, ...others] = toRecords(0, 1_200);
    await collection.upsert([first as NonNullable<typeof first>], now);
    assert.deepEqual(await find("item0"), { size: 1, text: "item0" });
    await collection.upsert(others.slice(0, 20), now);
    assert.deepEqual(await find("item7"), { size: 21, text: "item7" });
    await collection.upsert(others, now);
    await collection.delete([first?.id as string, others[4]?.id as string], now);
    assert.deepEqual(await find("item700"), { size: 1_198, text: "item700" });
    assert.notEqual((await find("item5")).text, "item5");
    await collection.upsert(toRecords(5_000, 5_001), now);
    assert.deepEqual(await find("item5000"), { size: 1_199, text: "item5000" });
  });
});
