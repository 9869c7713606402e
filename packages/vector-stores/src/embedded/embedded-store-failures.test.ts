import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import type { VectorSearch } from "@weft/engine/ports/vector-store";
import { toTestVector } from "@weft/providers/testing";
import { createWorkerClient } from "@weft/workers";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { openEmbeddedStore } from "../testing/bench.ts";
import { openEmbeddedCollection } from "./embedded-store.ts";
import type { VectorsLoading } from "./vector-record.store.ts";

const signal = new AbortController().signal;
const dimension = 64;

function toRecords(prefix: string, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const text = `${prefix} item${index}`;
    return { id: randomUUID(), text, metadata: {}, vector: toTestVector(text, dimension) };
  });
}

function searchFor(text: string, mode: VectorSearch["mode"] = "vector"): VectorSearch {
  return { text, mode, topK: 3, vector: toTestVector(text, dimension), signal };
}

await forEachDatabase((databases) => {
  async function startStore(t: TestContext, memoryBytes: number) {
    const bench = await openEmbeddedStore(t, databases, { memoryBytes });
    return { ...bench, open: (collection: string) => bench.open(collection, dimension) };
  }

  test("a collection that does not fit in memory is refused in a sentence; words in it and other collections are found", async (t) => {
    const { open } = await startStore(t, 1024 * 1024);
    const [large, small] = [await open("large"), await open("small")];
    await large.upsert(toRecords("large", 5_000), { signal });
    await small.upsert(toRecords("small", 20), { signal });
    const refused = {
      code: "vector-store-failed",
      message: /large has more vectors than .* \(1 MB\)\. Raise VECTOR_MEM/,
    };
    for (const mode of ["vector", "hybrid"] as const) {
      await assert.rejects(large.search(searchFor("large item7", mode)), refused);
    }
    assert.equal((await large.search(searchFor("large item7", "keyword")))[0]?.text, "large item7");
    assert.equal((await small.search(searchFor("small item7")))[0]?.text, "small item7");
  });

  test("collections that fit in memory one at a time are all found, by turns and at once", async (t) => {
    const { open } = await startStore(t, 1024 * 1024);
    const names = ["one", "two", "three"];
    for (const name of names) await (await open(name)).upsert(toRecords(name, 2_500), { signal });
    const find = async (name: string) => {
      const [found] = await (await open(name)).search(searchFor(`${name} item1234`));
      assert.equal(found?.text, `${name} item1234`);
    };
    for (const name of [...names, ...names]) await find(name);
    await Promise.all([...names, ...names].map(find));
  });

  test("the process hears from the worker how far a large collection is read", async (t) => {
    const told: VectorsLoading[] = [];
    const onLoading = (loading: VectorsLoading) => void told.push(loading);
    const bench = await openEmbeddedStore(t, databases, { toldRows: 2_000, onLoading });
    const [large, small] = [await bench.open("large", dimension), await bench.open("small", dimension)];
    await large.upsert(toRecords("large", 3_000), { signal });
    await small.upsert(toRecords("small", 20), { signal });
    for (const collection of [small, large]) await collection.search(searchFor("item7"));
    assert.deepEqual(told.at(-1), { collection: "large", done: 3_000, total: 3_000 });
    assert.ok(told.every(({ collection }) => collection === "large"));
    assert.ok(told.some(({ done }) => done < 3_000));
  });

  test("a worker that dies while it searches is answered for, and another takes its place", async (t) => {
    const { database, open } = await startStore(t, 1024 * 1024);
    await (await open("kept")).upsert(toRecords("kept", 5), { signal });
    const dying =
      "import { parentPort } from 'node:worker_threads'; parentPort.once('message', () => { throw new Error('out of memory') })";
    const worker = createWorkerClient<never, never>({ url: new URL(`data:text/javascript,${dying}`), idleMs: 1_000 });
    t.after(worker.close);
    const name = { collection: "kept", embedderId: "test", dimension };
    const collection = openEmbeddedCollection(name, { database, worker, purge: async () => {} });
    const failed = { code: "vector-store-failed", retryable: true, message: /search ended: out of memory\. Try again/ };
    const both = [collection.search(searchFor("kept")), collection.search(searchFor("kept"))];
    for (const pending of both) await assert.rejects(pending, failed);
    await assert.rejects(collection.search(searchFor("kept")), failed);
    assert.equal(await collection.count({ signal }), 5);
    assert.equal((await (await open("kept")).search(searchFor("kept item3")))[0]?.text, "kept item3");
  });

  test("searches under way fail when the store is closed, and so do later ones", async (t) => {
    const { store, open } = await startStore(t, 64 * 1024 * 1024);
    const collection = await open("closed");
    await collection.upsert(toRecords("closed", 500), { signal });
    const closed = { code: "vector-store-failed", message: /search ended: it is closed/ };
    const pending = Array.from({ length: 20 }, () => assert.rejects(collection.search(searchFor("closed")), closed));
    await store.close();
    await Promise.all(pending);
    await assert.rejects(collection.search(searchFor("closed")), closed);
  });
});
