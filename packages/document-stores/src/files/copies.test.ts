import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Database } from "@weft/database";
import { createScriptedEmbeddingServer, type ScriptedEmbeddingOptions } from "@weft/providers/testing";
import type { ChunkPage, DocumentStore, JsonObject, UpsertResult } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { sendForm } from "../../../server/src/testing/send-form.ts";
import { openTestPlatform } from "../../../server/src/testing/test-platform.ts";
import { createUpsertTidier } from "../upserts/upsert-settlement.ts";

type Test = Parameters<typeof openTestPlatform>[0];
type Same = { document: string; loaderId: string; loaderName: string; source: string };
type Loader = { id: string; sameAs: Same[]; isCopy: boolean };

const handbook = "Refunds take five days.\n\nParcels leave on Mondays.";
const prices = "A parcel costs four francs.";

async function open(t: Test, databases: TestDatabases, script?: ScriptedEmbeddingOptions["script"]) {
  const model = await createScriptedEmbeddingServer({ ...(script && { script }) });
  t.after(() => model.close());
  let database: Database | undefined;
  const wrapDatabase = (opened: Database) => {
    database = opened;
    return opened;
  };
  const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: model.url };
  const platform = await openTestPlatform(t, databases, env, { wrapDatabase });
  const db = database as Database | undefined;
  assert.ok(db);
  const embeddingConfig = JSON.stringify({ name: "openai", config: { model: "scripted" } });
  const newStore = () =>
    platform.json<DocumentStore>("POST", "/document-store/store", { name: "Shop", embeddingConfig });
  const { id } = await newStore();
  const loaders = async (storeId = id) => {
    const store = await platform.json<DocumentStore>("GET", `/document-store/store/${storeId}`);
    return JSON.parse(store.loaders) as Loader[];
  };
  return {
    platform,
    id,
    db,
    newStore,
    loaders,
    upsert: (body: object, storeId = id) =>
      platform.json<UpsertResult>("POST", `/document-store/upsert/${storeId}`, body),
    async upload(files: Record<string, string>, fields: Record<string, string> = {}): Promise<UpsertResult> {
      const parts = Object.entries(files).map(([name, bytes]) => ["files", { name, bytes }] as const);
      const response = await sendForm(platform, `/document-store/upsert/${id}`, [...Object.entries(fields), ...parts]);
      assert.equal(response.status, 200, await response.clone().text());
      return (await response.json()) as UpsertResult;
    },
    /** Each loader as `=` and the documents that it is the same as, with `copy` where it is one. */
    async shown() {
      return (await loaders()).map(({ sameAs, isCopy }) => {
        return `${isCopy ? "copy " : ""}= ${sameAs.map(({ source }) => source).join(", ")}`.trim();
      });
    },
    fingerprints: () => db.read.selectFrom("documentFingerprints").selectAll().execute(),
  };
}

const typed = (text: string, more: object = {}) => ({ loader: { name: "plainText", config: { text } }, ...more });

