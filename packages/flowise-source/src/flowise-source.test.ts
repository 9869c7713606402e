import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, type TestContext, test } from "node:test";
import { inspect } from "node:util";
import { createPostgresDatabase, findPostgresProblem } from "../../database/src/testing/test-databases.ts";
import { columnsOf } from "./flowise-tables.ts";
import { type FlowiseRow, type FlowiseSource, type FlowiseTable, flowiseTables, openFlowise } from "./index.ts";
import {
  type BuildOptions,
  buildFlowiseDatabase,
  type ContentRow,
  describeFlowise,
  type FlowiseContents,
  type FlowiseVersion,
  flowiseId,
  writeFlowiseExport,
} from "./testing/build-flowise-database.ts";
import {
  findMysqlProblem,
  installOnMysql,
  installOnPostgres,
  makeFolder,
  type TestInstallation,
} from "./testing/test-sources.ts";

type Install = (t: TestContext, build?: Pick<BuildOptions, "version" | "sizes">) => Promise<TestInstallation>;

const installOnSqlite: Install = async (t, build) => {
  const built = await buildFlowiseDatabase({ ...build, folder: await makeFolder(t) });
  const write = async (statement: string) => {
    using database = new DatabaseSync(built.database, { timeout: 100 });
    database.exec(statement);
  };
  return { ...built, address: built.database, write };
};

const databases: [kind: FlowiseSource["kind"], install: Install, problem: string | undefined][] = [
  ["sqlite", installOnSqlite, undefined],
  ["postgres", installOnPostgres, await findPostgresProblem()],
  ["mysql", installOnMysql, await findMysqlProblem()],
];
const versions: FlowiseVersion[] = ["1.x", "2.x", "3.1.4"];

for (const [kind, install, problem] of databases) {
  describe(kind, { skip: problem ?? false }, () => {
    for (const version of versions) {
      test(`reads every table of ${version}, oldest first`, async (t) => {
        const { address, contents } = await install(t, { version });
        const source = await open(t, address);
        assert.equal(source.kind, kind);
        assert.deepEqual(source.workspaces, contents.workspaces);
        for (const table of flowiseTables) {
          const expected = expectedRows(contents, table);
          assert.deepEqual(await readAll(source, table), expected, table);
          assert.equal(await source.count(table), expected.length, table);
        }
      });
    }

    test("keeps the rows of one workspace, and of what belongs to its flows and stores", async (t) => {
      const { address, contents } = await install(t);
      const source = await open(t, address);
      for (const { id: workspace } of contents.workspaces) {
        for (const table of flowiseTables) {
          const expected = expectedRows(contents, table, workspace);
          assert.deepEqual(await readAll(source, table, workspace), expected, table);
          assert.equal(await source.count(table, { workspace }), expected.length, table);
        }
      }
      const [first = { id: "" }, second = { id: "" }] = contents.workspaces;
      assert.equal(await source.count("dataset", { workspace: second.id }), 1);
      assert.equal(await source.count("dataset_row", { workspace: first.id }), 2);
      assert.equal(await source.count("user", { workspace: first.id }), 2);
      const elsewhere = flowiseId("workspace", 7);
      await assert.rejects(source.count("tool", { workspace: elsewhere }), /no workspace with the id/);
      await assert.rejects(readAll(source, "tool", elsewhere), /no workspace with the id/);
    });

    test("counts what is never moved, and 0 where a table is missing", async (t) => {
      const { address } = await install(t, { version: "2.x" });
      const source = await open(t, address);
      assert.equal(await source.count("custom_template"), 1);
      for (const table of ["execution", "dataset", "no such table", 'chat_flow" where 1 = 1 --', "x`y'z"]) {
        assert.equal(await source.count(table), 0, table);
      }
    });

    test("hands out pages of at most 1,000 rows, several lists at once", async (t) => {
      const { address, contents } = await install(t, { sizes: { messages: 700, chunks: 2_300 } });
      const source = await open(t, address);
      const sizes: number[] = [];
      const messages: FlowiseRow<"chat_message">[] = [];
      for await (const chunks of source.rows("document_store_file_chunk")) {
        sizes.push(chunks.length);
        if (messages.length === 0) for await (const page of source.rows("chat_message")) messages.push(...page);
      }
      assert.deepEqual(sizes, [1_000, 1_000, 300]);
      assert.deepEqual(messages, expectedRows(contents, "chat_message"));
      const both = await Promise.all([readAll(source, "tool"), readAll(source, "variable"), source.count("tool")]);
      assert.deepEqual(
        both.map((one) => (typeof one === "number" ? one : one.length)),
        [5, 4, 5],
      );
    });

    test("is one snapshot: what Flowise writes afterwards is not seen", async (t) => {
      const { address, contents, write } = await install(t);
      if (kind === "sqlite") await write("pragma journal_mode = wal");
      const source = await open(t, address);
      await write("delete from tool");
      await write("update variable set value = 'changed'");
      assert.equal(await source.count("tool"), 5);
      assert.deepEqual(await readAll(source, "variable"), expectedRows(contents, "variable"));
    });

    test("hands over damaged values as they are, and what has the wrong kind as null", async (t) => {
      const { address, write } = await install(t);
      await write(`update tool set ${kind === "mysql" ? "`schema`" : '"schema"'} = '[{"id": 1,', func = ''`);
      await write(`update assistant set details = NULL, ${kind === "mysql" ? "`type`" : '"type"'} = NULL`);
      const source = await open(t, address);
      const [tool] = await readAll(source, "tool");
      assert.equal(tool?.schema, '[{"id": 1,');
      assert.equal(tool.func, "");
      const [assistant] = await readAll(source, "assistant");
      assert.equal(assistant?.details, null);
      assert.equal(assistant.type, null);
    });

    test("is not read when it belongs to another program", async (t) => {
      const { address, write } = await install(t);
      await write("drop table chat_flow");
      await assert.rejects(open(t, address), {
        name: "FlowiseSourceError",
        message: /not a database of Flowise: it has no table chat_flow/,
      });
    });

    test("closes once more without harm, and answers nothing afterwards", async (t) => {
      const { address } = await install(t);
      const source = await openFlowise({ database: address });
      await source.close();
      await source.close();
      await assert.rejects(source.count("tool"), { name: "FlowiseSourceError" });
    });
  });
}

