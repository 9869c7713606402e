import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import type { FlowiseSource } from "@weft/flowise-source";
import { flowiseId, writeFlowiseExport } from "@weft/flowise-source/testing";
import type { FlowiseReport } from "@weft/schema";
import { onTestDatabase, openTestStorage } from "../../../database/src/testing/test-databases.ts";
import { describeReport } from "../cli/import-flowise.ts";
import { openRestartable } from "../testing/test-platform.ts";
import { buildFlowise, countsOf, importFrom } from "./testing/bench.ts";

const tables = [
  ...["credential", "variable", "tool", "apikey", "document_store", "document_store_file_chunk", "chat_flow"],
  ...["assistant", "chat_message", "chat_message_feedback", "lead", "upsert_history", "execution"],
];

await onTestDatabase((databases) => {
  test("a whole installation is taken over, and a second import adds nothing", async (t) => {
    const flowise = await buildFlowise(t);
    const here = await openRestartable(t, databases);
    const count = (table: string) => [...flowise.contents.rows(table)].length;
    const dry = await importFrom(flowise, here.storage, { dryRun: true });
    const nothing = await importFrom(flowise, here.storage, { dryRun: true });
    assert.deepEqual(dry, nothing, "a dry run writes nothing");
    const first = await importFrom(flowise, here.storage);
    const dryAgain = await importFrom(flowise, here.storage, { dryRun: true });
    const second = await importFrom(flowise, here.storage);
    for (const table of tables) {
      const rows = count(table);
      assert.deepEqual(countsOf(dry, table), [rows, rows, 0, 0], table);
      assert.deepEqual(countsOf(first, table), [rows, rows, 0, 0], table);
      assert.deepEqual(countsOf(second, table), [rows, 0, rows, 0], table);
      assert.deepEqual(countsOf(dryAgain, table), [rows, 0, rows, 0], table);
    }
    assert.deepEqual(countsOf(first, "files of chats"), [2, 2, 0, 0]);
    assert.deepEqual(countsOf(second, "files of chats"), [2, 0, 2, 0]);
    assert.deepEqual(withoutCounts(dry), withoutCounts(first));
    assert.deepEqual([first.embedding.length, second.embedding.length], [3, 0]);
  });

  for (const [table, afterRows] of [
    ["document_store_file_chunk", 20],
    ["chat_flow", 10],
    ["chat_message", 100],
  ] as const) {
    test(`an import that was interrupted at ${table} is completed by another one`, async (t) => {
      const flowise = await buildFlowise(t);
      const here = await openRestartable(t, databases);
      const wrap = (source: FlowiseSource) => failing(source, { table, afterRows });
      await assert.rejects(importFrom(flowise, here.storage, { wrap }), /the cable was pulled/);
      const report = await importFrom(flowise, here.storage);
      const before = tables.indexOf(table);
      for (const [index, name] of tables.entries()) {
        const { length: rows } = [...flowise.contents.rows(name)];
        const there = index < before ? rows : index === before ? afterRows : 0;
        assert.deepEqual(countsOf(report, name), [rows, rows - there, there, 0], name);
      }
      assert.equal(report.embedding.length, 3);
    });
  }
});

test("what a flow without a key becomes is decided before anything is written", async (t) => {
  const flowise = await buildFlowise(t);
  const here = await openOnSqlite(t);
  const undecided = importFrom(flowise, here.storage, { openFlows: undefined });
  await assert.rejects(undecided, /Nothing was imported\. .*Agent 0, .*--open-flows/);
  assert.deepEqual(await (await here.open()).json("GET", "/credentials"), []);
});

test("with a wrong key credentials come without their values, and everything else comes", async (t) => {
  const flowise = await buildFlowise(t);
  const here = await openOnSqlite(t);
  const report = await importFrom(flowise, here.storage, { key: "another key of 32 characters ..." });
  assert.deepEqual(countsOf(report, "credential"), [26, 26, 0, 0]);
  assert.deepEqual(countsOf(report, "chat_message"), [240, 240, 0, 0]);
  assert.match(
    describeReport(report),
    /The credential "Credential 0" came without its values: the key does not open it/,
  );
  const { fields } = await (await here.open()).json<{ fields: string[] }>(
    "GET",
    `/credentials/${flowiseId("credential", 0)}`,
  );
  assert.deepEqual(fields, []);
});

