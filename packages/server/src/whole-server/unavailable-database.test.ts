import assert from "node:assert/strict";
import { test } from "node:test";
import { DatabaseUnavailableError } from "@weft/database";
import { createScriptedEmbeddingServer } from "@weft/providers/testing";
import type { DocumentStore, UpsertJob, UpsertResult } from "@weft/schema";
import type { KyselyPlugin } from "kysely";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { sendForm } from "../testing/send-form.ts";
import { openTestPlatform } from "../testing/test-platform.ts";

await onTestDatabase((databases) => {
  test("a run whose step finds the database away continues when it is back, and its client is answered", async (t) => {
    const model = await createScriptedEmbeddingServer();
    t.after(() => model.close());
    let failures = 0;
    // The step of an upsert is the first to read a loader outside of a transaction.
    const plugin: KyselyPlugin = {
      transformQuery({ node }) {
        const isLoader = node.kind === "SelectQueryNode" && JSON.stringify(node.from).includes('"documentLoaders"');
        if (isLoader && failures === 0) {
          failures += 1;
          throw new DatabaseUnavailableError("the database does not answer", undefined);
        }
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const platform = await openTestPlatform(
      t,
      databases,
      { OPENAI_API_KEY: "k", OPENAI_BASE_URL: model.url, RUN_LEASE_MS: "400" },
      { wrapDatabase: (database) => ({ ...database, read: database.read.withPlugin(plugin) }) },
    );
    const embeddingConfig = JSON.stringify({ name: "openai", config: { model: "scripted" } });
    const { id } = await platform.json<DocumentStore>("POST", "/document-store/store", { name: "A", embeddingConfig });
    const file = { name: "a.txt", type: "text/plain", bytes: "One passage." };
    const response = await sendForm(platform, `/document-store/upsert/${id}`, [["files", file]]);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    assert.equal((JSON.parse(text) as UpsertResult).numAdded, 1);
    assert.equal(failures, 1);
    const jobs = await platform.json<UpsertJob[]>("GET", `/document-store/store/${id}/upserts`);
    assert.deepEqual(
      jobs.map(({ state, error }) => [state, error]),
      [["FINISHED", null]],
    );
  });
});
