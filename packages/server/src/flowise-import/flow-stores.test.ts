import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { resolveStoreId } from "@weft/document-stores";
import type { FlowiseSource } from "@weft/flowise-source";
import type { DocumentStore, UpsertResult } from "@weft/schema";
import { openTestStorage } from "../../../database/src/testing/test-databases.ts";
import { classicFlow, ref } from "../../../dialects/src/testing/classic-file.ts";
import { openRestartable } from "../testing/test-platform.ts";
import { buildFlowise, importFrom } from "./testing/bench.ts";

const stored = (...names: string[]) => `FILE-STORAGE::${JSON.stringify(names)}`;

/** A chain with vectors of its own, whose loaders read files that the storage folder has, or lacks. */
const flowData = JSON.stringify(
  classicFlow([
    { id: "chatOpenAI_0" },
    { id: "faiss_0", label: "Rules", inputs: { document: [ref("textFile_0"), ref("pdfFile_0")] } },
    { id: "textFile_0", inputs: { txtFile: stored("rules.txt") } },
    { id: "pdfFile_0", inputs: { pdfFile: stored("gone.pdf") } },
    {
      id: "retrievalQAChain_0",
      inputs: { model: ref("chatOpenAI_0"), vectorStoreRetriever: ref("faiss_0") },
    },
  ]),
);

/** The installation with that flow in place of the first one. */
function withFlow(source: FlowiseSource): FlowiseSource {
  return {
    ...source,
    async *rows(table, options) {
      let isFirst = table === "chat_flow";
      for await (const page of source.rows(table, options)) {
        const [first, ...others] = page;
        yield isFirst && first !== undefined ? [{ ...first, flowData, type: "CHATFLOW" }, ...others] : page;
        isFirst = false;
      }
    },
  };
}

test("a flow's own store comes with the files of its loaders, once, and is filled by an upsert", async (t) => {
  const flowise = await buildFlowise(t);
  const [flow] = [...flowise.contents.rows("chat_flow")];
  assert.ok(typeof flow?.id === "string");
  await mkdir(join(flowise.storage, flow.id), { recursive: true });
  await writeFile(join(flowise.storage, flow.id, "rules.txt"), "Refunds take five days.");
  const storage = { createTestStorage: (cleanUp: never) => openTestStorage("sqlite", cleanUp) };
  const here = await openRestartable(t, storage as Parameters<typeof openRestartable>[1]);
  const report = await importFrom(flowise, here.storage, { wrap: withFlow });
  const second = await importFrom(flowise, here.storage, { wrap: withFlow });
  const said = report.agents.find(({ id }) => id === flow.id)?.findings.join("\n") ?? "";
  assert.match(said, /pdfFile .* are not in the flow/);
  assert.equal(second.agents.find(({ id }) => id === flow.id)?.findings.length, said.split("\n").length);

  const platform = await here.open();
  const id = resolveStoreId("own:faiss_0", flow.id);
  const store = await platform.json<DocumentStore>("GET", `/document-store/store/${id}`);
  const loaders = JSON.parse(store.loaders) as { loaderName: string; source: string }[];
  assert.deepEqual(
    loaders.map(({ loaderName, source }) => [loaderName, source]),
    [["textFile", "rules.txt"]],
  );
  const result = await platform.json<UpsertResult>("POST", `/vector/upsert/${flow.id}`, {});
  assert.deepEqual([result.numAdded, result.addedDocs[0]?.pageContent], [1, "Refunds take five days."]);
});
