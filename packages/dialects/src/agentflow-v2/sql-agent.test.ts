import assert from "node:assert/strict";
import { after, describe, type TestContext, test } from "node:test";
import type { ChatModel, ModelCall } from "@weft/engine/ports/chat-model";
import type { SqlDatabase } from "@weft/engine/ports/sql-client";
import { createScriptedModel, createTestProcess, noServices } from "@weft/engine/testing";
import { nodeRegistry } from "@weft/nodes";
import { createSandbox } from "@weft/sandbox";
import type { JsonObject } from "@weft/schema";
import { forEachEngine, type TestEngine, type TestSource } from "../../../sql/src/testing/test-sources.ts";
import { codesOf, type ForeignTestNode, foreignFlow, startNode } from "../testing/foreign-file.ts";
import { convertAgentFlowV2 } from "./convert-agentflow-v2.ts";

const sandbox = createSandbox({ workers: 1 });
after(() => sandbox.close());

/** Reads the tables, their columns and some rows for the model's prompt. */
const readSchema = (options: object) => `
const { DataSource } = require('typeorm');
const source = new DataSource(${JSON.stringify(options)});
let prompt = '';
async function describeTables() {
  try {
    await source.initialize();
    const runner = source.createQueryRunner();
    const tables = await runner.query(\`select table_name from information_schema.tables where table_schema = 'public' order by 1\`);
    for (const { table_name } of tables) {
      const columns = await runner.query(\`select column_name, data_type, is_nullable from information_schema.columns
        where table_schema = 'public' and table_name = '\${table_name}' order by ordinal_position\`);
      const listed = columns.map((column) => \`\${column.column_name} \${column.data_type}\${column.is_nullable === 'NO' ? ' NOT NULL' : ''}\`);
      const rows = await runner.query(\`SELECT * FROM \${table_name} LIMIT 3\`);
      prompt += \`CREATE TABLE \${table_name} (\${listed.join(', ')})\\n\` + rows.map((row) => Object.values(row).join(' ')).join('\\n') + '\\n';
    }
    await runner.release();
  } catch (error) {
    console.error(error);
    throw error;
  } finally {
    if (source.isInitialized) await source.destroy();
  }
}
await describeTables();
return prompt;`;

/** Runs the statement in the state. What fails is a result, too. */
const runStatement = (options: object) => `
const { DataSource } = require('typeorm');
const source = new DataSource(${JSON.stringify(options)});
let result;
try {
  await source.initialize();
  const runner = source.createQueryRunner();
  const rows = await runner.query($sqlQuery);
  result = rows.length === 0 ? 'No results found.' : JSON.stringify(rows);
  await runner.release();
} catch (error) {
  result = 'Error: ' + error.message;
} finally {
  if (source.isInitialized) await source.destroy();
}
return result;`;

const model = { llmModel: "chatOpenAI", llmModelConfig: { modelName: "m" }, llmEnableMemory: true };
const writesStatement = {
  ...model,
  llmStructuredOutput: [{ key: "sql_query", type: "string", description: "SQL query" }],
  llmUpdateState: [{ key: "sqlQuery", value: "<p>{{ output.sql_query }}</p>" }],
};
const chooses = (instructions: string, input: string, ...scenarios: string[]): JsonObject => ({
  conditionAgentModel: "chatOpenAI",
  conditionAgentModelConfig: { modelName: "m" },
  conditionAgentInstructions: instructions,
  conditionAgentInput: input,
  conditionAgentScenarios: scenarios.map((scenario) => ({ scenario })),
});
const system = (content: string) => [{ role: "system", content }];

/** The agent that writes SQL, checks it, runs it, corrects it, and words the answer. */
function sqlAgent(options: object): JsonObject {
  const nodes: ForeignTestNode[] = [
    { ...startNode, inputs: { startInputType: "chatInput", startState: [{ key: "sqlQuery", value: "" }] } },
    { id: "customFunctionAgentflow_0", inputs: { customFunctionJavascriptFunction: readSchema(options) } },
    {
      id: "llmAgentflow_0",
      inputs: { ...writesStatement, llmMessages: system("<p>Tables: {{ customFunctionAgentflow_0 }}</p>") },
    },
    {
      id: "conditionAgentAgentflow_0",
      inputs: chooses("Check the query.", "<p>{{ $flow.state.sqlQuery }}</p>", "It is correct", "It is not correct"),
    },
    {
      id: "customFunctionAgentflow_1",
      inputs: {
        customFunctionInputVariables: [
          { variableName: "sqlQuery", variableValue: "<p>{{ $flow.state.sqlQuery }}</p>" },
        ],
        customFunctionJavascriptFunction: runStatement(options),
      },
    },
    { id: "loopAgentflow_0", inputs: { loopBackToNode: "llmAgentflow_0-Generate SQL", maxLoopCount: 5 } },
    {
      id: "conditionAgentAgentflow_1",
      inputs: chooses("Check the result.", "<p>{{ customFunctionAgentflow_1 }}</p>", "It fits", "It is an error"),
    },
    { id: "llmAgentflow_1", inputs: { ...model, llmUserMessage: "<p>Result: {{ customFunctionAgentflow_1 }}</p>" } },
    {
      id: "llmAgentflow_2",
      inputs: { ...writesStatement, llmUserMessage: "<p>Correct it: {{ customFunctionAgentflow_1 }}</p>" },
    },
    { id: "loopAgentflow_1", inputs: { loopBackToNode: "customFunctionAgentflow_1-Run SQL", maxLoopCount: 5 } },
    { id: "stickyNoteAgentflow_0" },
  ];
  return foreignFlow(nodes, [
    "startAgentflow_0>customFunctionAgentflow_0",
    "customFunctionAgentflow_0>llmAgentflow_0",
    "llmAgentflow_0>conditionAgentAgentflow_0",
    "conditionAgentAgentflow_0:0>customFunctionAgentflow_1",
    "conditionAgentAgentflow_0:1>loopAgentflow_0",
    "customFunctionAgentflow_1>conditionAgentAgentflow_1",
    "conditionAgentAgentflow_1:0>llmAgentflow_1",
    "conditionAgentAgentflow_1:1>llmAgentflow_2",
    "llmAgentflow_2>loopAgentflow_1",
  ]);
}

