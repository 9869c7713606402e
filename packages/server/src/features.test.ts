import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "@weft/database";
import type { KyselyPlugin } from "kysely";
import { onTestDatabase } from "../../database/src/testing/test-databases.ts";
import { agentWith, llmFlow, openTestPlatform } from "./testing/test-platform.ts";

/** Of no feature: what the process and the HTTP application remember, and what the migrator does. */
const shared = ["idempotencyKeys", "kysely_migration", "kysely_migration_lock", "settings"];

/** Counted by the processes on one PostgreSQL. */
const sharedByProcesses = ["limits"];

/** Beside `vectorRecords`, kept by the database. */
const keywordIndex = "vectorTerms";

/** The database, and the tables that its transactions build statements for. */
function watchTables(database: Database): { database: Database; named: Set<string> } {
  const named = new Set<string>();
  const watcher: KyselyPlugin = {
    transformQuery({ node }) {
      for (const [, name] of JSON.stringify(node).matchAll(/"name":"(\w+)"/g)) named.add(name ?? "");
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const write: Database["write"] = (fn, options) => database.write((tx) => fn(tx.withPlugin(watcher)), options);
  const commit: Database["commit"] = (commit) => {
    for (const { sql } of commit.statements) for (const [, name] of sql.matchAll(/"(\w+)"/g)) named.add(name ?? "");
    return database.commit(commit);
  };
  return { database: { ...database, write, commit }, named };
}

await onTestDatabase(({ name, createTestStorage, openTestDatabase }) => {
  test("every table belongs to one feature, and every feature has a name of its own", async (t) => {
    const { features } = await openTestPlatform(t, { createTestStorage });
    const names = features.map((feature) => feature.name);
    assert.deepEqual(names, [...new Set(names)]);
    const { read } = await openTestDatabase(t);
    const tables = await read.introspection.getTables({ withInternalKyselyTables: true });
    const owned = features.flatMap(({ tables = [] }) => tables);
    const stored = tables.map((table) => table.name).filter((table) => !table.startsWith(keywordIndex));
    const ofNone = name === "postgres" ? [...shared, ...sharedByProcesses] : shared;
    assert.deepEqual([...owned, ...ofNone].toSorted(), stored.toSorted());
  });

  test("a chat run asks for no upsert jobs, and a document store's upsert does", async (t) => {
    let named = new Set<string>();
    const wrapDatabase = (database: Database) => {
      const watched = watchTables(database);
      named = watched.named;
      return watched.database;
    };
    const platform = await openTestPlatform(t, { createTestStorage }, {}, { wrapDatabase });
    const agentId = await agentWith(platform, llmFlow());
    named.clear();
    await platform.json("POST", `/prediction/${agentId}`, { question: "Hello" });
    assert.ok(named.has("runs"));
    assert.ok(!named.has("upsertJobs"));
    const { id } = await platform.json<{ id: string }>("POST", "/document-store/store", { name: "Store" });
    named.clear();
    const loader = { name: "plainText", config: { text: "Refunds take five days." } };
    await platform.json("POST", `/document-store/upsert/${id}`, { loader });
    assert.ok(named.has("upsertJobs"));
  });
});
