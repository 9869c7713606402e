import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createScriptedEmbeddingServer } from "@weft/providers/testing";
import type { ChunkPage, DocumentStore, UpsertResult, VectorQueryResult } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { sendForm } from "../../../server/src/testing/send-form.ts";
import { stopAfter } from "../../../server/src/testing/stop-after.ts";
import { agentWith, flowOf, openTestPlatform, type TestPlatform } from "../../../server/src/testing/test-platform.ts";
import { createScriptedQdrant } from "../../../vector-stores/src/qdrant/testing/scripted-qdrant.ts";
import { testedBackends, type VectorBackend } from "../testing/vector-backends.ts";

type Test = Parameters<typeof openTestPlatform>[0];

const kept = "Parcels leave on Mondays.";
const removed = "Refunds take five days, said Zebulon.";
const text = (content: string) => ({ loader: { name: "plainText", config: { text: content } } });

type Store = Awaited<ReturnType<typeof storeOn>>;

/** A store with a passage of one loader and a passage of another. */
async function storeOn(platform: TestPlatform, settings: object) {
  const { id } = await platform.json<DocumentStore>("POST", "/document-store/store", { name: "Handbook", ...settings });
  const upsert = (body: object) => platform.json<UpsertResult>("POST", `/document-store/upsert/${id}`, body);
  await upsert(text(kept));
  const { docId } = await upsert(text(removed));
  const chunk = async () => {
    const { chunks } = await platform.json<ChunkPage>("GET", `/document-store/chunks/${id}/${docId}/1`);
    return `/document-store/chunks/${id}/${docId}/${chunks[0]?.id}`;
  };
  return { platform, id, docId, upsert, chunk };
}

type Deletion = {
  name: string;
  run(store: Store): Promise<unknown>;
  /** The vector may stay, and only who asks for it sees it. Source: contract, "Document store status". */
  leavesOrphans?: boolean;
  /** What is there instead. */
  instead?: string[];
};

const other = "Money comes back in a week.";
const replaced = (store: Store, more: object) =>
  store.upsert({ ...text(other), docId: store.docId, replaceExisting: true, ...more });

const deletions: Deletion[] = [
  {
    name: "the builder's deletion of a loader",
    async run({ platform, id, docId }) {
      await platform.json("DELETE", `/document-store/vectorstore/${id}?docId=${docId}`);
      await platform.json("DELETE", `/document-store/loader/${id}/${docId}`);
    },
  },
  {
    name: "the builder's deletion of a loader without a record manager",
    async run({ platform, id, docId, upsert }) {
      await platform.json("DELETE", `/document-store/vectorstore/${id}?docId=${docId}`);
      await upsert({ docId, recordManager: { name: "none" } });
      await platform.json("DELETE", `/document-store/vectorstore/${id}?docId=${docId}`);
      await platform.json("DELETE", `/document-store/loader/${id}/${docId}`);
    },
  },
  {
    name: "a plain deletion of a loader",
    run: ({ platform, id, docId }) => platform.json("DELETE", `/document-store/loader/${id}/${docId}`),
    leavesOrphans: true,
  },
  {
    name: "a plain deletion of a loader, then all vectors",
    async run({ platform, id, docId, upsert }) {
      await platform.json("DELETE", `/document-store/loader/${id}/${docId}`);
      await platform.json("DELETE", `/document-store/vectorstore/${id}`);
      await upsert(text(kept));
    },
  },
  { name: "replaceExisting", run: (store) => replaced(store, {}), leavesOrphans: true, instead: [other] },
  {
    name: "replaceExisting with deleteEmbeddings",
    run: (store) => replaced(store, { deleteEmbeddings: true }),
    instead: [other],
  },
  { name: "the deletion of a chunk", run: async ({ platform, chunk }) => platform.json("DELETE", await chunk()) },
  {
    name: "a change of a chunk",
    run: async ({ platform, chunk }) => platform.json("PUT", await chunk(), { pageContent: other }),
  },
  {
    name: "a change of a chunk, and the next upsert",
    async run({ platform, id, chunk }) {
      await platform.json("PUT", await chunk(), { pageContent: other });
      await platform.json("POST", `/document-store/vectorstore/insert`, { storeId: id });
    },
    instead: [other],
  },
  ...(["incremental", "full"] as const).map((cleanup) => ({
    name: `cleanup ${cleanup}, of a file that was left out`,
    async run({ platform, id, docId, upsert }: Store) {
      await platform.json("DELETE", `/document-store/vectorstore/${id}?docId=${docId}`);
      await platform.json("DELETE", `/document-store/loader/${id}/${docId}`);
      const recordManager = { name: "built-in", config: { cleanup } };
      const sent = await sendForm(platform, `/document-store/upsert/${id}`, [
        ["files", { name: "a.md", bytes: other }],
        ["files", { name: "b.md", bytes: removed }],
        ["recordManager", JSON.stringify(recordManager)],
      ]);
      const files = (await sent.json()) as UpsertResult;
      const store = await platform.json<DocumentStore>("GET", `/document-store/store/${id}`);
      const loaders = JSON.parse(store.loaders) as { id: string; loaderConfig: { files: string[] } }[];
      const [first] = loaders.find((loader) => loader.id === files.docId)?.loaderConfig.files ?? [];
      const loader = { name: "file", config: { files: [first] } };
      assert.equal((await upsert({ docId: files.docId, loader, recordManager })).numDeleted, 1);
    },
    instead: [other],
  })),
];

