// @tier long: it kills processes and waits for others to take over.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { UpsertJob, UpsertResult } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import type { PlatformProcess } from "../../../server/src/testing/platform-process.ts";
import { bookOf, finished, newBookStore, openBook } from "../testing/open-book.ts";
import { batchSize } from "./write-chunks.ts";

const passages = 2_000;
const body = bookOf(passages);

await forEachDatabase((databases) => {
  describe("the same upsert several times", () => {
    test("at once and in sequence leaves one copy, and embeds every text once", async (t) => {
      const book = await openBook(t, databases);
      const servers = [await book.start()];
      if (databases.name === "postgres") servers.push(await book.start());
      const [one, other = one] = servers as [PlatformProcess, PlatformProcess?];
      const { id } = await newBookStore(one);
      const upsert = (server: PlatformProcess) =>
        server.call<UpsertResult>("POST", `/document-store/upsert/${id}`, body);
      const results = await Promise.all([one, other, one, other].map(upsert));
      results.push(await upsert(other), await upsert(one));
      assert.deepEqual(new Set(results.map(({ docId }) => docId)).size, 1);
      for (const { numAdded, numSkipped } of results) assert.equal(numAdded + numSkipped, passages);
      assert.deepEqual(
        results.slice(4).map(({ numAdded }) => numAdded),
        [0, 0],
      );
      const jobs = await one.call<UpsertJob[]>("GET", `/document-store/store/${id}/upserts`);
      assert.equal(jobs.filter(({ results: [result] }) => result?.numAdded === passages).length, 1);
      assert.equal(book.embedded(), passages);
      for (const server of servers) await server.kill("SIGKILL");
      const counts = { chunks: passages, fingerprints: 1, records: passages, vectors: passages };
      assert.deepEqual(await book.count(), { ...counts, history: jobs.length });
    });
  });

  describe("upserts of one loader with other metadata", () => {
    test("at once go one after the other: one adds, the others find it there", async (t) => {
      const book = await openBook(t, databases);
      const servers = [await book.start()];
      if (databases.name === "postgres") servers.push(await book.start());
      const [one, other = one] = servers as [PlatformProcess, PlatformProcess?];
      const { id } = await newBookStore(one);
      const results = await Promise.all(
        [one, other, one].map((server, edition) =>
          server.call<UpsertResult>("POST", `/document-store/upsert/${id}`, { ...bookOf(500), metadata: { edition } }),
        ),
      );
      assert.deepEqual(results.map(({ numAdded }) => numAdded).toSorted(), [0, 0, 500]);
      for (const { numAdded, numUpdated, numSkipped, numDeleted } of results) {
        assert.deepEqual([numAdded + numUpdated + numSkipped, numDeleted], [500, 0]);
      }
      for (const server of servers) await server.kill("SIGKILL");
      assert.deepEqual(await book.count(), { chunks: 500, fingerprints: 1, records: 500, vectors: 500, history: 3 });
    });
  });

  if (databases.name !== "postgres") return;

  describe("two processes on one PostgreSQL", () => {
    test("the one goes on with what the other, killed, had begun; a third request waits for it", async (t) => {
      const book = await openBook(t, databases);
      const [one, other] = [await book.start({ isKilled: true }), await book.start()];
      const { id } = await newBookStore(one);
      const job = await one.call<UpsertJob>("POST", `/document-store/store/${id}/upserts`, body);
      await book.asked(3);
      await one.kill("SIGKILL");
      const second = { ...body, metadata: { edition: "second" } };
      const next = await other.call<UpsertJob>("POST", `/document-store/store/${id}/upserts`, second);
      assert.equal((await finished(other, job)).results[0]?.numAdded, passages);
      assert.ok(book.embedded() <= 2 * (passages + batchSize), `${book.embedded()} texts were embedded`);
      const [updated] = (await finished(other, next)).results;
      assert.deepEqual([updated?.numAdded, updated?.numUpdated], [0, passages]);
      const counts = { chunks: passages, fingerprints: 1, records: passages, vectors: passages };
      assert.deepEqual(await book.count(), { ...counts, history: 2 });
    });

    test("one that stood still until its upsert was finished, and what it wrote replaced, writes nothing more", async (t) => {
      const book = await openBook(t, databases, [undefined, undefined, { lateMs: 2_000 }]);
      const [one, other] = [await book.start({ isKilled: true }), await book.start()];
      const { id } = await newBookStore(one);
      const job = await one.call<UpsertJob>("POST", `/document-store/store/${id}/upserts`, body);
      await book.asked(3);
      one.freeze();
      const [added] = (await finished(other, job)).results;
      assert.equal(added?.numAdded, passages);
      const cleaned = { docId: added?.docId, replaceExisting: true, deleteEmbeddings: true };
      const next = { ...bookOf(500, "Page"), ...cleaned };
      const replaced = await other.call<UpsertResult>("POST", `/document-store/upsert/${id}`, next);
      assert.deepEqual([replaced.numAdded, replaced.numDeleted], [500, passages]);
      one.thaw();
      // It ends when what it had begun has.
      await one.kill("SIGTERM");
      assert.deepEqual(await book.count(), { chunks: 500, fingerprints: 1, records: 500, vectors: 500, history: 2 });
    });
  });
});
