import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Tables } from "@weft/database";
import { everything } from "@weft/http/identity";
import { CompiledQuery, createQueryId, type Kysely, type KyselyPlugin, type RootOperationNode, sql } from "kysely";
import { listMessages, sessionOwners } from "../../../chats/src/chat-messages/chat-message.store.ts";
import { openTestStorage } from "../../../database/src/testing/test-databases.ts";
import { firstInLine } from "../../../document-stores/src/state/upsert-job.store.ts";
import { countAsking, listAsking } from "../../../run-host/src/executions/execution.store.ts";
import { listDueCallbacks } from "../webhooks/callback.store.ts";

// What is asked all the time reads the rows that it needs, however many others there are: SQLite chooses without
// statistics, and an index that only orders is enough to make it read a whole table.

type Handle = Kysely<Tables>;

const agentId = randomUUID();
const window = { order: "ASC" } as const;
const messages = (filter: object) => (db: Handle) =>
  listMessages(db, agentId, { reach: everything, ...filter }, window);

const cases: [name: string, ask: (db: Handle) => Promise<unknown>, plan: RegExp][] = [
  [
    "the messages of a session",
    messages({ sessionId: "s" }),
    /chatMessagesBySession \(chatflowid=\? AND sessionId=\?\)/,
  ],
  [
    "the messages of a session that some owners may see",
    messages({ sessionId: "s", reach: { owners: ["operator", "client:1"], agents: "all" } }),
    /chatMessagesBySession \(chatflowid=\? AND sessionId=\? AND owner=\?\)/,
  ],
  [
    "the owners of a session",
    (db) => sessionOwners(db, { agentId, sessionId: "s" }, ["operator", "client:1"]),
    /chatMessagesBySession \(chatflowid=\? AND sessionId=\? AND owner=\?\)/,
  ],
  [
    "the messages of an owner",
    messages({ reach: { owners: ["operator"], agents: "all" } }),
    /chatMessagesByOwner \(chatflowid=\? AND <expr>=\?\)/,
  ],
  ["the messages of a chat", messages({ chatId: "c" }), /chatMessagesByChat \(chatId=\? AND chatflowid=\?\)/],
  [
    "callbacks that are due",
    (db) => listDueCallbacks(db, 10),
    /^SCAN callbacks.*SEARCH runs USING PRIMARY KEY \(id=\?\)/s,
  ],
  [
    "runs that are due",
    async (db) => {
      const due = db.selectFrom("runs").select("id").where("dueAt", "<=", 1).where("status", "=", sql.lit("suspended"));
      await due.orderBy("dueAt").orderBy("id").limit(100).execute();
    },
    /^SEARCH runs USING INDEX runsDue \(dueAt<\?\)$/m,
  ],
  [
    "runs that wait for a human",
    (db) => listAsking(db, everything, { offset: 0, limit: 10 }),
    /^SEARCH runs USING INDEX runsByStatus \(status=\?\)(?!.*TEMP B-TREE)/s,
  ],
  [
    "how many runs wait for a human",
    (db) => countAsking(db, everything),
    /^SEARCH runs USING INDEX runsByStatus \(status=\?\)$/,
  ],
  [
    "runs of some owners and agents that wait for a human",
    (db) => listAsking(db, { owners: ["operator"], agents: new Set([agentId]) }, { offset: 0, limit: 10 }),
    /SEARCH runs USING INDEX runsBy(Status|Agent|Owner) /,
  ],
  ["the upsert that is first in line", (db) => firstInLine(db, "store"), /upsertJobsByState \(state=\?\)/],
];

for (const [name, ask, expected] of cases) {
  test(`SQLite finds ${name} by an index`, async (t) => {
    const database = await (await openTestStorage("sqlite", t)).open();
    t.after(() => database.close());
    const asked: RootOperationNode[] = [];
    const plugin: KyselyPlugin = {
      transformQuery({ node }) {
        asked.push(node);
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    await ask(database.read.withPlugin(plugin));
    const plans: string[] = [];
    for (const node of asked) {
      const { sql, parameters } = database.read.getExecutor().compileQuery(node, createQueryId());
      const query = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
      const { rows } = await database.read.executeQuery(query);
      plans.push(rows.map((row) => (row as { detail: string }).detail).join("\n"));
    }
    assert.match(plans.join("\n"), expected);
  });
}
