import assert from "node:assert/strict";
import { test } from "node:test";
import { createScriptedEmbeddingServer } from "@weft/providers/testing";
import type { DocumentStore, VectorQueryResult } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { sendForm } from "../../../server/src/testing/send-form.ts";
import { openTestPlatform } from "../../../server/src/testing/test-platform.ts";

const passage = "When they are full, buckets grow to twice their number.";
const files = [
  ["gardens.md", `# Plants on a balcony\n\nTomatoes need light.\n\n${passage}`],
  ["indexes.md", `# The hash index\n\nEquality is all that it finds.\n\n${passage}`],
] as const;

await onTestDatabase((databases) => {
  test("of two equal passages of uploaded files that is found whose document begins with the question's words", async (t) => {
    const model = await createScriptedEmbeddingServer();
    t.after(() => model.close());
    const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: model.url };
    const platform = await openTestPlatform(t, databases, env);
    const embeddingConfig = JSON.stringify({ name: "openai", config: { model: "scripted" } });
    const created = { name: "Manuals", embeddingConfig };
    const { id } = await platform.json<DocumentStore>("POST", "/document-store/store", created);
    const splitter = JSON.stringify({ name: "recursive-character", config: { chunkSize: 60, chunkOverlap: 0 } });
    for (const [name, text] of files) {
      const parts = [
        ["splitter", splitter],
        ["files", { name, type: "text/markdown", bytes: text }],
      ] as const;
      const response = await sendForm(platform, `/document-store/upsert/${id}`, parts);
      assert.equal(response.status, 200, await response.clone().text());
    }
    const body = { storeId: id, query: "buckets of a hash index", topK: 10 };
    const { docs } = await platform.json<VectorQueryResult>("POST", "/document-store/vectorstore/query", body);
    const sources = docs.filter(({ pageContent }) => pageContent === passage).map(({ metadata }) => metadata.source);
    assert.deepEqual(sources, ["indexes.md"]);
  });
});
