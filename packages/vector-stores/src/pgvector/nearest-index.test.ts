import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, type TestContext, test } from "node:test";
import { connectPostgres } from "@weft/database/postgres";
import type { VectorCollection, VectorSearch } from "@weft/engine/ports/vector-store";
import type { JsonObject } from "@weft/schema";
import { sql } from "kysely";
import { toTestVector } from "../../../providers/src/testing/test-vectors.ts";
import { services } from "../testing/bench.ts";
import { findNearest, isIndexed } from "./nearest-index.ts";
import { type PgvectorSchema, toVersionNumber } from "./pgvector-pools.ts";
import { createPgvectorStore, pgvectorTraits } from "./pgvector-store.ts";
import { openPgvectorDatabase } from "./testing/open-pgvector-database.ts";

const now = { signal: new AbortController().signal };
const { url: databaseUrl, close } = await openPgvectorDatabase();
after(close);

/** With one connection a store is closed only after its index is built. */
function openStore(indexedRows: number) {
  return createPgvectorStore({
    databaseUrl,
    permitsHost: () => true,
    openForeign: () => assert.fail("It is the platform's own database."),
    reveal: (text) => text,
    maxConnections: 1,
    indexedRows,
  });
}

type Bench = {
  /** Calls `use` with the collection of a new store, and closes that. */
  with<T>(use: (collection: VectorCollection) => Promise<T>): Promise<T>;
  /** How often the index was asked; undefined without one. */
  asked(): Promise<number | undefined>;
  ask<T>(use: (db: ReturnType<typeof connectPostgres<PgvectorSchema>>) => Promise<T>): Promise<T>;
};

async function startBench(t: TestContext, dimension: number, indexedRows: number): Promise<Bench> {
  const name = { collection: `test_${randomUUID()}`, embedderId: "test", dimension };
  const ask: Bench["ask"] = async (use) => {
    const db = connectPostgres<PgvectorSchema>({ connectionString: databaseUrl, max: 1 });
    return use(db).finally(() => db.destroy());
  };
  const bench: Bench = {
    async with(use) {
      const store = openStore(indexedRows);
      const collection = await store.definition.open(pgvectorTraits.config.parse({}), name, services);
      return use(collection).finally(() => store.close());
    },
    ask,
    asked: () =>
      ask(async (db) => {
        await sql`select pg_stat_force_next_flush()`.execute(db);
        const { rows } = await sql<{ scans: number }>`select pg_stat_get_numscans(indexrelid) as scans
          from pg_index, weft_vector_collections where collection = ${name.collection} and indisvalid
          and indexrelid = to_regclass('weft_vectors_' || collection_key || '_nearest')`.execute(db);
        return rows[0] && Number(rows[0].scans);
      }),
  };
  t.after(() => bench.with((collection) => collection.drop(now)));
  return bench;
}

function toRecords(dimension: number, from: number, to: number) {
  return Array.from({ length: to - from }, (_, index) => {
    const text = `item${from + index} of lot${(from + index) % 50}`;
    const metadata: JsonObject = { lot: (from + index) % 50, at: from + index };
    return { id: `id${from + index}`, text, metadata, vector: toTestVector(text, dimension) };
  });
}

function searchFor(text: string, dimension: number, options: Partial<VectorSearch> = {}): VectorSearch {
  return { text, vector: toTestVector(text, dimension), topK: 10, mode: "vector", ...now, ...options };
}

