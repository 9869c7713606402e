import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Database } from "@weft/database";
import { createScriptedEmbeddingServer } from "@weft/providers/testing";
import type { ChunkPage, DocumentStore, UpsertHistoryRecord, UpsertJob, UpsertResult } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform } from "../../../server/src/testing/test-platform.ts";
import { bookOf } from "../testing/open-book.ts";
import { createUpsertTidier } from "./upsert-settlement.ts";

type Test = Parameters<typeof openTestPlatform>[0];

const dayMs = 86_400_000;
const signal = new AbortController().signal;

/** A store with a loader that was upserted, and then, with another text, could not be. */
async function open(t: Test, databases: TestDatabases) {
  const refused = { status: 401, body: { error: { message: "No such key." } } };
  const model = await createScriptedEmbeddingServer({ script: [undefined, refused] });
  t.after(() => model.close());
  let database: Database | undefined;
  const wrapDatabase = (opened: Database) => {
    database = opened;
    return opened;
  };
  const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: model.url };
  const platform = await openTestPlatform(t, databases, env, { wrapDatabase });
  assert.ok(database);
  const { read } = database;
  const embeddingConfig = JSON.stringify({ name: "openai", config: { model: "scripted" } });
  const store = { name: "Book", embeddingConfig };
  const { id } = await platform.json<DocumentStore>("POST", "/document-store/store", store);
  const { docId } = await platform.json<UpsertResult>("POST", `/document-store/upsert/${id}`, bookOf(10));
  const failed = await platform.send("POST", `/document-store/upsert/${id}`, { ...bookOf(450), docId });
  assert.equal(failed.status, 500);
  const countOf = async (table: "documentChunks" | "upsertJobs") =>
    (await read.selectFrom(table).select("storeId").execute()).length;
  const tidy = (retentionMs: number, laterMs = 0) => {
    const clock = { now: () => Date.now() + laterMs, sleep: async () => undefined };
    return createUpsertTidier({ database: database as Database, clock, retentionMs })(signal);
  };
  const states = async () =>
    (await platform.json<UpsertJob[]>("GET", `/document-store/store/${id}/upserts`)).map(({ state }) => state);
  const current = () => platform.json<ChunkPage>("GET", `/document-store/chunks/${id}/${docId}/1`);
  const openJob = () => {
    const row = { runId: "open", storeId: id, agentId: "", requestHash: "", state: "open", result: null, spec: "{}" };
    const createdDate = new Date(0).toISOString();
    return (database as Database).write((tx) =>
      tx
        .insertInto("upsertJobs")
        .values({ ...row, createdDate })
        .execute(),
    );
  };
  return { platform, id, countOf, tidy, states, current, openJob };
}

await onTestDatabase((databases) => {
  describe("what upserts leave", () => {
    test("the chunks that a failed one had staged go; the current ones, and what people see of both, stay", async (t) => {
      const { countOf, tidy, states, current } = await open(t, databases);
      assert.equal(await countOf("documentChunks"), 460);
      await tidy(0, 1_000 * dayMs);
      assert.equal(await countOf("documentChunks"), 10);
      assert.equal((await current()).count, 10);
      assert.deepEqual(await states(), ["FAILED", "FINISHED"]);
    });

    test("upserts that were accepted before the retention time go, with nothing of the store; an open one never", async (t) => {
      const { platform, id, countOf, tidy, states, current, openJob } = await open(t, databases);
      await tidy(7 * dayMs, 6 * dayMs);
      assert.deepEqual(await states(), ["FAILED", "FINISHED"]);
      await openJob();
      await tidy(7 * dayMs, 8 * dayMs);
      assert.equal(await countOf("upsertJobs"), 1);
      assert.equal((await current()).count, 10);
      const history = await platform.json<UpsertHistoryRecord[]>("GET", `/upsert-history/${id}`);
      assert.equal(history.length, 1);
    });
  });
});
