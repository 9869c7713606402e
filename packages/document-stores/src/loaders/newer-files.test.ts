import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Database } from "@weft/database";
import { createScriptedEmbeddingServer } from "@weft/providers/testing";
import type { ChunkPage, DocumentStore, UpsertJob, UpsertResult } from "@weft/schema";
import type { KyselyPlugin } from "kysely";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { sendForm } from "../../../server/src/testing/send-form.ts";
import { openTestPlatform } from "../../../server/src/testing/test-platform.ts";

type Test = Parameters<typeof openTestPlatform>[0];
type File = [name: string, text: string];

/** A store for uploads, where something may happen at the moment after a loader was read. */
async function open(t: Test, databases: TestDatabases) {
  const model = await createScriptedEmbeddingServer();
  t.after(() => model.close());
  let meanwhile: (() => Promise<unknown>) | undefined;
  const readings = new WeakSet<object>();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (
        node.kind === "SelectQueryNode" &&
        /"documentLoaders".*"storeId"/.test(JSON.stringify(node.from) + JSON.stringify(node.where))
      )
        readings.add(queryId);
      return node;
    },
    async transformResult({ result, queryId }) {
      const happens = readings.has(queryId) ? meanwhile : undefined;
      if (happens) meanwhile = undefined;
      await happens?.();
      return result;
    },
  };
  let database: Database | undefined;
  const wrapDatabase = (opened: Database): Database => {
    database = { ...opened, read: opened.read.withPlugin(plugin) };
    return database;
  };
  const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: model.url };
  const platform = await openTestPlatform(t, databases, env, { wrapDatabase });
  const embeddingConfig = JSON.stringify({ name: "openai", config: { model: "scripted" } });
  const { id } = await platform.json<DocumentStore>("POST", "/document-store/store", {
    name: "Files",
    embeddingConfig,
  });
  const jobs = () => platform.json<UpsertJob[]>("GET", `/document-store/store/${id}/upserts`);
  return {
    jobs,
    async upload([name, text]: File, docId?: string): Promise<UpsertResult> {
      const fields: [string, string][] = docId === undefined ? [] : [["docId", docId]];
      const parts = [...fields, ["files", { name, type: "text/plain", bytes: text }]] as const;
      const response = await sendForm(platform, `/document-store/upsert/${id}`, parts);
      assert.equal(response.status, 200, await response.clone().text());
      return (await response.json()) as UpsertResult;
    },
    refresh: (docId: string) => platform.json("POST", `/document-store/refresh/${id}`, { items: [{ docId }] }),
    /** Lets something happen once, after the next reading of a loader. */
    onceRead(happens: () => Promise<unknown>) {
      meanwhile = happens;
    },
    accepted: (count: number) => platform.until(async () => ((await jobs()).length === count ? true : undefined)),
    async texts(docId: string) {
      const { chunks } = await platform.json<ChunkPage>("GET", `/document-store/chunks/${id}/${docId}/1`);
      return chunks.map(({ pageContent }) => pageContent).toSorted();
    },
    async storedFiles() {
      const rows = await (database as Database).read.selectFrom("documentFiles").select("name").execute();
      return rows.map(({ name }) => name).toSorted();
    },
  };
}

await onTestDatabase((databases) => {
  describe("a newer version of a file that comes", () => {
    test("while the older one is about to be loaded: both uploads succeed, and the newer one stays", async (t) => {
      const store = await open(t, databases);
      let newer: Promise<UpsertResult> | undefined;
      store.onceRead(async () => {
        newer = store.upload(["a.txt", "The second version."]);
        await store.accepted(2);
      });
      const older = await store.upload(["a.txt", "The first version."]);
      assert.equal((await newer)?.docId, older.docId);
      assert.deepEqual(
        (await store.jobs()).map(({ state }) => state),
        ["FINISHED", "FINISHED"],
      );
      assert.deepEqual(await store.texts(older.docId), ["The second version."]);
      assert.deepEqual(await store.storedFiles(), ["a.txt"]);
    });

    test("while another file is added to its loader: all of them stay", async (t) => {
      const store = await open(t, databases);
      const { docId } = await store.upload(["a.txt", "The first version."]);
      store.onceRead(() => store.upload(["a.txt", "The second version."], docId));
      const { failed } = await store.upload(["b.txt", "Something else."], docId);
      assert.deepEqual(failed, []);
      assert.deepEqual(await store.texts(docId), ["Something else.", "The second version."]);
      assert.deepEqual(await store.storedFiles(), ["a.txt", "b.txt"]);
    });

    test("while its loader is refreshed: the newer one stays", async (t) => {
      const store = await open(t, databases);
      const { docId } = await store.upload(["a.txt", "The first version."]);
      store.onceRead(() => store.upload(["a.txt", "The second version."], docId));
      await store.refresh(docId);
      assert.deepEqual(await store.texts(docId), ["The second version."]);
      assert.deepEqual(await store.storedFiles(), ["a.txt"]);
    });
  });
});
