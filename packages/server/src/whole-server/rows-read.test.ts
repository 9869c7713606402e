// @process own: databases that tests hand on keep what PostgreSQL learnt of earlier rows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Tables } from "@weft/database";
import { CompiledQuery, createQueryId, type Kysely, type KyselyPlugin, sql } from "kysely";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { model, toFlowData } from "../testing/flow-table/flow-case.ts";
import { agentWith, openTestPlatform } from "../testing/test-platform.ts";

// Every statement that the platform makes for runs, lists and its own rounds is caught as it is made, and explained where
// one agent and one owner have many runs and messages that PostgreSQL has never analysed: none reads more rows than it
// needs, however many others there are.

const stored = 20_000;
/** Those of the chat, and a page. */
const maxRows = 300;
/** Those whose requests a start looks at. */
const maxRowsOfStart = 2_000;
const isOfStart = /"updatedDate" >= \S+ order by "updatedDate" desc/;

/** What reads all that it is asked for, by its nature. */
const readsAll = /^select count\(\*\)/;

await onTestDatabase(({ name, createTestStorage }) => {
  test("what is asked all the time reads few rows of many", { timeout: 100_000 }, async (t) => {
    const caught = new Map<string, CompiledQuery>();
    let database: Database | undefined;
    const platform = await openTestPlatform(
      t,
      { createTestStorage },
      { RUN_LEASE_MS: "400" },
      {
        wrapDatabase(opened) {
          database = opened;
          return catching(opened, (query) => caught.set(query.sql, query));
        },
      },
    );
    assert.ok(database);
    const memory = { memory: { type: "window", size: 4 } };
    const flow = toFlowData({ nodes: { reply: model("{{ question }}", memory) }, edges: "start>reply" });
    const id = await agentWith(platform, flow);
    const ask = (question: string) => platform.json("POST", `/prediction/${id}`, { question, chatId: "chat" });
    await ask("One");
    if (name === "postgres") await keepUnanalysed(database);
    await fill(database, id);
    await ask("Two");
    for (const path of [
      "/executions?page=1&limit=50",
      `/executions?agentflowId=${id}&page=1&limit=50`,
      "/executions?state=ERROR&page=1&limit=50",
      "/executions/waiting?limit=50",
      `/chatmessage/${id}?sessionId=chat`,
      `/chatmessage/${id}?chatId=chat`,
    ])
      await platform.json("GET", path);
    // A round of everything that looks once a second.
    await sleep(1_500);
    const statements = [...caught.values()].filter(
      (query) => /"(chatMessages|runs|runEvents)"/.test(query.sql) && !readsAll.test(query.sql),
    );
    assert.ok(statements.length > 10, `${statements.length} statements`);
    const found: string[] = [];
    for (const query of statements) {
      const problem = await (name === "sqlite" ? explainOnSqlite : explainOnPostgres)(database, query);
      if (problem !== undefined) found.push(`${problem}\n  ${query.sql}`);
    }
    assert.equal(found.join("\n\n"), "");
  });
});