async function openOn(t: Test, databases: TestDatabases, backend: VectorBackend, writeLog?: (line: string) => void) {
  const { allow, settings } = await backend(t);
  const onEnd = stopAfter(t);
  const model = await createScriptedEmbeddingServer();
  onEnd(() => model.close());
  const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: model.url, EGRESS_ALLOW: allow };
  const platform = await openTestPlatform(t, databases, env, writeLog ? { writeLog } : {});
  const embeddingConfig = JSON.stringify({ name: "openai", config: { model: "scripted" } });
  return { platform, settings: { embeddingConfig, ...(await settings(platform)) } };
}

await onTestDatabase((databases) => {
  for (const [name, backend] of testedBackends) {
    describe(`after a deletion nothing finds the sentence: ${name}`, () => {
      test("by any path, in any mode", async (t) => {
        const { platform, settings } = await openOn(t, databases, backend);
        for (const { name, run, leavesOrphans = false, instead = [] } of deletions) {
          const store = await storeOn(platform, settings);
          const found = async (more: object) => {
            const body = { storeId: store.id, query: removed, topK: 10, ...more };
            const { docs } = await platform.json<VectorQueryResult>("POST", "/document-store/vectorstore/query", body);
            return docs.map(({ pageContent }) => pageContent);
          };
          assert.equal((await found({}))[0], removed, name);
          await run(store);
          for (const mode of ["vector", "keyword", "hybrid"]) {
            assert.ok(!(await found({ mode })).includes(removed), `${name}, ${mode}`);
            const orphans = await found({ mode, includeOrphans: true });
            assert.equal(orphans.includes(removed), leavesOrphans, `${name}, ${mode}, with orphans`);
          }
          assert.deepEqual((await found({ mode: "vector" })).sort(), [kept, ...instead].sort(), name);
          const config = { stores: [{ storeId: store.id }], query: removed };
          const agentId = await agentWith(platform, flowOf("retriever", "Search", config));
          const { text: said } = await platform.json<{ text: string }>("POST", `/prediction/${agentId}`, {
            question: "x",
          });
          assert.ok(!said.includes("Zebulon") && said.includes(kept), `${name}, by a retriever: ${said}`);
          await platform.json("DELETE", `/document-store/store/${store.id}`);
          const gone = { storeId: store.id, query: removed, includeOrphans: true };
          assert.equal((await platform.send("POST", "/document-store/vectorstore/query", gone)).status, 400);
        }
      });

      test("the log says what went, and never the text", async (t) => {
        const lines: string[] = [];
        const { platform, settings } = await openOn(t, databases, backend, (line) => lines.push(line));
        const { id, docId, upsert, chunk } = await storeOn(platform, settings);
        await platform.json("PUT", await chunk(), { pageContent: other });
        await platform.json("DELETE", await chunk());
        await upsert({ ...text(removed), docId, replaceExisting: true });
        await upsert({ ...text(other), docId, replaceExisting: true, deleteEmbeddings: true });
        await platform.json("DELETE", `/document-store/vectorstore/${id}?docId=${docId}`);
        await platform.json("DELETE", `/document-store/loader/${id}/${docId}`);
        await platform.json("DELETE", `/document-store/store/${id}`);
        const said = lines
          .map((line) => JSON.parse(line) as Record<string, unknown>)
          .filter(({ event }) => /^(document-|vectors-)/.test(String(event)))
          .map(({ event, storeId, loaderId, count }) => ({ event, storeId, loaderId, count }));
        assert.deepEqual(said, [
          { event: "document-chunk-changed", storeId: id, loaderId: docId, count: 1 },
          { event: "document-chunk-deleted", storeId: id, loaderId: docId, count: 1 },
          { event: "vectors-deleted", storeId: id, loaderId: docId, count: 1 },
          { event: "vectors-deleted", storeId: id, loaderId: docId, count: 1 },
          { event: "document-loader-deleted", storeId: id, loaderId: docId, count: 1 },
          { event: "document-store-deleted", storeId: id, loaderId: undefined, count: 1 },
        ]);
        assert.ok(!lines.some((line) => line.includes("Zebulon")));
      });
    });
  }

  test("a chunk whose vector cannot be deleted stays as it is, and the caller hears why", async (t) => {
    const onEnd = stopAfter(t);
    const server = await createScriptedQdrant();
    onEnd(() => server.close());
    const platform = await openTestPlatform(t, databases, { EGRESS_ALLOW: new URL(server.url).host });
    const vectorStoreConfig = JSON.stringify({ name: "qdrant", config: { url: server.url } });
    const { id, docId, upsert, chunk } = await storeOn(platform, { vectorStoreConfig });
    const path = await chunk();
    server.answerWith({ status: 500, body: '{"status":{"error":"out of disk"}}' });
    for (const [method, body] of [["DELETE"], ["PUT", { pageContent: other }]] as const) {
      const refused = await platform.send(method, path, body);
      assert.equal(refused.status, 500);
      assert.match(await refused.text(), /out of disk/);
    }
    server.answerWith(undefined);
    assert.equal(await chunk(), path);
    assert.equal((await upsert({ docId })).numUpdated, 1, "its vector is written anew, whatever became of it");
    const page = await platform.json<ChunkPage>("GET", `/document-store/chunks/${id}/${docId}/1`);
    assert.equal(page.chunks[0]?.pageContent, removed);
  });
});
