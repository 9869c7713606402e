import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type {
  ChunkPage,
  DocumentStore,
  UpsertHistoryRecord,
  UpsertJob,
  UpsertResult,
  VectorQueryResult,
} from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { sendForm } from "../../../server/src/testing/send-form.ts";
import { agentWith, llmFlow, openTestPlatform } from "../../../server/src/testing/test-platform.ts";

type Loader = { id: string; status: string; error: string; source: string; loaderName: string; metadata: object } & {
  splitterName: string;
  splitterConfig: object;
};

type Test = Parameters<typeof openTestPlatform>[0];

const refunds = "# Refunds\n\nRefunds take five days. Ask support for help.";
const shipping = "# Shipping\n\nParcels leave on Mondays. They travel by train.";

async function open(t: Test, databases: TestDatabases) {
  const platform = await openTestPlatform(t, databases);
  const { id } = await platform.json<DocumentStore>("POST", "/document-store/store", { name: "Handbook" });
  const store = () => platform.json<DocumentStore>("GET", `/document-store/store/${id}`);
  const upsert = (body: object) => platform.json<UpsertResult>("POST", `/document-store/upsert/${id}`, body);
  const query = async (question: string, more: object = {}) => {
    const body = { storeId: id, query: question, ...more };
    return platform.json<VectorQueryResult>("POST", "/document-store/vectorstore/query", body);
  };
  const counts = ({ numAdded, numUpdated, numDeleted, numSkipped }: UpsertResult) =>
    [numAdded, numUpdated, numDeleted, numSkipped].join(" ");
  const text = (content: string, more: object = {}) => ({
    loader: { name: "plainText", config: { text: content } },
    ...more,
  });
  const loadersOf = async () => JSON.parse((await store()).loaders) as Loader[];
  const chunksOf = (loaderId: string) => platform.json<ChunkPage>("GET", `/document-store/chunks/${id}/${loaderId}/1`);
  return { platform, id, store, upsert, query, counts, text, loadersOf, chunksOf };
}

const file = (name: string, content: string | Uint8Array) => ["files", { name, bytes: content }] as const;