await onTestDatabase((databases) => {
  describe("a document that a store has twice", () => {
    test("is known, whichever loader brought it, by whatever name, spaced and split in whatever way", async (t) => {
      const { platform, id, upload, upsert, loaders, shown } = await open(t, databases);
      const first = await upload({ "handbook.txt": handbook });
      const second = await upload({ "copy.md": handbook.replaceAll("\n", "\r\n") }, { metadata: '{"team":"support"}' });
      await upsert(
        typed(`  ${handbook.replace("\n\n", " ")}`, {
          splitter: { name: "recursiveCharacterTextSplitter", config: { chunkSize: 30, chunkOverlap: 0 } },
        }),
      );
      await upload({ "prices.txt": prices });
      assert.deepEqual(await shown(), [
        "= copy.md, text",
        "copy = handbook.txt, text",
        "copy = handbook.txt, copy.md",
        "=",
      ]);
      const [, copy] = await loaders();
      assert.deepEqual(copy?.sameAs[0], {
        document: "copy.md",
        loaderId: first.docId,
        loaderName: "File",
        source: "handbook.txt",
      });
      const loader = await platform.json<Loader>("GET", `/document-store/loader/${id}/${second.docId}`);
      const page = await platform.json<ChunkPage>("GET", `/document-store/chunks/${id}/${second.docId}/1`);
      assert.deepEqual(loader.sameAs, copy?.sameAs);
      assert.deepEqual([loader.isCopy, page.file?.isCopy], [true, true]);
    });

    test("is known among the files of a loader, which is a copy only as a whole", async (t) => {
      const { upload, shown, loaders } = await open(t, databases);
      await upload({ "a.txt": handbook });
      await upload({ "b.txt": prices, "c.txt": handbook });
      await upload({ "d.txt": handbook, "e.txt": prices });
      assert.deepEqual(await shown(), ["= c.txt, d.txt", "= e.txt, a.txt, d.txt", "copy = a.txt, b.txt, c.txt"]);
      const [, second] = await loaders();
      assert.deepEqual(
        second?.sameAs.map(({ document }) => document),
        ["b.txt", "c.txt", "c.txt"],
      );
    });

    test("is known once it is split, is a copy only of what is searched as well as it, and not of another store's", async (t) => {
      const { platform, id, upsert, loaders, shown, newStore } = await open(t, databases);
      const body = { storeId: id, loaderId: "plain-text", loaderConfig: { text: handbook } };
      const saved = await platform.json<JsonObject>("POST", "/document-store/loader/save", body);
      await upsert(typed(`${handbook} `));
      assert.deepEqual(await shown(), ["=", "="]);
      await platform.json("POST", `/document-store/loader/process/${saved.id}`, { storeId: id });
      assert.deepEqual(await shown(), ["= text", "= text"]);
      await upsert({ docId: saved.id });
      assert.deepEqual(await shown(), ["= text", "copy = text"]);
      const other = await newStore();
      await upsert(typed(handbook), other.id);
      assert.deepEqual((await loaders(other.id))[0]?.sameAs, []);
      assert.deepEqual(await shown(), ["= text", "copy = text"]);
    });

    test("stops being a copy once either text changes or is deleted", async (t) => {
      const { platform, id, upload, upsert, shown, fingerprints } = await open(t, databases);
      const first = await upload({ "a.txt": handbook });
      const second = await upload({ "b.txt": handbook });
      await upload({ "b.txt": prices }, { docId: second.docId });
      assert.deepEqual(await shown(), ["=", "="]);
      await upload({ "b.txt": handbook }, { docId: second.docId });
      assert.deepEqual(await shown(), ["= b.txt", "copy = a.txt"]);

      const chunks = `/document-store/chunks/${id}/${second.docId}`;
      const [chunk] = (await platform.json<ChunkPage>("GET", `${chunks}/1`)).chunks;
      await platform.json("PUT", `${chunks}/${chunk?.id}`, { pageContent: handbook, metadata: { read: true } });
      assert.deepEqual(await shown(), ["= b.txt", "= a.txt"], "its text is the same, and it is to be upserted");
      await platform.json("PUT", `${chunks}/${chunk?.id}`, { pageContent: "Refunds take six days." });
      assert.deepEqual(await shown(), ["=", "="]);
      await platform.json("POST", "/document-store/vectorstore/insert", { storeId: id, docId: second.docId });
      assert.deepEqual(await shown(), ["=", "="], "upserted as it was changed");
      await upsert({ docId: second.docId });
      assert.deepEqual(await shown(), ["= b.txt", "copy = a.txt"], "read again from its file");
      await platform.json(
        "DELETE",
        `${chunks}/${(await platform.json<ChunkPage>("GET", `${chunks}/1`)).chunks[0]?.id}`,
      );
      assert.deepEqual(await shown(), ["=", "="]);

      await upsert({ docId: second.docId });
      assert.deepEqual(await shown(), ["= b.txt", "copy = a.txt"]);
      await platform.json("DELETE", `/document-store/loader/${id}/${first.docId}`);
      assert.deepEqual(await shown(), ["="]);
      assert.equal((await fingerprints()).length, 1);
      await platform.json("DELETE", `/document-store/store/${id}`);
      assert.deepEqual(await fingerprints(), []);
    });

    test("is not taken for one when its loader could not read all", async (t) => {
      const { upload, upsert, shown } = await open(t, databases);
      await upload({ "a.txt": handbook });
      const { docId } = await upsert(typed(prices));
      await upsert({ docId, ...typed(handbook), replaceExisting: true });
      assert.deepEqual(await shown(), ["= text", "copy = a.txt"]);
      const broken = await upload({ "b.txt": handbook, "c.pdf": "%PDF-1.4 and no more" });
      assert.deepEqual([broken.failed.length, broken.numAdded], [1, 1]);
      assert.deepEqual(await shown(), ["= text, b.txt", "copy = a.txt, b.txt", "= a.txt, text"]);
    });

    test("is still known after a failed upsert, whose own fingerprints go with its chunks", async (t) => {
      const refused = { status: 401, body: { error: { message: "No such key." } } };
      const { platform, id, db, upload, shown, fingerprints } = await open(t, databases, [
        undefined,
        undefined,
        refused,
      ]);
      await upload({ "a.txt": handbook });
      const { docId } = await upload({ "b.txt": handbook });
      const { send } = platform;
      const failed = await send("POST", `/document-store/upsert/${id}`, {
        docId,
        ...typed(prices),
        replaceExisting: true,
      });
      assert.equal(failed.status, 500);
      assert.equal((await fingerprints()).length, 3);
      const clock = { now: Date.now, sleep: async () => undefined };
      await createUpsertTidier({ database: db, clock, retentionMs: 0 })(new AbortController().signal);
      assert.equal((await fingerprints()).length, 2);
      const [, second] = await shown();
      assert.equal(second, "= a.txt", "its chunks are those of before; its settings are not");
    });
  });
});
