import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import type { Tool, ToolTrial } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform } from "../testing/test-platform.ts";

const cityList = JSON.stringify([{ property: "city", type: "string", required: true }]);

async function openWith(t: TestContext, databases: TestDatabases, tool: object = {}, env = {}) {
  const platform = await openTestPlatform(t, databases, env);
  const { id } = await platform.json<Tool>("POST", "/tools", { name: "Weather", schema: cityList, ...tool });
  return {
    platform,
    send: (body: object, headers = {}) => platform.send("POST", `/tools/${id}/test`, body, headers),
    call: (body: object) => platform.json<ToolTrial>("POST", `/tools/${id}/test`, body),
  };
}

await onTestDatabase((databases) => {
  test("a trial answers what a model would read, and what the code printed", async (t) => {
    const { call } = await openWith(t, databases, { func: "console.log('asked', $city); return { city: $city }" });
    const { durationMs, ...trial } = await call({ input: { city: "Ulm" } });
    assert.deepEqual(trial, { output: '{"city":"Ulm"}', isError: false, logs: ["asked Ulm"] });
    assert.ok(Number.isInteger(durationMs));
  });

  test("what is not saved yet can be tried", async (t) => {
    const { call, platform } = await openWith(t, databases, { func: "return 'saved'" });
    assert.equal((await call({ input: { city: "Ulm" }, func: "return 'new ' + $city" })).output, "new Ulm");
    assert.equal(
      (await call({ input: { a: 2 }, schema: '[{"property":"a","type":"number"}]', func: "return $a * 2" })).output,
      "4",
    );
    assert.equal((await call({ schema: null })).output, "saved");
    const [stored] = await platform.json<Tool[]>("GET", "/tools");
    assert.deepEqual([stored?.schema, stored?.func], [cityList, "return 'saved'"]);
  });

  test("code reads databases as in a run", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "weft-trial-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const shop = new DatabaseSync(join(folder, "shop.db"));
    shop.exec("create table orders (id integer); insert into orders values (7)");
    shop.close();
    const { call } = await openWith(t, databases, {}, { SQL_FILES_DIR: folder });
    const func = `
      const { DataSource } = require("typeorm");
      const source = await new DataSource({ type: "sqlite", database: "shop.db" }).initialize();
      return source.query("select id from orders");`;
    assert.equal((await call({ input: { city: "Ulm" }, func })).output, '[{"id":7}]');
  });

  test("a failure of the code is an answer", async (t) => {
    const { call } = await openWith(t, databases, { func: "throw new Error('No such city.')" });
    const failed = await call({ input: { city: "Ulm" } });
    assert.deepEqual([failed.output, failed.isError], ["Weather failed: Error: No such city.", true]);
    const described = await call({ input: { city: "Ulm" }, func: "Tells the weather of a city." });
    assert.match(described.output, /^Weather describes what it does instead of doing it/);
    assert.match((await call({ input: { city: "Ulm" }, func: "" })).output, /has no code yet/);
    const late = await call({ input: { city: "Ulm" }, func: "while (true);", timeoutMs: 50 });
    assert.match(late.output, /did not finish within 50 ms/);
  });

  test("$vars is what the request gives, never what is stored", async (t) => {
    const { call, platform } = await openWith(
      t,
      databases,
      { schema: null },
      { RUNTIME_VARIABLES: "SECRET", SECRET: "s-1" },
    );
    await platform.json("POST", "/variables", { name: "SECRET", type: "runtime" });
    const func = "return [$vars, $flow.state]";
    assert.equal((await call({ func, vars: { a: [1] } })).output, '[{"a":[1]},{}]');
    assert.equal((await call({ func })).output, "[{},{}]");
  });

  test("an input that the schema refuses is 422, in words", async (t) => {
    const { send } = await openWith(t, databases, { func: "return 1" });
    for (const [body, message] of [
      [{}, /city/],
      [{ input: { city: 5 } }, /city: .*"string"/],
      [{ input: { city: "Ulm", town: "x" } }, /town: No such parameter/],
      [{ input: [] }, /input/],
      [{ input: { city: "Ulm" }, schema: "{" }, /schema: must be JSON text/],
      [{ input: { city: "Ulm" }, timeoutMs: 30_001 }, /timeoutMs/],
      [{ input: { city: "Ulm" }, vars: "x" }, /vars/],
    ] as [object, RegExp][]) {
      const response = await send(body);
      const problem = (await response.json()) as { code: string; message: string };
      assert.deepEqual([response.status, problem.code], [422, "validation-failed"]);
      assert.match(problem.message, message);
    }
  });

  test("a schema that makes no sense is the tool's own failure", async (t) => {
    const { send } = await openWith(t, databases, { schema: '[{"type":"string"}]', func: "return 1" });
    const response = await send({});
    const problem = (await response.json()) as { code: string; message: string };
    assert.deepEqual([response.status, problem.code], [500, "tool-invalid"]);
    assert.match(problem.message, /Weather cannot be used: its schema is invalid at schema\.0\.property/);
  });

  test("a trial whose client goes away makes room for the next", async (t) => {
    const { call, platform } = await openWith(t, databases, { schema: null });
    const [tool] = await platform.json<Tool[]>("GET", "/tools");
    const leaving = new AbortController();
    const endless = Array.from({ length: 5 }, () =>
      platform.fetch(
        new Request(`http://platform/api/v1/tools/${tool?.id}/test`, {
          method: "POST",
          headers: { authorization: `Bearer ${platform.token}`, "content-type": "application/json" },
          body: JSON.stringify({ func: "while (true);", timeoutMs: 30_000 }),
          signal: leaving.signal,
        }),
      ),
    );
    const next = call({ func: "return 'served'" });
    leaving.abort();
    for (const response of await Promise.all(endless)) {
      assert.equal(((await response.json()) as ToolTrial).output, "The trial was cancelled.");
    }
    assert.equal((await next).output, "served");
  });

  test("unknown tools and bodies of the wrong kind are refused", async (t) => {
    const { platform, send } = await openWith(t, databases);
    const unknown = "/tools/3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f/test";
    assert.equal((await platform.send("POST", unknown, {})).status, 404);
    assert.equal((await platform.send("POST", "/tools/no-uuid/test", {})).status, 400);
    assert.equal((await send({ input: { city: "x".repeat(1024 * 1024) } })).status, 413);
  });
});