await onTestDatabase((databases) => {
  describe("an upsert", () => {
    test("loads, splits, embeds and writes; the same twice adds nothing", async (t) => {
      const { platform, id, store, upsert, query, counts, text, loadersOf } = await open(t, databases);
      assert.equal((await store()).status, "EMPTY");
      const first = await upsert(text(refunds, { metadata: { topic: "money" } }));
      assert.equal(counts(first), "1 0 0 0");
      assert.equal(first.addedDocs[0]?.pageContent, refunds);
      assert.equal(first.addedDocs[0]?.metadata.topic, "money");
      assert.equal((await store()).status, "UPSERTED");
      const again = await upsert(text(refunds, { metadata: { topic: "money" } }));
      assert.equal(counts(again), "0 0 0 1");
      assert.deepEqual([again.docId, again.addedDocs], [first.docId, []]);
      assert.equal((await loadersOf()).length, 1);
      const { docs, timeTaken } = await query("How long do refunds take?");
      assert.deepEqual([docs.length, docs[0]?.pageContent, docs[0]?.chunkNo], [1, refunds, 1]);
      assert.equal(docs[0]?.metadata.docId, first.docId);
      assert.ok(timeTaken >= 0);
      const history = await platform.json<UpsertHistoryRecord[]>("GET", `/upsert-history/${id}`);
      assert.deepEqual(
        history.map(({ result }) => JSON.parse(result).numAdded),
        [1, 0],
      );
    });

    test("at once and in sequence leaves one copy", async (t) => {
      const { platform, id, upsert, query, counts, text } = await open(t, databases);
      const results = await Promise.all([upsert(text(refunds)), upsert(text(refunds)), upsert(text(shipping))]);
      const [a, b] = results;
      assert.equal(a?.docId, b?.docId);
      const jobs = await platform.json<UpsertJob[]>("GET", `/document-store/store/${id}/upserts`);
      assert.ok(jobs.length === 2 || counts(b as UpsertResult) === "0 0 0 1", "the second attached, or found it done");
      assert.equal((await query("refunds")).docs.length, 2);
    });

    test("waits for those before it, however many come in the same moment", async (t) => {
      const { upsert, counts, text } = await open(t, databases);
      const results = await Promise.all(Array.from({ length: 8 }, (_, index) => upsert(text(`${shipping} ${index}`))));
      assert.deepEqual(new Set(results.map((result) => counts(result as UpsertResult))), new Set(["1 0 0 0"]));
    });

    test("takes files as a form, and says which could not be read", async (t) => {
      const { platform, id, query, loadersOf } = await open(t, databases);
      const parts = [file("refunds.md", refunds), file("broken.pdf", "no pdf"), file("shipping.md", shipping)];
      const response = await sendForm(platform, `/document-store/upsert/${id}`, [
        ...parts,
        ["metadata", '{"lang":"en"}'],
      ]);
      const result = (await response.json()) as UpsertResult;
      assert.equal(response.status, 200, JSON.stringify(result));
      assert.equal(result.numAdded, 2);
      assert.deepEqual(
        result.failed.map(({ source, code }) => [source, code]),
        [["broken.pdf", "document-unreadable"]],
      );
      const [loader] = await loadersOf();
      assert.equal(loader?.status, "UPSERTED");
      assert.match(loader?.error ?? "", /broken\.pdf/);
      const { docs } = await query("When do parcels leave?");
      assert.deepEqual([docs[0]?.metadata.source, docs[0]?.metadata.lang], ["shipping.md", "en"]);
    });

    test("takes files of the same name, and each again as itself", async (t) => {
      const { platform, id, counts } = await open(t, databases);
      const parts = [file("README.md", refunds), file("README.md", shipping), file("notes", "a"), file("notes", "b")];
      const send = async () => (await sendForm(platform, `/document-store/upsert/${id}`, parts)).json();
      const first = (await send()) as UpsertResult;
      assert.deepEqual(
        first.addedDocs.map(({ metadata }) => metadata.source),
        ["README.md", "README (2).md"],
      );
      assert.deepEqual(
        first.failed.map(({ source }) => source),
        ["notes", "notes (2)"],
      );
      assert.equal(counts((await send()) as UpsertResult), "0 0 0 2");
    });

    test("fails when nothing can be read, goes back to the state before, and keeps the error", async (t) => {
      const { platform, id, store, query, upsert, text, loadersOf } = await open(t, databases);
      await upsert(text(refunds));
      const response = await sendForm(platform, `/document-store/upsert/${id}`, [file("broken.pdf", "no pdf")]);
      const body = (await response.json()) as { code: string; message: string };
      assert.deepEqual([response.status, body.code], [400, "documents-unreadable"]);
      assert.match(body.message, /broken\.pdf/);
      const loaders = await loadersOf();
      assert.deepEqual(
        loaders.map(({ status }) => status),
        ["UPSERTED", "NEW"],
      );
      assert.match(loaders[1]?.error ?? "", /broken\.pdf/);
      assert.equal((await store()).status, "NEW");
      assert.equal((await query("refunds")).docs.length, 1);
    });

    test("of changed files deletes what is no longer there, of that loader alone", async (t) => {
      const { platform, id, upsert, query, counts, text } = await open(t, databases);
      await upsert(text(shipping));
      const send = async (content: string) =>
        (await (
          await sendForm(platform, `/document-store/upsert/${id}`, [file("a.md", content)])
        ).json()) as UpsertResult;
      const first = await send(refunds);
      const second = await send(refunds.replace("five", "three"));
      assert.equal(second.docId, first.docId);
      assert.equal(counts(second), "1 0 1 0");
      const { docs } = await query("refunds", { topK: 10 });
      assert.equal(docs.length, 2);
      assert.ok(docs.some(({ pageContent }) => pageContent.includes("three")));
      assert.ok(!docs.some(({ pageContent }) => pageContent.includes("five")));
    });

    test("with replaceExisting replaces the chunks; the vectors go only with deleteEmbeddings", async (t) => {
      const { upsert, query, counts, text, chunksOf } = await open(t, databases);
      const { docId } = await upsert(text(refunds));
      const kept = await upsert(text(shipping, { docId, replaceExisting: "TRUE" }));
      assert.equal(counts(kept), "1 0 0 0");
      assert.equal((await chunksOf(docId)).count, 1);
      assert.equal((await query("anything", { topK: 10, includeOrphans: true })).docs.length, 2);
      const gone = await upsert(text(shipping, { docId, replaceExisting: true, deleteEmbeddings: true }));
      assert.equal(counts(gone), "0 0 1 1");
      assert.equal((await query("anything", { topK: 10, includeOrphans: true })).docs.length, 1);
    });

    test("of a docId adds files to its loader", async (t) => {
      const { platform, id, chunksOf, loadersOf } = await open(t, databases);
      const send = async (parts: Parameters<typeof sendForm>[2]) =>
        (await (await sendForm(platform, `/document-store/upsert/${id}`, parts)).json()) as UpsertResult;
      const { docId } = await send([file("a.md", refunds)]);
      const more = await send([file("b.md", shipping), ["docId", docId]]);
      assert.deepEqual([more.docId, more.numAdded, more.numSkipped], [docId, 1, 1]);
      assert.deepEqual([(await chunksOf(docId)).count, (await loadersOf()).length], [2, 1]);
    });

    test("of another source for a docId adds a loader with a copy of its settings, once", async (t) => {
      const { upsert, text, query, chunksOf, loadersOf } = await open(t, databases);
      const splitter = { name: "character", config: { chunkSize: 900 } };
      const { docId } = await upsert(text(refunds, { splitter, metadata: { lang: "en" }, loaderName: "Rules" }));
      const added: string[] = [];
      for (const more of [{}, { replaceExisting: false }, { replaceExisting: "false" }]) {
        const result = await upsert(text(shipping, { docId, ...more }));
        added.push(`${result.docId === docId} ${result.numAdded}`);
        assert.equal((await chunksOf(result.docId)).count, 1);
      }
      assert.deepEqual(added, ["false 1", "false 0", "false 0"]);
      const settings = (await loadersOf()).map(({ loaderName, splitterName, splitterConfig, metadata }) => {
        return { loaderName, splitterName, splitterConfig, metadata };
      });
      assert.equal(settings.length, 2);
      assert.deepEqual(settings[1], settings[0]);
      assert.deepEqual([settings[0]?.loaderName, settings[0]?.metadata], ["Rules", { lang: "en" }]);
      assert.equal((await chunksOf(docId)).count, 1);
      assert.equal((await query("anything", { topK: 10, filter: { lang: "en" } })).docs.length, 2);
      const own = await upsert(text(shipping, { docId, splitter: { name: "token" }, metadata: { lang: "de" } }));
      assert.deepEqual([own.docId === docId, (await loadersOf()).length], [false, 2]);
      assert.equal((await query("anything", { topK: 10, filter: { lang: "de" } })).docs.length, 1);
    });

    test("of a docId and files with replaceExisting false adds a loader of these files", async (t) => {
      const { platform, id, chunksOf, loadersOf } = await open(t, databases);
      const send = async (parts: Parameters<typeof sendForm>[2]) =>
        (await (await sendForm(platform, `/document-store/upsert/${id}`, parts)).json()) as UpsertResult;
      const { docId } = await send([file("a.md", refunds), ["metadata", '{"lang":"en"}']]);
      const another = [["docId", docId] as const, ["replaceExisting", "false"] as const];
      const more = await send([file("b.md", shipping), ...another]);
      assert.notEqual(more.docId, docId);
      assert.deepEqual([more.numAdded, (await chunksOf(docId)).count, (await chunksOf(more.docId)).count], [1, 1, 1]);
      assert.deepEqual(
        (await loadersOf()).map(({ source, metadata }) => [source, metadata]),
        [
          ["a.md", { lang: "en" }],
          ["b.md", { lang: "en" }],
        ],
      );
      const same = await send([file("a.md", refunds), ...another]);
      assert.deepEqual([same.docId, same.numAdded, (await loadersOf()).length], [docId, 0, 2]);
      await platform.json("DELETE", `/document-store/loader/${id}/${docId}`);
      assert.equal((await send([["docId", more.docId]])).numSkipped, 1, "its file is its own");
    });

    test("of a docId in a refresh changes that loader, whatever its source", async (t) => {
      const { platform, id, upsert, text, chunksOf, loadersOf } = await open(t, databases);
      const { docId } = await upsert(text(refunds));
      const items = [{ docId, ...text(shipping) }];
      await platform.json("POST", `/document-store/refresh/${id}`, { items });
      assert.deepEqual([(await loadersOf()).length, (await chunksOf(docId)).count], [1, 1]);
      assert.equal((await chunksOf(docId)).chunks[0]?.pageContent, shipping);
    });

    test("may create its store; what does not fit is refused with a sentence", async (t) => {
      const { platform, id, upsert, text } = await open(t, databases);
      const made = await upsert(text(refunds, { createNewDocStore: "true", docStore: '{"name":"New one"}' }));
      assert.notEqual(made.storeId, id);
      assert.equal(
        (await platform.json<DocumentStore>("GET", `/document-store/store/${made.storeId}`)).name,
        "New one",
      );
      const refusals: [object, RegExp][] = [
        [{ createNewDocStore: true }, /Specify what to load/],
        [{ docId: id }, /no loader with the id/],
        [{ loader: { name: "nothing" } }, /nothing/],
        [text(refunds, { metadata: "{" }), /metadata/],
        [text(refunds, { embedding: { name: "nothing", config: {} } }), /nothing/],
      ];
      for (const [body, message] of refusals) {
        const response = await platform.send("POST", `/document-store/upsert/${id}`, body);
        const answer = (await response.json()) as { message: string };
        assert.equal(response.status, 400, JSON.stringify(answer));
        assert.match(answer.message, message);
      }
      const unknown = await platform.send("POST", `/document-store/upsert/${crypto.randomUUID()}`, text(refunds));
      assert.equal(unknown.status, 400);
    });

    test("goes on when nobody waits: 202, its status and its stream", async (t) => {
      const { platform, id, text } = await open(t, databases);
      const response = await platform.send("POST", `/document-store/store/${id}/upserts`, text(refunds));
      assert.equal(response.status, 202);
      const job = (await response.json()) as UpsertJob;
      assert.equal(response.headers.get("location"), `/api/v1/document-store/upserts/${job.id}`);
      const stream = await (await platform.send("GET", `/document-store/upserts/${job.id}/events`)).text();
      const last = JSON.parse(stream.split("data:").at(-2)?.split("\n")[0] ?? "{}").data as UpsertJob;
      assert.deepEqual(
        [last.state, last.documents, last.chunks, last.planned, last.embedded, last.written, last.error],
        ["FINISHED", 1, 1, 1, 1, 1, null],
      );
      assert.deepEqual(await platform.json("GET", `/document-store/upserts/${job.id}`), last);
      const listed = await platform.json<{ data: unknown[]; total: number }>("GET", "/executions");
      assert.deepEqual([listed.data, listed.total], [[], 0]);
    });
  });

  describe("a store", () => {
    test("refreshes all of its loaders, or those that are named", async (t) => {
      const { platform, id, upsert, counts, text } = await open(t, databases);
      const a = await upsert(text(refunds));
      await upsert(text(shipping));
      const all = await platform.json<UpsertResult[]>("POST", `/document-store/refresh/${id}`, {});
      assert.deepEqual(all.map(counts), ["0 0 0 1", "0 0 0 1"]);
      const [latest] = await platform.json<UpsertJob[]>("GET", `/document-store/store/${id}/upserts`);
      assert.deepEqual([latest?.chunks, latest?.planned, latest?.written], [2, 0, 0]);
      const items = [{ docId: a.docId, metadata: { lang: "en" } }];
      const one = await platform.json<UpsertResult[]>("POST", `/document-store/refresh/${id}`, { items });
      assert.deepEqual(one.map(counts), ["0 1 0 0"]);
    });

    test("refreshed says of each loader what failed, and keeps what was there", async (t) => {
      const { platform, id, upsert, text, counts, loadersOf } = await open(t, databases);
      await upsert(text(refunds));
      const page = { loader: { name: "web-page", config: { url: "http://127.0.0.1:1/" } } };
      assert.equal((await platform.send("POST", `/document-store/upsert/${id}`, page)).status, 400);
      const all = await platform.json<UpsertResult[]>("POST", `/document-store/refresh/${id}`);
      assert.deepEqual(all.map(counts), ["0 0 0 1", "0 0 0 0"]);
      assert.deepEqual(
        all.map(({ failed }) => failed.map(({ source }) => source)),
        [[], ["http://127.0.0.1:1/"]],
      );
      assert.deepEqual(
        (await loadersOf()).map(({ status, error }) => [status, error !== ""]),
        [
          ["UPSERTED", false],
          ["NEW", true],
        ],
      );
    });

    test("finds chunks by a text in them, taken literally", async (t) => {
      const { platform, id, upsert, text } = await open(t, databases);
      const { docId } = await upsert(text("One hundred percent of 100% wool."));
      const find = (search: string) => {
        const path = `/document-store/chunks/${id}/${docId}/1?search=${encodeURIComponent(search)}`;
        return platform.json<ChunkPage>("GET", path);
      };
      const found = await find("HUNDRED percent");
      assert.deepEqual([found.count, found.chunks.map(({ chunkNo }) => chunkNo)], [1, [1]]);
      assert.equal((await find("100% w")).count, 1);
      for (const absent of ["cotton", "o%e", "O_e"]) assert.deepEqual((await find(absent)).chunks, []);
    });

    test("is stale after a chunk was changed, and current after an insert", async (t) => {
      const { platform, id, store, upsert, query, text, chunksOf } = await open(t, databases);
      const { docId } = await upsert(text(refunds));
      const [chunk] = (await chunksOf(docId)).chunks;
      const path = `/document-store/chunks/${id}/${docId}/${chunk?.id}`;
      const page = await platform.json<ChunkPage>("PUT", path, { pageContent: "Refunds take a minute.", metadata: {} });
      assert.deepEqual([page.chunks[0]?.pageContent, page.file?.status], ["Refunds take a minute.", "STALE"]);
      assert.equal((await store()).status, "STALE");
      assert.deepEqual((await query("refunds")).docs, [], "the earlier text is found no more");
      const [inserted] = await platform.json<UpsertResult[]>("POST", "/document-store/vectorstore/insert", {
        storeId: id,
      });
      assert.deepEqual([inserted?.numAdded, inserted?.numDeleted], [1, 0], "its vector went with the change");
      assert.deepEqual(
        (await query("refunds")).docs.map(({ pageContent }) => pageContent),
        ["Refunds take a minute."],
      );
      assert.equal((await store()).status, "UPSERTED");
      const [next] = (await chunksOf(docId)).chunks;
      const deleted = await platform.send("DELETE", `/document-store/chunks/${id}/${docId}/${next?.id}`);
      assert.deepEqual([deleted.status, await deleted.text()], [200, ""]);
      assert.equal((await chunksOf(docId)).count, 0);
    });

    test("loses vectors by deleteVectors alone; a deleted loader leaves them", async (t) => {
      const { platform, id, store, upsert, query, text } = await open(t, databases);
      const a = await upsert(text(refunds));
      const b = await upsert(text(shipping));
      assert.equal((await platform.send("DELETE", `/document-store/loader/${id}/${a.docId}`)).status, 200);
      assert.equal((await query("x", { topK: 10, includeOrphans: true })).docs.length, 2);
      await platform.json("DELETE", `/document-store/vectorstore/${id}?docId=${b.docId}`);
      assert.deepEqual(
        (await query("x", { topK: 10, includeOrphans: true })).docs.map(({ pageContent }) => pageContent),
        [refunds],
      );
      assert.equal((await store()).status, "SYNC");
      await platform.json("DELETE", `/document-store/vectorstore/${id}`);
      assert.equal((await query("x", { topK: 10, includeOrphans: true })).docs.length, 0);
      assert.equal((await upsert(text(shipping))).numAdded, 1);
    });

    test("adds a loader, previews it, processes it, then inserts", async (t) => {
      const { platform, id, store, query, loadersOf } = await open(t, databases);
      const body = {
        storeId: id,
        loaderId: "plainText",
        loaderConfig: { text: Array.from({ length: 80 }, (_, index) => `alpha beta gamma ${index}.`).join(" ") },
        splitterId: "recursiveCharacterTextSplitter",
        splitterConfig: { chunkSize: 200, chunkOverlap: 0 },
      };
      const preview = await platform.json<{ chunks: unknown[]; totalChunks: number }>(
        "POST",
        "/document-store/loader/preview",
        {
          ...body,
          previewChunkCount: 2,
        },
      );
      assert.equal(preview.chunks.length, 2);
      assert.ok(preview.totalChunks > 5);
      const loader = await platform.json<{ id: string; status: string }>("POST", "/document-store/loader/save", body);
      assert.deepEqual([loader.status, (await store()).status], ["NEW", "NEW"]);
      const page = await platform.json<ChunkPage>("POST", `/document-store/loader/process/${loader.id}`, {
        storeId: id,
      });
      assert.deepEqual([page.count, (await store()).status], [preview.totalChunks, "SYNC"]);
      assert.equal((await query("alpha")).docs.length, 0);
      await platform.json("POST", "/document-store/vectorstore/insert", { storeId: id });
      assert.deepEqual([(await query("alpha")).docs.length, (await loadersOf())[0]?.status], [4, "UPSERTED"]);
    });

    test("may have an agent's id: its upserts are none of that agent's runs", async (t) => {
      const { platform, text } = await open(t, databases);
      const id = await agentWith(platform, llmFlow());
      await platform.json("POST", "/document-store/store", { id, name: "Namesake" });
      const upsert = (content: string) => {
        return platform.json<UpsertResult>("POST", `/document-store/upsert/${id}`, text(content));
      };
      assert.equal((await upsert(refunds)).numAdded, 1);
      assert.deepEqual(await platform.json("GET", `/chatmessage/${id}`), []);
      await platform.json("DELETE", `/chatflows/${id}`);
      assert.equal((await upsert(shipping)).numAdded, 1);
    });

    test("goes with everything that belongs to it", async (t) => {
      const { platform, id, upsert, text } = await open(t, databases);
      await upsert(text(refunds));
      assert.equal((await platform.send("DELETE", `/document-store/store/${id}`)).status, 200);
      assert.equal((await platform.send("GET", `/document-store/store/${id}`)).status, 404);
      assert.deepEqual(await platform.json("GET", `/upsert-history/${id}`), []);
    });
  });
});