/** The same database, which shows every statement before it runs. */
function catching(database: Database, show: (query: CompiledQuery) => void): Database {
  const showReal = (query: CompiledQuery) => {
    // Statements that are built once are built with a name in each place.
    if (!query.parameters.some((value) => String(value).startsWith("place of "))) show(query);
  };
  const watch = <Handle extends Kysely<Tables>>(handle: Handle): Handle => {
    const plugin: KyselyPlugin = {
      transformQuery({ node }) {
        showReal(handle.getExecutor().compileQuery(node, createQueryId()));
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const executeQuery: Handle["executeQuery"] = (query) => {
      showReal(query as CompiledQuery);
      return handle.executeQuery(query);
    };
    return Object.assign(handle.withPlugin(plugin), { executeQuery }) as Handle;
  };
  return {
    ...database,
    read: watch(database.read),
    write: (fn, options) => database.write((tx) => fn(watch(tx)), options),
    commit(commit) {
      for (const query of [...commit.statements, commit.proof]) show(query);
      return database.commit(commit);
    },
  };
}

/** PostgreSQL analyses tables once a minute; where that is in the middle of `fill`, its plans are for a few rows. */
async function keepUnanalysed({ write }: Database): Promise<void> {
  for (const table of large) {
    await write((tx) => sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(tx));
  }
}

/** Copies the rows of the first run, each into a run and a session of its own. */
async function fill({ read, write }: Database, agentId: string): Promise<void> {
  const [run, events, messages] = await Promise.all([
    read.selectFrom("runs").selectAll().where("agentId", "=", agentId).executeTakeFirstOrThrow(),
    read.selectFrom("runEvents").selectAll().execute(),
    read.selectFrom("chatMessages").selectAll().execute(),
  ]);
  for (let start = 0; start < stored; start += 100) {
    const numbers = Array.from({ length: 100 }, (_, index) => String(start + index));
    await write(async (tx) => {
      const copies = numbers.map((n) => ({ ...run, id: `run-${n}`, chatId: `chat-${n}`, sessionId: `chat-${n}` }));
      await tx.insertInto("runs").values(copies).execute();
      const ofRuns = numbers.map((n) => events.slice(0, 2).map((event) => ({ ...event, runId: `run-${n}` })));
      await tx.insertInto("runEvents").values(ofRuns.flat()).execute();
      const ofChats = numbers.map((n) =>
        messages.map((message) => ({
          ...message,
          id: `${message.id}-${n}`,
          chatId: `chat-${n}`,
          sessionId: `chat-${n}`,
          executionId: `run-${n}`,
        })),
      );
      await tx.insertInto("chatMessages").values(ofChats.flat()).execute();
    });
  }
}

/** Why the plan of a statement reads too much. */
async function explainOnSqlite({ read }: Database, { sql, parameters }: CompiledQuery): Promise<string | undefined> {
  const { rows } = await read.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
  );
  const plan = rows.map(({ detail }) => detail).join("\n");
  // What is read in the order of a list ends with its page. Of runs that go on, wait or are leased there are few.
  const scanned = plan.matchAll(
    /SCAN (chatMessages|runs|runEvents)\b(?! USING INDEX runs(?:Running|Due|Leased|ByDate)\b)/g,
  );
  const tables = [...scanned].filter(([, table]) => !plan.includes(`CO-ROUTINE ${table}`));
  return tables.length > 0 ? plan : undefined;
}

type PlanNode = { "Node Type": string; "Actual Rows"?: number; "Actual Loops"?: number; Plans?: PlanNode[] } & Record<
  string,
  unknown
>;

const large = new Set(["chatMessages", "runs", "runEvents"]);

class RolledBack extends Error {}

/** As it runs, and is undone. */
async function explainOnPostgres({ write }: Database, { sql, parameters }: CompiledQuery): Promise<string | undefined> {
  let plan: PlanNode | undefined;
  const run = async (tx: Kysely<Tables>) => {
    // A row is there already.
    const options = sql.includes("insert into") ? "format json" : "analyze, format json";
    const query = CompiledQuery.raw(`explain (${options}) ${sql}`, [...parameters]);
    const { rows } = await tx.executeQuery<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(query);
    plan = rows[0]?.["QUERY PLAN"][0].Plan;
    throw new RolledBack();
  };
  await write(run, { isolation: "read-committed" }).catch((cause: unknown) => {
    if (!(cause instanceof RolledBack)) throw cause;
  });
  return (
    plan &&
    rowsRead(plan)
      .find(([, rows]) => rows > (isOfStart.test(sql) ? maxRowsOfStart : maxRows))
      ?.join(": ")
  );
}

function rowsRead(node: PlanNode): [string, number][] {
  const removed = ["Rows Removed by Filter", "Rows Removed by Index Recheck", "Rows Removed by Join Filter"];
  const perLoop = removed.reduce((sum, key) => sum + Number(node[key] ?? 0), node["Actual Rows"] ?? 0);
  const name = ["Node Type", "Relation Name", "Index Name", "Index Cond", "Filter"]
    .map((key) => node[key] ?? "")
    .join(" ");
  const isScanned = node["Node Type"] === "Seq Scan" && large.has(String(node["Relation Name"]));
  // Unless it ran, what was planned counts.
  const loops = node["Actual Loops"];
  const rows = isScanned && loops !== 0 ? stored : perLoop * (loops ?? 1);
  return [[name, rows], ...(node.Plans ?? []).flatMap(rowsRead)];
}