describe("export", () => {
  test("has the rows of its lists, with the type of the list where a row has none", async (t) => {
    const contents = describeFlowise();
    const exportFile = join(await makeFolder(t), "ExportData.json");
    await writeFlowiseExport(contents, exportFile);
    const source = await openFlowise({ exportFile });
    t.after(source.close);
    assert.equal(source.kind, "export");
    assert.deepEqual(source.workspaces, []);
    const workspace = contents.workspaces[0]?.id;
    const absent: FlowiseTable[] = [
      "credential",
      "apikey",
      "lead",
      "upsert_history",
      "schedule_record",
      "custom_mcp_server",
    ];
    for (const table of flowiseTables) {
      const rows = absent.includes(table) ? [] : expectedRows(contents, table, workspace);
      const expected = rows.map((row) => {
        if (table === "variable") return { ...row, value: "" };
        return table === "chat_flow" && "type" in row && row.type === null ? { ...row, type: "CHATFLOW" } : row;
      });
      assert.deepEqual(await readAll(source, table), expected, table);
      assert.equal(await source.count(table), expected.length, table);
    }
    assert.equal(await source.count("custom_template"), 1);
    await assert.rejects(source.count("tool", { workspace: "any" }), /leave the workspace out/);
  });
});

const [postgresProblem, mysqlProblem] = databases.flatMap(([kind, , problem]) => (kind === "sqlite" ? [] : [problem]));

test("names a database that is missing on PostgreSQL", { skip: postgresProblem ?? false }, async (t) => {
  const address = new URL(await createPostgresDatabase(t));
  address.password = "hunter2";
  address.pathname = "/weft_test_missing";
  await assertRefused(address.href, /\/weft_test_missing has no such database/);
});