test("a collection that has become large is searched by an index, with what is filtered, changed and removed", async (t) => {
  const dimension = 64;
  const bench = await startBench(t, dimension, 500);
  const records = toRecords(dimension, 0, 700);
  const find = (text: string, options?: Partial<VectorSearch>) =>
    bench.with(async (collection) => {
      const found = await collection.search(searchFor(text, dimension, options));
      return found.map(({ id }) => id);
    });
  await bench.with((collection) => collection.upsert(records.slice(0, 499), now));
  assert.equal(await bench.asked(), undefined, "too few");
  const exact = await find("item77 of lot27", { topK: 5 });
  await bench.with((collection) => collection.upsert(records.slice(499), now));
  const before = await bench.asked();
  assert.equal(typeof before, "number");
  assert.equal((await find("item77 of lot27", { topK: 5 }))[0], exact[0]);
  assert.equal((await find("item690 of lot40", { mode: "hybrid" }))[0], "id690");
  await bench.with((collection) => collection.upsert(toRecords(dimension, 700, 701), now));
  assert.equal((await find("item700 of lot0"))[0], "id700", "what came later");
  await bench.with((collection) => collection.delete(["id77"], now));
  assert.ok(!(await find("item77 of lot27")).includes("id77"));
  const lot = await find("item7 of lot7", { topK: 100, filter: { lot: 7 } });
  assert.deepEqual(lot.toSorted(), Array.from({ length: 14 }, (_, index) => `id${7 + index * 50}`).toSorted());
  const early = await find("item650 of lot0", { topK: 100, filter: { at: { $lt: 20 } } });
  assert.equal(early.length, 20, "a filter that no key tells");
  assert.equal((await find("item7", { topK: 700 })).length, 700, "more than the index is asked for");
  assert.deepEqual(await find("item7", { filter: { lot: 51 } }), []);
  assert.equal(
    (await bench.with((collection) => collection.search({ ...searchFor("", dimension), topK: 3 }))).length,
    3,
  );
  assert.ok(((await bench.asked()) ?? 0) > (before ?? 0), "the index is used");
});

test("longer vectors are indexed by half their bits, and older versions compare exactly what they would lose", async (t) => {
  const dimension = 2_100;
  const bench = await startBench(t, dimension, 40);
  const records = toRecords(dimension, 0, 60);
  const large = records.map(({ vector, ...record }) => ({ ...record, vector: vector.map((value) => value * 1e6) }));
  await bench.with((collection) => collection.upsert(large, now));
  await bench.with((collection) => collection.upsert(large.slice(0, 5), now));
  const before = await bench.asked();
  assert.equal(typeof before, "number");
  const search = searchFor("item17 of lot17", dimension);
  const [found] = await bench.with((collection) => collection.search(search));
  assert.deepEqual([found?.id, found?.score.toFixed(4)], ["id17", "1.0000"]);
  const used = await bench.asked();
  assert.ok((used ?? 0) > (before ?? 0), "the index is used");
  const literal = `[${search.vector.join(",")}]`;
  const searchBy = (version: string, isFiltered: boolean) =>
    bench.ask(async (db) => {
      const stored = await db
        .selectFrom("weft_vector_collections")
        .selectAll()
        .select(isIndexed.as("is_indexed"))
        .where("dimension", "=", dimension)
        .executeTakeFirstOrThrow();
      const query = { literal, where: sql`and id <> 'id17'`, isFiltered, limit: 3 };
      return findNearest(db, { stored, version: toVersionNumber(version) }, query);
    });
  for (const [version, isFiltered] of [
    ["0.4.4", false],
    ["0.6.2", false],
    ["0.7.4", true],
  ] as const) {
    assert.equal((await searchBy(version, isFiltered)).length, 3, version);
  }
  assert.equal(await bench.asked(), used, "and do not ask it");
  assert.equal((await searchBy("0.7.4", false)).length, 3);
  assert.ok(((await bench.asked()) ?? 0) > (used ?? 0));
});

test("vectors that no index takes are compared exactly", async (t) => {
  const dimension = 4_100;
  const bench = await startBench(t, dimension, 5);
  await bench.with((collection) => collection.upsert(toRecords(dimension, 0, 10), now));
  assert.equal(await bench.asked(), undefined);
  const [found] = await bench.with((collection) => collection.search(searchFor("item3 of lot3", dimension)));
  assert.equal(found?.id, "id3");
});
