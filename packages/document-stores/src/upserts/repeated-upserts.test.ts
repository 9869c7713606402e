import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it, type TestContext } from "node:test";
import type { DocumentStore, UpsertJob, UpsertResult } from "@weft/schema";
import { forEachDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform } from "../../../server/src/testing/test-platform.ts";

const body = { loader: { name: "plainText", config: { text: "Refunds take five days." } } };
const key = { "idempotency-key": "one upload" };

/** Platforms on one database, as processes are, and a store. */
async function open(t: TestContext, databases: TestDatabases, env: Record<string, string> = {}) {
  const storage = await databases.createTestStorage(t);
  const same = { createTestStorage: async () => storage };
  const here = await openTestPlatform(t, same, env);
  const there = databases.name === "postgres" ? await openTestPlatform(t, same, env) : here;
  const { id } = await here.json<DocumentStore>("POST", "/document-store/store", { name: "Handbook" });
  const path = `/document-store/upsert/${id}`;
  const jobs = () => here.json<UpsertJob[]>("GET", `/document-store/store/${id}/upserts`);
  return { here, there, id, path, jobs };
}

type World = Awaited<ReturnType<typeof open>>;

function upload({ here, path }: World, text: string, { platform = here } = {}): Promise<Response> {
  const form = new FormData();
  form.append("files", new File([text], "refunds.txt", { type: "text/plain" }));
  const headers = { authorization: `Bearer ${platform.token}`, ...key };
  return platform.fetch(new Request(`http://platform/api/v1${path}`, { method: "POST", headers, body: form }));
}

async function resultOf(response: Response): Promise<UpsertResult> {
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as UpsertResult;
}

await forEachDatabase((databases) => {
  describe("an upsert that is sent again under its Idempotency-Key", () => {
    it("is made once, and answered with what came of it", async (t) => {
      const { here, there, path, jobs } = await open(t, databases);
      const first = await resultOf(await here.send("POST", path, body, key));
      assert.equal(first.numAdded, 1);
      assert.deepEqual(await resultOf(await there.send("POST", path, body, key)), first);
      assert.equal((await jobs()).length, 1);
      const other = await here.send("POST", path, { ...body, metadata: { a: 1 } }, key);
      assert.deepEqual(
        [other.status, ((await other.json()) as { code: string }).code],
        [409, "idempotency-key-reused"],
      );
    });

    it("is one, also as a file, and when both come at the same moment", async (t) => {
      const world = await open(t, databases);
      const text = "Refunds take five days.";
      const both = await Promise.all([world.here, world.there].map((platform) => upload(world, text, { platform })));
      const results = await Promise.all(
        both.map(async (response) =>
          response.status === 409 ? upload(world, text).then(resultOf) : resultOf(response),
        ),
      );
      assert.deepEqual(results[0], results[1]);
      assert.equal(results[0]?.numAdded, 1);
      assert.deepEqual(await resultOf(await upload(world, text)), results[0]);
      assert.equal((await upload(world, "Other words.")).status, 409);
      assert.equal((await world.jobs()).length, 1);
    });

    it("makes one store", async (t) => {
      const { here, there, path } = await open(t, databases);
      const asked = { ...body, createNewDocStore: true, docStore: { name: "New" } };
      const first = await resultOf(await here.send("POST", path, asked, key));
      assert.deepEqual(await resultOf(await there.send("POST", path, asked, key)), first);
      const stores = await here.json<DocumentStore[]>("GET", "/document-store/store");
      assert.deepEqual(stores.map(({ name }) => name).toSorted(), ["Handbook", "New"]);
    });

    it("is tried again where it failed with something that may pass", async (t) => {
      let isUp = false;
      const embedder = createServer((request, response) => {
        request.resume().on("end", () => {
          response.writeHead(isUp ? 200 : 503, { "content-type": "application/json" });
          const data = [{ object: "embedding", index: 0, embedding: [1, 0, 0] }];
          response.end(JSON.stringify(isUp ? { object: "list", data, model: "e" } : { error: { message: "Later" } }));
        });
      });
      await new Promise<void>((resolve) => embedder.listen(0, "127.0.0.1", resolve));
      t.after(() => embedder.close());
      const { port } = embedder.address() as AddressInfo;
      const { here, there, path } = await open(t, databases, { EGRESS_ALLOW: `127.0.0.1:${port}` });
      const config = { basePath: `http://127.0.0.1:${port}/v1`, modelName: "e" };
      const asked = { ...body, embedding: { name: "localAIEmbeddings", config } };
      const failed = await here.send("POST", path, asked, key);
      assert.equal(failed.ok, false);
      assert.equal(((await failed.json()) as { retryable?: boolean }).retryable, true);
      isUp = true;
      assert.equal((await resultOf(await there.send("POST", path, asked, key))).numAdded, 1);
    });
  });
});
