// @tier long: it kills processes and waits for others to take over.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { DocumentStore, UpsertHistoryRecord, UpsertJob, VectorQueryResult } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { bookOf, finished, newBookStore, openBook, passageOf } from "../testing/open-book.ts";
import { batchSize } from "./write-chunks.ts";

/** Each with the requests for embeddings after which the process is killed; the last has one for each batch. */
const kills: [when: string, passages: number, requests: number][] = [
  ["while it loads", 1_000, 0],
  ["in its first batch", 1_000, 1],
  ["in the middle of ten thousand", 10_000, 20],
  ["in its last batch", 1_000, 4],
];

await forEachDatabase((databases) => {
  describe("an upsert whose process is killed", () => {
    for (const [when, passages, requests] of kills) {
      test(`${when} is completed after the restart, with exact counts and one copy`, async (t) => {
        const book = await openBook(t, databases);
        const body = bookOf(passages);
        const first = await book.start({ isKilled: true });
        const store = await newBookStore(first);
        const job = await first.call<UpsertJob>("POST", `/document-store/store/${store.id}/upserts`, body);
        await book.asked(requests);
        await first.kill("SIGKILL");

        const second = await book.start();
        const attached = await second.call<UpsertJob>("POST", `/document-store/store/${store.id}/upserts`, body);
        const done = await finished(second, job);
        assert.equal(done.state, "FINISHED", JSON.stringify(done.error));
        const { docId = "", ...counts } = done.results[0] ?? {};
        assert.deepEqual(counts, { numAdded: passages, numUpdated: 0, numDeleted: 0, numSkipped: 0 });
        assert.deepEqual([done.chunks, done.written], [passages, passages]);
        const again = await finished(second, attached);
        const added = again.id === job.id ? passages : 0;
        assert.equal(again.results[0]?.numAdded, added, "the same request attached, or found it done");
        const after = await second.call<DocumentStore>("GET", `/document-store/store/${store.id}`);
        assert.deepEqual([after.status, after.totalChunks], ["UPSERTED", passages]);
        const history = await second.call<UpsertHistoryRecord[]>("GET", `/upsert-history/${store.id}`);
        assert.equal(history.filter(({ result }) => JSON.parse(result).numAdded === passages).length, 1);
        // Two batches may be under way at once.
        assert.ok(book.embedded() <= passages + 2 * batchSize, `${book.embedded()} texts were embedded`);
        const query = { storeId: store.id, query: passageOf(passages - 6), topK: 3 };
        const { docs } = await second.call<VectorQueryResult>("POST", "/document-store/vectorstore/query", query);
        assert.equal(docs.filter(({ pageContent }) => pageContent === query.query).length, 1);
        assert.equal(docs[0]?.metadata.docId, docId);

        await second.kill("SIGKILL");
        assert.deepEqual(await book.count(), {
          chunks: passages,
          fingerprints: 1,
          records: passages,
          vectors: passages,
          history: history.length,
        });
      });
    }

    test("and that is cancelled goes back to the state before; the next one adds the rest", async (t) => {
      const passages = 2_000;
      const book = await openBook(t, databases, [...Array(6), { hang: true }, { hang: true }]);
      const server = await book.start();
      const { id } = await newBookStore(server);
      const body = bookOf(passages);
      const job = await server.call<UpsertJob>("POST", `/document-store/store/${id}/upserts`, body);
      await book.asked(8);
      assert.equal((await server.send("DELETE", `/document-store/vectorstore/${id}`)).status, 409);
      const cancelled = await server.call<UpsertJob>("POST", `/document-store/upserts/${job.id}/cancel`);
      assert.equal(cancelled.state, "CANCELLED");
      assert.equal((await server.call<DocumentStore>("GET", `/document-store/store/${id}`)).status, "NEW");
      const next = await server.call<UpsertJob>("POST", `/document-store/store/${id}/upserts`, body);
      const [{ numAdded, numSkipped } = { numAdded: 0, numSkipped: 0 }] = (await finished(server, next)).results;
      assert.equal(numAdded + numSkipped, passages);
      assert.ok(numSkipped >= batchSize, "what was written before is not embedded again");
    });
  });
});