test("reads moments in the form and zone of their own, whatever the server's", {
  skip: postgresProblem ?? false,
}, async (t) => {
  const { address, write, contents } = await installOnPostgres(t);
  const name = new URL(address).pathname.slice(1);
  await write(`alter database ${name} set datestyle = 'German'`);
  await write(`alter database ${name} set timezone = 'Asia/Tokyo'`);
  await write('alter table tool alter "createdDate" type timestamptz using "createdDate" at time zone \'UTC\'');
  const source = await open(t, address);
  assert.deepEqual(await readAll(source, "tool"), expectedRows(contents, "tool"));
});

test("names a user whom MySQL refuses, and a database that is missing", { skip: mysqlProblem ?? false }, async (t) => {
  const address = new URL((await installOnMysql(t)).address);
  const missing = new URL(address);
  missing.pathname = "/weft_test_missing";
  await assertRefused(missing.href, /\/weft_test_missing has no such database/);
  address.username = "weft_test_nobody";
  address.password = "hunter2";
  await assertRefused(address.href, /refuses this user with this password/);
});

for (const [database, expected] of [
  ["postgres://flowise:hunter2@127.0.0.1:1/flowise", /^postgres:\/\/127\.0\.0\.1:1\/flowise does not answer/],
  ["mysql://flowise:hunter2@127.0.0.1:1/flowise", /^mysql:\/\/127\.0\.0\.1:1\/flowise does not answer/],
  ["mariadb://flowise:hunter2@127.0.0.1:1/flowise", /^mariadb:\/\/127\.0\.0\.1:1\/flowise does not answer/],
  ["postgres://flowise:hunter2@[half/flowise", /address of the database cannot be read/],
  ["mysql://flowise:hunter2@a b/flowise", /address of the database cannot be read/],
  ["MySQL://flowise:hunter2@127.0.0.1:1/flowise", /^mysql:\/\/127\.0\.0\.1:1\/flowise does not answer/],
  ["mongodb://flowise:hunter2@127.0.0.1/flowise", /mongodb:\/\/ cannot be read/],
] as const) {
  test(`says that ${database.slice(0, 20)}… cannot be used`, async () => {
    await assertRefused(database, expected);
  });
}

test("needs either a database or an export", async () => {
  for (const options of [{}, { database: "a", exportFile: "b" }]) {
    await assert.rejects(openFlowise(options), { name: "FlowiseSourceError", message: /^Name either/ });
  }
});

/** Neither the error nor its cause shows the password. */
async function assertRefused(database: string, expected: RegExp): Promise<void> {
  await assert.rejects(openFlowise({ database }), (error: Error) => {
    assert.equal(error.name, "FlowiseSourceError");
    assert.match(error.message, expected);
    assert.doesNotMatch(inspect(error, { depth: 10, showHidden: true }), /hunter2/);
    return true;
  });
}

async function open(t: TestContext, database: string): Promise<FlowiseSource> {
  const source = await openFlowise({ database });
  t.after(source.close);
  return source;
}

async function readAll<T extends FlowiseTable>(
  source: FlowiseSource,
  table: T,
  workspace?: string,
): Promise<FlowiseRow<T>[]> {
  const rows: FlowiseRow<T>[] = [];
  for await (const page of source.rows(table, { workspace })) rows.push(...page);
  return rows;
}

/** What was written, with null for every column that the version lacks. */
function expectedRows(contents: FlowiseContents, table: FlowiseTable, workspace?: string): ContentRow[] {
  const columns = ["id", ...Object.keys(columnsOf(table))];
  const isOwn = (row: ContentRow) => workspace === undefined || row.workspaceId === workspace;
  const owners = new Set(
    ["chat_flow", "document_store"].flatMap((owner) => [...contents.rows(owner)].filter(isOwn).map(({ id }) => id)),
  );
  return [...contents.rows(table)]
    .filter((row) =>
      workspace === undefined || "workspaceId" in row ? isOwn(row) : owners.has(row.chatflowid ?? row.storeId ?? null),
    )
    .map((row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? null])));
}
