import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, type TestContext, test } from "node:test";
import type { CollectionName, VectorCollection, VectorRecord, VectorSearch } from "@weft/engine/ports/vector-store";
import type { JsonObject } from "@weft/schema";
import { toTestVector } from "../../../providers/src/testing/test-vectors.ts";

/** A store as one process has it. */
export type StoreInstance = {
  open(name: CollectionName): Promise<VectorCollection>;
  close(): Promise<void>;
};

export type StoreUnderTest = {
  /** A store without the collections of the test. Each instance is like another process on the same data. */
  start(t: TestContext): Promise<{ createInstance(): Promise<StoreInstance> }>;
};

/** What every vector store promises (`VectorCollection` of the engine), as tests of one adapter. */
export function describeVectorStore(adapter: string, { start }: StoreUnderTest): void {
  const openOne = async (t: TestContext, name = newName()) => (await (await start(t)).createInstance()).open(name);

  describe(`vector store: ${adapter}`, () => {
    test("what was upserted is found, the nearest first, whole", async (t) => {
      const collection = await openOne(t);
      const metadata = { page: 3, draft: false, source: "käse.md", tags: ["a"], nested: { deep: null } };
      await collection.upsert(
        [toRecord("the cat sleeps on the warm roof", metadata), toRecord("stocks fell today")],
        now,
      );
      const [first, second, ...rest] = await collection.search(searchFor("a cat sleeps"));
      assert.deepEqual(rest, []);
      assert.equal(first?.text, "the cat sleeps on the warm roof");
      assert.deepEqual(first.metadata, metadata);
      assert.equal(second?.text, "stocks fell today");
      assert.ok(first.score > second.score);
    });

    test("an upsert replaces by id, a repeated one changes nothing, and of one id twice the last stays", async (t) => {
      const collection = await openOne(t);
      const id = randomUUID();
      const old = { ...toRecord("the old text about whales"), id };
      const other = toRecord("something about mountains");
      await collection.upsert([old, other], now);
      await collection.upsert([old, other], now);
      assert.equal(await collection.count(now), 2);
      const replaced = { ...toRecord("the new text about rockets", { version: 2 }), id };
      await collection.upsert([{ ...replaced, text: "lost" }, replaced], now);
      assert.equal(await collection.count(now), 2);
      for (const mode of ["vector", "keyword", "hybrid"] as const) {
        const [found] = await collection.search(searchFor("rockets", { mode }));
        assert.deepEqual([found?.id, found?.text, found?.metadata], [id, replaced.text, { version: 2 }], mode);
      }
      assert.deepEqual(await texts(collection, searchFor("whales", { mode: "keyword" })), []);
    });

    test("what is deleted is not found any more; unknown ids are no failure", async (t) => {
      const collection = await openOne(t);
      await collection.delete([randomUUID()], now);
      const records = ["alpha one", "alpha two", "alpha three"].map((text) => toRecord(text));
      await collection.upsert(records, now);
      assert.equal((await collection.search(searchFor("alpha"))).length, 3);
      await collection.delete([records[0]?.id as string, randomUUID()], now);
      for (const mode of ["vector", "keyword", "hybrid"] as const) {
        const found = await texts(collection, searchFor("alpha", { mode }));
        assert.deepEqual(found.toSorted(), ["alpha three", "alpha two"], mode);
      }
      assert.equal(await collection.count(now), 2);
      await collection.delete([], now);
      await collection.upsert([], now);
      assert.equal(await collection.count(now), 2);
    });

    test("filters by equal metadata: texts, numbers, booleans, all of them", async (t) => {
      const collection = await openOne(t);
      const odd = 'it\'s "odd": {[*]} \\ | & <-> !';
      await collection.upsert(
        [
          toRecord("red apple", { kind: "fruit", size: 1, ripe: true, note: odd }),
          toRecord("green apple", { kind: "fruit", size: 2.5, ripe: false }),
          toRecord("apple pie", { kind: "cake", size: 1, ripe: true, 'a."b" c': "x" }),
          toRecord("apple computer", { kind: ["fruit"], size: "1" }),
          toRecord("plain apple"),
        ],
        now,
      );
      const cases: [JsonObject, string[]][] = [
        [{ kind: "fruit" }, ["apple computer", "green apple", "red apple"]],
        [{ size: 1 }, ["apple pie", "red apple"]],
        [{ size: "1" }, ["apple computer"]],
        [{ size: 2.5 }, ["green apple"]],
        [{ ripe: true, kind: "cake" }, ["apple pie"]],
        [{ note: odd }, ["red apple"]],
        [{ 'a."b" c': "x" }, ["apple pie"]],
        [{ kind: "nothing" }, []],
        [{ kind: "fruit", size: 9 }, []],
      ];
      for (const [filter, expected] of cases) {
        for (const mode of ["vector", "keyword", "hybrid"] as const) {
          const found = await texts(collection, searchFor("apple", { filter, mode }));
          assert.deepEqual(found.toSorted(), expected, `${mode} ${JSON.stringify(filter)}`);
        }
      }
      assert.equal((await collection.search(searchFor("apple", { filter: {} }))).length, 5);
    });

    test("filters with operators mean the same everywhere, and fill topK", async (t) => {
      const collection = await openOne(t);
      const records: [string, JsonObject][] = [
        ["a", { kind: "fruit", size: 1, ripe: true, day: "2026-01-31", tags: ["red", "sweet"] }],
        ["b", { kind: "fruit", size: 2.5, ripe: false, day: "2026-02-01" }],
        ["c", { kind: "cake", size: 10, ripe: null, tags: [], nested: { deep: 1 } }],
        ["d", { kind: ["fruit", 7], size: "1", day: "2025-12-31T23:59:59Z" }],
        ["e", {}],
      ];
      await collection.upsert(
        records.map(([name, metadata]) => toRecord(`apple ${name}`, metadata)),
        now,
      );
      // Nearer than all of the above.
      await collection.upsert(
        Array.from({ length: 40 }, () => toRecord("apple", { kind: "noise", size: 5, day: "2026-01-01" })),
        now,
      );
      const noise = { kind: { $ne: "noise" } };
      const cases: [JsonObject, string][] = [
        [{ kind: { $eq: "fruit" } }, "abd"],
        [{ kind: 7 }, "d"],
        [{ tags: "sweet" }, "a"],
        [noise, "abcde"],
        [{ ...noise, size: { $ne: 1 } }, "bcde"],
        [{ kind: { $in: ["cake", 7, "nothing"] } }, "cd"],
        [{ kind: { $in: [] } }, ""],
        [{ kind: { $nin: ["cake", "noise"] } }, "abde"],
        [{ ...noise, size: { $gt: 1 } }, "bc"],
        [{ ...noise, size: { $gte: 1 } }, "abc"],
        [{ size: { $lt: 2.5 } }, "a"],
        [{ size: { $gte: 1, $lte: 2.5 } }, "ab"],
        [{ size: { $lte: "1" } }, "d"],
        [{ ...noise, day: { $gte: "2026-01-01", $lt: "2026-02-01" } }, "a"],
        [{ day: { $lt: "2026" } }, "d"],
        [{ tags: { $gt: "s" } }, "a"],
        [{ ...noise, size: { $exists: true } }, "abcd"],
        [{ size: { $exists: false } }, "e"],
        [{ ripe: { $exists: true } }, "ab"],
        [{ nested: { $exists: true } }, "c"],
        [{ $or: [{ kind: "cake" }, { ripe: true }] }, "ac"],
        [{ $or: [{ kind: "cake" }, { size: { $lt: 2 } }] }, "ac"],
        [{ $and: [{ kind: "fruit" }, { $or: [{ size: 1 }, { size: "1" }] }] }, "ad"],
        [{ $not: { $or: [{ kind: "noise" }, { size: { $gt: 2 } }] } }, "ade"],
        [{ $not: { $not: { kind: "cake" } } }, "c"],
        [{ size: { $gt: 100 } }, ""],
      ];
      for (const [filter, expected] of cases) {
        for (const mode of ["vector", "keyword", "hybrid"] as const) {
          const found = await texts(collection, searchFor("apple", { filter, mode, topK: 5 }));
          const names = found.map((text) => text.replace("apple ", "")).sort();
          assert.equal(names.join(""), expected, `${mode} ${JSON.stringify(filter)}`);
        }
      }
      await assert.rejects(collection.search(searchFor("apple", { filter: { size: { $near: 1 } } })), {
        code: "parameters-invalid",
        message: /\$near.*\$gte/s,
      });
    });

    test("at most topK, in every mode; an empty or missing collection has none", async (t) => {
      const collection = await openOne(t);
      for (const mode of ["vector", "keyword", "hybrid"] as const) {
        assert.deepEqual(await collection.search(searchFor("word", { mode })), []);
      }
      assert.equal(await collection.count(now), 0);
      await collection.upsert(
        Array.from({ length: 30 }, (_, index) => toRecord(`word number${index}`)),
        now,
      );
      for (const mode of ["vector", "keyword", "hybrid"] as const) {
        for (const topK of [1, 7, 30, 200]) {
          const found = await collection.search(searchFor("word number7", { mode, topK }));
          assert.equal(found.length, Math.min(topK, 30), `${mode} ${topK}`);
          assert.equal(found[0]?.text, "word number7");
          assert.ok(found.every(({ score }, index) => index === 0 || score <= (found[index - 1]?.score ?? 0)));
        }
      }
    });

    test("keyword search finds identifiers and rare words, whatever else is in the question", async (t) => {
      const collection = await openOne(t);
      await collection.upsert(
        [
          toRecord("Set max_retries in the file weft.config.json."),
          toRecord("The error ERR-4021 means that the disk is full."),
          toRecord("The error ERR-4022 means that the disk is slow."),
          toRecord("Of the disk and the file and the error we say nothing."),
        ],
        now,
      );
      const first = async (text: string) => (await texts(collection, searchFor(text, { mode: "keyword" })))[0];
      assert.match((await first("what is err-4022?")) ?? "", /ERR-4022/);
      assert.match((await first("MAX RETRIES")) ?? "", /max_retries/);
      assert.match((await first("where is config.json?")) ?? "", /config\.json/);
      await collection.upsert(
        Array.from({ length: 20 }, (_, index) => toRecord(`The relay number${index} is ready.`)),
        now,
      );
      await collection.upsert([toRecord("The anchor number99 is ready.")], now);
      assert.match((await first("is the relay or the anchor ready")) ?? "", /anchor/, "the rarer word counts for more");
      for (const text of ['"', "' OR 1=1 --", "NEAR(a b)", "*", "error* AND", "a:b ^ { } \\", "", "?!", "\u0000"]) {
        for (const mode of ["keyword", "hybrid"] as const) await collection.search(searchFor(text, { mode }));
      }
      assert.deepEqual(await texts(collection, searchFor("?!", { mode: "keyword" })), []);
    });

    test("texts and metadata come back character for character, and words of every writing are found", async (t) => {
      const collection = await openOne(t);
      const odd = ["", "a\u0000b \u0001", "😀 emoji", "日本語の文書", "Crème brûlée", "हिन्दी पाठ", "x".repeat(200_000)];
      await collection.upsert(
        odd.map((text) => toRecord(text, { text, ключ: "значение \u0000" })),
        now,
      );
      const found = await collection.search(searchFor("emoji", { topK: 20 }));
      assert.deepEqual(found.map(({ text }) => text).toSorted(), odd.toSorted());
      for (const { text, metadata } of found) assert.deepEqual(metadata, { text, ключ: "значение \u0000" });
      const cases = [
        ["文書", "日本語の文書"],
        ["creme BRULEE", "Crème brûlée"],
        ["हिन्दी", "हिन्दी पाठ"],
      ];
      for (const [question = "", expected] of cases) {
        assert.deepEqual(await texts(collection, searchFor(question, { mode: "keyword" })), [expected]);
      }
    });

    test("vectors of another embedder or length are refused, and nothing of them is written", async (t) => {
      const store = await start(t);
      const instance = await store.createInstance();
      const name = newName();
      const collection = await instance.open(name);
      await collection.upsert([toRecord("kept")], now);
      const others: CollectionName[] = [
        { ...name, embedderId: "other:model" },
        { ...name, dimension: 32 },
      ];
      for (const other of others) {
        const foreign = await instance.open(other);
        const vector = new Float32Array(other.dimension).fill(0.5);
        const error = { code: "embedding-mismatch", message: /Switch back to the first embedding model/ };
        await assert.rejects(foreign.upsert([{ ...toRecord("refused"), vector }], now), error);
        await assert.rejects(foreign.search({ ...searchFor("kept"), vector }), error);
      }
      const short = { ...toRecord("short"), vector: new Float32Array(3) };
      await assert.rejects(collection.upsert([toRecord("with it"), short], now), { code: "embedding-mismatch" });
      await assert.rejects(collection.search({ ...searchFor("kept"), vector: new Float32Array(3) }), {
        code: "embedding-mismatch",
      });
      assert.deepEqual(await texts(collection, searchFor("kept")), ["kept"]);
    });

    test("collections do not see each other, and a dropped one is gone and can be made again", async (t) => {
      const store = await start(t);
      const instance = await store.createInstance();
      const name = newName();
      const one = await instance.open(name);
      const two = await instance.open(newName());
      await one.upsert([toRecord("shared words in one", { k: 1 })], now);
      await two.upsert([toRecord("shared words in two", { k: 1 })], now);
      for (const mode of ["vector", "keyword", "hybrid"] as const) {
        assert.deepEqual(await texts(one, searchFor("shared words", { mode, filter: { k: 1 } })), [
          "shared words in one",
        ]);
        assert.deepEqual(await texts(two, searchFor("shared words", { mode })), ["shared words in two"]);
      }
      await one.drop(now);
      await one.drop(now);
      assert.equal(await one.count(now), 0);
      for (const mode of ["vector", "keyword", "hybrid"] as const) {
        assert.deepEqual(await one.search(searchFor("shared words", { mode })), []);
      }
      assert.deepEqual(await texts(two, searchFor("shared words")), ["shared words in two"]);
      const again = await instance.open({ ...name, embedderId: "another:model" });
      await again.upsert([toRecord("a new start")], now);
      assert.deepEqual(await texts(again, searchFor("shared words")), ["a new start"]);
    });

    test("5,000 records, each found by its own vector", async (t) => {
      const collection = await openOne(t);
      const records = Array.from({ length: 5_000 }, (_, index) => {
        return toRecord(`item${index} of lot${index % 50}`, { lot: index % 50 });
      });
      await collection.upsert(records, now);
      assert.equal(await collection.count(now), 5_000);
      for (const index of [0, 1_234, 4_999]) {
        const { vector, id } = records[index] as VectorRecord;
        const [found] = await collection.search({ ...searchFor("", { topK: 3 }), vector });
        assert.equal(found?.id, id);
      }
      const lot = await collection.search(searchFor("item7", { topK: 200, filter: { lot: 7 } }));
      assert.equal(lot.length, 100);
      assert.ok(lot.every(({ metadata }) => metadata.lot === 7));
      await collection.delete(
        records.slice(0, 4_990).map(({ id }) => id),
        now,
      );
      assert.equal((await collection.search(searchFor("item", { topK: 50 }))).length, 10);
    });

    test("upserts, deletions and searches at once leave what they say", async (t) => {
      const store = await start(t);
      const instance = await store.createInstance();
      const name = newName();
      const work = Array.from({ length: 8 }, async (_, worker) => {
        const collection = await instance.open(name);
        const records = Array.from({ length: 40 }, (_, index) => toRecord(`worker${worker} item${index}`));
        await collection.upsert(records, now);
        const found = await texts(collection, searchFor(`worker${worker}`, { mode: "keyword", topK: 100 }));
        assert.equal(found.filter((text) => text.startsWith(`worker${worker} `)).length, 40);
        await collection.delete(
          records.slice(0, 20).map(({ id }) => id),
          now,
        );
        // What others delete between a search's two steps is missing from its result.
        assert.ok((await collection.search(searchFor("item3", { topK: 5 }))).length <= 5);
      });
      await Promise.all(work);
      const collection = await instance.open(name);
      assert.equal(await collection.count(now), 160);
      assert.equal((await collection.search(searchFor("item", { topK: 500 }))).length, 160);
    });

    test("another instance and a later one see what was written and removed", async (t) => {
      const store = await start(t);
      const name = newName();
      const first = await store.createInstance();
      const second = await store.createInstance();
      const here = await first.open(name);
      const there = await second.open(name);
      const records = ["one pear", "two pears", "three pears"].map((text) => toRecord(text));
      await here.upsert(records, now);
      assert.equal((await there.search(searchFor("pears"))).length, 3);
      await here.delete([records[0]?.id as string], now);
      await there.upsert([toRecord("four pears")], now);
      for (const collection of [here, there]) {
        const found = await texts(collection, searchFor("pears"));
        assert.deepEqual(found.toSorted(), ["four pears", "three pears", "two pears"]);
      }
      await first.close();
      await second.close();
      const later = await (await store.createInstance()).open(name);
      assert.equal((await later.search(searchFor("pears", { mode: "hybrid" }))).length, 3);
      await (await (await store.createInstance()).open(name)).drop(now);
      assert.deepEqual(await later.search(searchFor("pears")), []);
    });

    test("an aborted call rejects with the signal's reason, and the collection goes on working", async (t) => {
      const collection = await openOne(t);
      await collection.upsert([toRecord("still here")], now);
      const reason = new Error("cancelled");
      const signal = AbortSignal.abort(reason);
      await assert.rejects(collection.upsert([toRecord("never")], { signal }), reason);
      await assert.rejects(collection.delete([randomUUID()], { signal }), reason);
      await assert.rejects(collection.search({ ...searchFor("here"), signal }), reason);
      await assert.rejects(collection.count({ signal }), reason);
      await assert.rejects(collection.drop({ signal }), reason);
      const controller = new AbortController();
      const pending = collection.search({ ...searchFor("here"), signal: controller.signal });
      controller.abort(reason);
      await assert.rejects(pending, reason);
      const many = Array.from({ length: 2_000 }, (_, index) => toRecord(`late ${index}`));
      const late = new AbortController();
      const writing = collection.upsert(many, { signal: late.signal });
      setTimeout(() => late.abort(reason), 5);
      await assert.rejects(writing, reason);
      assert.ok((await texts(collection, searchFor("still here"))).includes("still here"));
    });
  });
}

const now = { signal: new AbortController().signal };
const dimension = 64;

function newName(): CollectionName {
  return { collection: `test_${randomUUID()}`, embedderId: "test:words", dimension };
}

function toRecord(text: string, metadata: JsonObject = {}): VectorRecord {
  return { id: randomUUID(), vector: toTestVector(text, dimension), text, metadata };
}

function searchFor(text: string, options: Partial<VectorSearch> = {}): VectorSearch {
  return { vector: toTestVector(text, dimension), text, topK: 10, mode: "vector", ...now, ...options };
}

async function texts(collection: VectorCollection, search: VectorSearch): Promise<string[]> {
  return (await collection.search(search)).map(({ text }) => text);
}
