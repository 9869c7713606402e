import assert from "node:assert/strict";
import { test } from "node:test";
import type { FlowImport, UpsertResult } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { classicFlow, ref } from "../../../dialects/src/testing/classic-file.ts";
import { openTestPlatform } from "../testing/test-platform.ts";

await onTestDatabase((databases) => {
  test("a chatflow that only upserts is imported, upserted and asked", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const document = classicFlow([
      { id: "plainText_0", inputs: { text: "Refunds take five days." } },
      { id: "memoryVectorStore_0", inputs: { document: ref("plainText_0") } },
    ]);
    const file = { name: "Fills.json", text: JSON.stringify(document) };
    const { agent } = await platform.json<FlowImport>("POST", "/flows/import", { files: [file] });
    const result = await platform.json<UpsertResult>("POST", `/vector/upsert/${agent.id}`, {});
    assert.equal(result.numAdded, 1);
    const said = await platform.json<{ text: string }>("POST", `/prediction/${agent.id}`, { question: "refunds" });
    assert.match(said.text, /Refunds take five days\./);
  });
});