test("one workspace is taken over by its name, and of all of them equal names are told", async (t) => {
  const flowise = await buildFlowise(t);
  const here = await openOnSqlite(t);
  const wrong = importFrom(flowise, here.storage, { workspace: "Third" });
  await assert.rejects(wrong, /no workspace called Third.*Default Workspace, Second Workspace/);
  const second = await importFrom(flowise, here.storage, { workspace: "Second Workspace" });
  assert.deepEqual(countsOf(second, "variable"), [1, 1, 0, 0]);
  assert.ok(second.agents.every(({ name }) => ["Agent 4", "Agent 9", "Assistant 1"].includes(name)));
  assert.ok(!describeReport(second).includes("are called"));
  const all = await importFrom(flowise, here.storage);
  assert.deepEqual(countsOf(all, "variable"), [4, 3, 1, 0]);
  assert.match(describeReport(all), /2 variables are called "companyName"/);
  assert.match(describeReport(all), /2 tools are called "order_status"/);
});

test("a variable whose value is too long is left out, and the report says why", async (t) => {
  const flowise = await buildFlowise(t);
  const here = await openOnSqlite(t);
  const wrap = (source: FlowiseSource): FlowiseSource => ({
    ...source,
    async *rows(table, options) {
      for await (const page of source.rows(table, options)) {
        yield table === "variable" ? page.map((row, index) => (index === 0 ? { ...row, value: long } : row)) : page;
      }
    },
  });
  const report = await importFrom(flowise, here.storage, { wrap });
  assert.deepEqual(countsOf(report, "variable"), [4, 3, 0, 1]);
  assert.match(describeReport(report), /Its value must have at most 65,536 characters/);
});

const long = "v".repeat(65_537);

test("an export is taken over, without what it does not hold", async (t) => {
  const flowise = await buildFlowise(t);
  const exportFile = join(dirname(flowise.database), "ExportData.json");
  await writeFlowiseExport(flowise.contents, exportFile);
  const here = await openOnSqlite(t);
  const report = await importFrom(flowise, here.storage, { exportFile });
  const [read = 0, written] = countsOf(report, "chat_message");
  assert.ok(read > 100 && written === read);
  for (const table of ["credential", "apikey", "lead"]) assert.deepEqual(countsOf(report, table), [0, 0, 0, 0], table);
  const agent = report.agents.find(({ name }) => name === "Agent 1");
  assert.match(agent?.findings.join() ?? "", /Its credential \S+ does not exist/);
});

test("an installation of 1.x is taken over", async (t) => {
  const flowise = await buildFlowise(t, { version: "1.x" });
  const here = await openOnSqlite(t);
  const report = await importFrom(flowise, here.storage);
  const rows = [...flowise.contents.rows("chat_message")].length;
  assert.deepEqual(countsOf(report, "chat_message"), [rows, rows, 0, 0]);
  const agent = await (await here.open()).json<{ type: string }>("GET", `/chatflows/${flowiseId("chat_flow", 0)}`);
  assert.equal(agent.type, "CHATFLOW");
});

/** The report without what differs between an import and a dry run of it. */
function withoutCounts({ dryRun: _, embedding: __, tables: ___, ...rest }: FlowiseReport) {
  return rest;
}

/** Pages of ten rows, until the installation goes away. */
function failing(source: FlowiseSource, { table, afterRows }: { table: string; afterRows: number }): FlowiseSource {
  return {
    ...source,
    async *rows(name, options) {
      let count = 0;
      for await (const rows of source.rows(name, options)) {
        for (let start = 0; start < rows.length; start += 10) {
          if (name === table && count >= afterRows) throw new Error("the cable was pulled");
          const page = rows.slice(start, start + 10);
          count += page.length;
          yield page;
        }
      }
    },
  };
}

function openOnSqlite(t: Pick<TestContext, "after">) {
  return openRestartable(t, { createTestStorage: (cleanUp) => openTestStorage("sqlite", cleanUp) });
}
