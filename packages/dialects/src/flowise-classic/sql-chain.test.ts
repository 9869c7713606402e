import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Tool } from "@weft/engine/ports/tool";
import type { JsonObject } from "@weft/schema";
import { classicFlow, ref } from "../testing/classic-file.ts";
import { codesOf, nodeOf } from "../testing/foreign-file.ts";
import { compileClassic, runClassic } from "../testing/run-classic.ts";

const url = "postgres://app:s3cret%21@db.example:5433/shop?sslmode=require";

const chainWith = (inputs: JsonObject) =>
  classicFlow([
    { id: "chatOpenAI_0", inputs: { modelName: "m" } },
    { id: "sqlDatabaseChain_0", inputs: { model: ref("chatOpenAI_0"), database: "postgres", url, ...inputs } },
  ]);

const configOf = (inputs: JsonObject) => nodeOf(compileClassic(chainWith(inputs)).flow, "sqlDatabaseChain_0").config;
const toolOf = (inputs: JsonObject) => (configOf(inputs).tools as { config: JsonObject }[])[0]?.config;
const codes = (inputs: JsonObject) => codesOf(compileClassic(chainWith(inputs)).findings);

/** The tools of a database, which remember what they were asked. */
function databaseTools(asked: string[]): Tool[] {
  const tool = (name: string, content: string): Tool => ({
    name,
    description: name,
    parameters: { type: "object" },
    kind: "read",
    effect: "read",
    async call(args) {
      asked.push(`${name} ${JSON.stringify(args)}`);
      return { content };
    },
  });
  return [tool("database_schema", "orders(id integer)"), tool("database_query", '["n"]\n[3]')];
}

describe("sqlDatabaseChain", () => {
  it("looks up the schema, runs the query of the model, and words the answer", async () => {
    const asked: string[] = [];
    const { text, said } = await runClassic(chainWith({}), {
      findings: ["warning sql-credential"],
      input: { question: "How many orders?" },
      tools: ({ type }) => (type === "sql" ? databaseTools(asked) : []),
      script: [
        { toolCalls: [{ name: "database_schema", arguments: {} }] },
        { toolCalls: [{ name: "database_query", arguments: { statement: "select count(*) as n from orders" } }] },
        { text: "Three." },
      ],
    });
    assert.equal(text, "Three.");
    assert.deepEqual(asked, ["database_schema {}", 'database_query {"statement":"select count(*) as n from orders"}']);
    assert.match(said[0]?.[0] ?? "", /one PostgreSQL query .* at most 10 rows/);
    assert.equal(said[0]?.at(-1), "user: How many orders?");
  });

  it("takes the place of the database from its connection string, and the password from nowhere", () => {
    const place = { host: "db.example", port: 5433, database: "shop", tls: true };
    const shared = { name: "database", engine: "postgres", tables: [], hiddenTables: [] };
    assert.deepEqual(toolOf({}), { ...shared, ...place });
    assert.doesNotMatch(JSON.stringify(configOf({})), /s3cret|"app"/);
    const mysql = toolOf({
      database: "mysql",
      url: "mysql://root:x@127.0.0.1/a%20b",
      includesTables: "a, b,,a",
      ignoreTables: "c",
    });
    assert.deepEqual(mysql, {
      ...{ name: "database", engine: "mysql", tables: ["a", "b"], hiddenTables: ["c"] },
      ...{ host: "127.0.0.1", port: 3306, database: "a b", tls: false },
    });
    assert.equal(toolOf({ database: "sqlite", url: "/var/lib/flowise/shop.db" })?.file, "shop.db");
    assert.equal(toolOf({ database: "", url: "C:\\data\\shop.db" })?.file, "shop.db");
  });

  it("says what is to be done, and refuses what cannot be asked", () => {
    assert.deepEqual(codes({ database: "sqlite", url: "a.db" }), ["warning sql-file"]);
    assert.deepEqual(codes({ database: "mssql" }), ["error sql-system"]);
    for (const address of ["", "host=db user=app", "https://db.example", "{{$vars.url}}"]) {
      assert.deepEqual(codes({ url: address }), ["error sql-address"], address);
    }
    const { findings } = compileClassic(chainWith({}));
    assert.match(findings[0]?.message ?? "", /of the user app .* change the password/);
    assert.doesNotMatch(JSON.stringify(findings), /s3cret/);
  });

  it("keeps a prompt of its own, sample rows and the number of rows", () => {
    const custom = configOf({ customPrompt: "Ask {dialect} about {table_info}, {top_k} rows: {input}", topK: "3" });
    assert.equal(custom.prompt, "Ask PostgreSQL about (look them up with database_schema), 3 rows: {{ question }}");
    assert.deepEqual(codes({ customPrompt: "Be brief." }), ["warning sql-prompt", "warning sql-credential"]);
    assert.equal(configOf({ customPrompt: "Be brief." }).prompt, "{{ question }}");
    assert.match(JSON.stringify(configOf({ sampleRowsInTableInfo: "2" }).messages), /look at 2 of its rows/);
  });
});