async function openShop(t: TestContext, { open }: TestEngine) {
  const source = await open(t);
  await source.prepare(
    "create table orders (id integer primary key, customer varchar(50) not null, total numeric(10, 2))",
    "insert into orders values (1, 'Ada', 12.5), (2, 'Bob', 7), (3, 'Ada', 1)",
  );
  return source;
}

/** Runs the agent with the models' answers in order, and gives what the models were asked. */
async function runAgent({ client, database }: TestSource, answers: readonly (string | object)[]) {
  const { host, port, database: name, user, password } = database as Extract<SqlDatabase, { host: string }>;
  const options = { type: database.engine, host, port, username: user, password, database: name, synchronize: false };
  const { flow, findings } = convertAgentFlowV2(sqlAgent(options));
  assert.deepEqual(codesOf(findings), []);
  const calls: ModelCall[] = [];
  const scripted: ChatModel = {
    id: "scripted/model",
    answer(call) {
      const answer = answers[calls.push(call) - 1] ?? "";
      return createScriptedModel([{ text: typeof answer === "string" ? answer : JSON.stringify(answer) }]).answer(call);
    },
  };
  const services = { ...noServices, models: { resolve: async () => scripted }, sandbox, sql: client };
  const input = { question: "How much did Ada spend?" };
  // The sandbox works in real time, which passes at once for the engine.
  const limits = { wallTimeMs: Number.POSITIVE_INFINITY };
  const process = createTestProcess({
    ...{ flow: JSON.stringify(flow), registry: nodeRegistry, input, limits },
    deps: { services },
  });
  await process.start().done;
  const events = process.events();
  const order = events.flatMap((event) => (event.type === "node-completed" ? [event.nodeId] : []));
  const asked = calls.map(({ messages }) => JSON.stringify(messages));
  return { end: events.at(-1), order, asked };
}

await forEachEngine((engine) => {
  if (engine.name !== "postgres") return;

  describe("the SQL agent", () => {
    test("reads the schema, corrects its statements by what the database says, and answers", async (t) => {
      const shop = await openShop(t, engine);
      const { end, order, asked } = await runAgent(shop, [
        { sql_query: "select customer" },
        { scenario: "1" },
        { sql_query: "select sum(amount) as spent from orders where customer = 'Ada'" },
        { scenario: "0" },
        { scenario: "1" },
        { sql_query: "select sum(total) as spent from orders where customer = 'Ada';" },
        { scenario: "0" },
        "Ada spent 13.50.",
      ]);
      assert.equal(end?.type === "run-completed" && end.text, "Ada spent 13.50.", JSON.stringify(end));
      assert.deepEqual(order, [
        "startAgentflow_0",
        "customFunctionAgentflow_0",
        "llmAgentflow_0",
        "conditionAgentAgentflow_0",
        "loopAgentflow_0",
        "llmAgentflow_0",
        "conditionAgentAgentflow_0",
        "customFunctionAgentflow_1",
        "conditionAgentAgentflow_1",
        "llmAgentflow_2",
        "loopAgentflow_1",
        "customFunctionAgentflow_1",
        "conditionAgentAgentflow_1",
        "llmAgentflow_1",
      ]);
      const schema = /CREATE TABLE orders \(id integer NOT NULL, customer character varying NOT NULL, total numeric\)/;
      assert.match(asked[0] ?? "", schema);
      assert.match(asked[0] ?? "", /2 Bob 7\.00/);
      assert.match(asked[5] ?? "", /Correct it: Error: .*amount.*Look up the tables/);
      assert.match(asked[7] ?? "", /Result: .*spent.*13\.50/);
    });

    test("does not let a model change data", async (t) => {
      const shop = await openShop(t, engine);
      const { end, asked } = await runAgent(shop, [
        { sql_query: "delete from orders" },
        { scenario: "0" },
        { scenario: "0" },
        "It cannot be deleted.",
      ]);
      assert.equal(end?.type, "run-completed", JSON.stringify(end));
      assert.match(asked[3] ?? "", /Result: Error: Code can only read databases/);
      assert.deepEqual(await shop.rows("select count(*) as n from orders"), [{ n: 3 }]);
    });
  });
});
