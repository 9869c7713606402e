import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ChunkPage, DocumentStore, UpsertResult, VectorQueryResult } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { sendForm } from "../../../server/src/testing/send-form.ts";
import { openTestPlatform } from "../../../server/src/testing/test-platform.ts";

const refunds = "Refunds take five days.";
const shipping = "Parcels leave on Mondays.";
const textLoader = (text: string) => ({ loaderId: "plainText", loaderName: "A text", loaderConfig: { text } });
type Loader = {
  id: string;
  status: string;
  loaderName: string;
  loaderConfig: { text: string };
  metadata: object;
  source: string;
};

const loadersOf = (store: DocumentStore) => JSON.parse(store.loaders) as Loader[];

await onTestDatabase((databases) => {
  describe("loaders given with a store", () => {
    test("are there unprocessed, and an empty upsert body processes them", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const loaders = JSON.stringify([textLoader(refunds), { ...textLoader(shipping), metadata: { topic: "post" } }]);
      const made = await platform.json<DocumentStore>("POST", "/document-store/store", { name: "Handbook", loaders });
      assert.deepEqual(
        loadersOf(made).map(({ status, loaderName, loaderConfig }) => [status, loaderName, loaderConfig.text]),
        [
          ["NEW", "A text", refunds],
          ["NEW", "A text", shipping],
        ],
      );
      assert.deepEqual([made.status, made.totalChunks], ["NEW", 0]);
      const nothing = { loader: {}, splitter: {}, embedding: {}, vectorStore: {}, recordManager: {} };
      const path = `/document-store/upsert/${made.id}`;
      const first = await platform.json<UpsertResult>("POST", path, nothing);
      assert.deepEqual([first.numAdded, first.addedDocs.length, first.storeId], [2, 2, made.id]);
      for (const body of [{}, { loader: "{}", recordManager: { name: "", config: {} } }]) {
        const again = await platform.json<UpsertResult>("POST", path, body);
        assert.deepEqual([again.numAdded, again.numSkipped], [0, 2]);
      }
      const form = (await (await sendForm(platform, path, [["replaceExisting", "False"]])).json()) as UpsertResult;
      assert.deepEqual([form.numAdded, form.numSkipped], [0, 2]);
    });

    test("a typed text has a length at which it becomes a file", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const { id: storeId } = await platform.json<DocumentStore>("POST", "/document-store/store", { name: "Handbook" });
      const save = (text: string) =>
        platform.send("POST", "/document-store/loader/save", { storeId, ...textLoader(text) });
      assert.equal((await save("x".repeat(2_000_000))).status, 200);
      const refused = await save("x".repeat(2_000_001));
      assert.equal(refused.status, 400);
      assert.match(((await refused.json()) as { message: string }).message, /2000000 characters.*upload it as a file/i);
    });

    test("an empty upsert body of a store without loaders says what is missing", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const { id } = await platform.json<DocumentStore>("POST", "/document-store/store", { name: "Empty" });
      const response = await platform.send("POST", `/document-store/upsert/${id}`, {});
      assert.equal(response.status, 400);
      assert.match(((await response.json()) as { message: string }).message, /no loader to process/);
    });

    test("sent back as they were read change nothing; others are added, and changed ones are stale", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const long = Array.from({ length: 100 }, (_, index) => `Refund ${index} takes five days.`).join(" ");
      const loaders = JSON.stringify([textLoader(long)]);
      const made = await platform.json<DocumentStore>("POST", "/document-store/store", { name: "Handbook", loaders });
      await platform.json("POST", `/document-store/upsert/${made.id}`, {});
      assert.deepEqual(
        loadersOf(made).map(({ source }) => source),
        ["Refund 0 takes five days. Refund 1 takes five days. Refund 2 takes five days. R…"],
      );
      const path = `/document-store/store/${made.id}`;
      const read = await platform.json<DocumentStore>("GET", path);
      const same = await platform.json<DocumentStore>("PUT", path, { ...read, name: "Renamed" });
      assert.deepEqual([same.name, same.status, same.loaders], ["Renamed", "UPSERTED", read.loaders]);
      const own = crypto.randomUUID();
      const more = [...loadersOf(read), { ...textLoader(shipping), id: own, status: "SYNC", totalChunks: 7 }];
      const added = await platform.json<DocumentStore>("PUT", path, { loaders: JSON.stringify(more) });
      assert.deepEqual(
        loadersOf(added).map(({ id, status }) => [id, status]),
        [
          [loadersOf(read)[0]?.id, "UPSERTED"],
          [own, "NEW"],
        ],
      );
      const [first] = loadersOf(read);
      const changed = [{ ...first, metadata: { topic: "money" } }];
      const after = await platform.json<DocumentStore>("PUT", path, { loaders: JSON.stringify(changed) });
      assert.deepEqual(
        loadersOf(after).map(({ status }) => status),
        ["STALE", "NEW"],
      );
      await platform.json("POST", `/document-store/upsert/${made.id}`, {});
      const { docs } = await platform.json<VectorQueryResult>("POST", "/document-store/vectorstore/query", {
        storeId: made.id,
        query: "refunds",
        filter: { topic: "money" },
      });
      assert.ok(docs.length > 0);
      const chunks = await platform.json<ChunkPage>("GET", `/document-store/chunks/${made.id}/${first?.id}/1`);
      assert.ok(chunks.characters > long.length - 100, "the long text was not cut");
    });

    test("that cannot be used are refused with a sentence, and nothing is stored", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const { id } = await platform.json<DocumentStore>("POST", "/document-store/store", { name: "Handbook" });
      const refused: [unknown, RegExp][] = [
        ["{", /loaders/],
        ['{"a":1}', /loaders/],
        [JSON.stringify([{ loaderId: "nothing" }]), /nothing/],
        [JSON.stringify([{}]), /Specify what to load/],
      ];
      for (const [loaders, expected] of refused) {
        for (const [method, path] of [
          ["POST", "/document-store/store"],
          ["PUT", `/document-store/store/${id}`],
        ] as const) {
          const response = await platform.send(method, path, { name: "Handbook", loaders });
          const text = await response.text();
          assert.equal(response.status, 400, text);
          assert.match(text, expected);
        }
      }
      const stores = await platform.json<DocumentStore[]>("GET", "/document-store/store");
      assert.deepEqual(
        stores.map(({ loaders }) => loaders),
        ["[]"],
      );
    });
  });
});
