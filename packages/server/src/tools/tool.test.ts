import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Tool } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

const unknownId = "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f";

const create = (platform: TestPlatform, body: object) => platform.json<Tool>("POST", "/tools", body);

type Problem = { code: string; errors: { path: string }[] };

async function problemOf(response: Response, status: number): Promise<Problem> {
  const body = (await response.json()) as Problem;
  assert.equal(response.status, status, JSON.stringify(body));
  return body;
}

await onTestDatabase((databases) => {
  test("a tool needs a name, and has every field of the reference", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const { id, createdDate, updatedDate, color, ...rest } = await create(platform, { name: "Weather" });
    assert.deepEqual(rest, { name: "Weather", description: "", iconSrc: null, schema: null, func: null });
    assert.match(color, /^#[0-9a-f]{6}$/);
    assert.equal(updatedDate, createdDate);
    assert.deepEqual(await platform.json("GET", `/tools/${id}`), { id, createdDate, updatedDate, color, ...rest });
    assert.equal((await create(platform, { name: "x", description: null, color: "" })).color, color);
    for (const name of [undefined, "", null, 5]) {
      const { errors } = await problemOf(await platform.send("POST", "/tools", { name }), 422);
      assert.equal(errors[0]?.path, "name");
    }
    assert.equal((await problemOf(await platform.send("POST", "/tools"), 400)).code, "body-missing");
  });

  test("what clients send is kept byte for byte, in either form of the schema", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const list = ' [ {"id":0,"property":"city","description":"é \\u00e9","type":"string","required":true} ]\n';
    for (const schema of [list, "[]", "", '{"type":"object","properties":{}}', null]) {
      const own = {
        id: randomUUID(),
        name: "Kept",
        description: "With\nlines",
        color: "linear-gradient(rgb(1,2,3), rgb(4,5,6))",
        iconSrc: "https://example.com/icon.png",
        schema,
        func: "const a = '\u0000' + $city;\r\nreturn a;",
      };
      const made = await create(platform, { ...own, createdDate: "2001-01-01T00:00:00.000Z", workspaceId: "w" });
      assert.deepEqual({ ...made, createdDate: "", updatedDate: "" }, { ...own, createdDate: "", updatedDate: "" });
      assert.ok(made.createdDate > "2026");
      assert.deepEqual(await platform.json("GET", `/tools/${own.id}`), made);
      assert.equal((await problemOf(await platform.send("POST", "/tools", own), 409)).code, "conflict");
    }
  });

  test("a colour is a hex colour, or a gradient as existing clients send it; anything else is refused", async (t) => {
    const platform = await openTestPlatform(t, databases);
    for (const color of ["#abc", "#0a0B0c", "#6366f1cc", "rgb(1, 2, 3)", "linear-gradient(rgb(1,2,3), rgb(4,5,6))"]) {
      assert.equal((await create(platform, { name: "x", color })).color, color);
    }
    for (const color of ["blue-ish", "#12", "url(https://evil.example/x)", "red; background: url(x)", "<b>", "#ggg"]) {
      const problem = await problemOf(await platform.send("POST", "/tools", { name: "x", color }), 422);
      assert.match(JSON.stringify(problem), /must be a colour such as #6366f1/);
    }
  });

  test("a schema that is not JSON text is refused", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const { id } = await create(platform, { name: "x" });
    for (const schema of ["{", "text", "5", "null", { type: "object" }]) {
      const { errors } = await problemOf(await platform.send("POST", "/tools", { name: "x", schema }), 422);
      assert.equal(errors[0]?.path, "schema");
      await problemOf(await platform.send("PUT", `/tools/${id}`, { schema }), 400);
    }
    assert.equal((await platform.json<Tool>("GET", `/tools/${id}`)).schema, null);
  });

  test("an update changes what it names", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const before = await create(platform, { name: "Before", func: "return 1", schema: "[]" });
    const path = `/tools/${before.id}`;
    const after = await platform.json<Tool>("PUT", path, { func: "return 2", id: unknownId, updatedDate: "x" });
    assert.deepEqual(after, { ...before, func: "return 2", updatedDate: after.updatedDate });
    assert.ok(after.updatedDate > before.updatedDate);
    const emptied = await platform.json<Tool>("PUT", path, { func: null, schema: null, description: null });
    assert.deepEqual([emptied.func, emptied.schema, emptied.description], [null, null, ""]);
    assert.deepEqual(await platform.json("GET", path), emptied);
    await problemOf(await platform.send("PUT", path, { name: "" }), 400);
    await problemOf(await platform.send("PUT", `/tools/${unknownId}`, { name: "x" }), 404);
    await problemOf(await platform.send("PUT", "/tools/no-uuid", { name: "x" }), 400);
  });

  test("If-Match and Idempotency-Key are honoured", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const key = { "idempotency-key": randomUUID() };
    const made = (await (await platform.send("POST", "/tools", { name: "once" }, key)).json()) as Tool;
    assert.deepEqual(await (await platform.send("POST", "/tools", { name: "once" }, key)).json(), made);
    await problemOf(await platform.send("POST", "/tools", { name: "other" }, key), 409);
    const path = `/tools/${made.id}`;
    const etag = (await platform.send("GET", path)).headers.get("etag") ?? "";
    assert.equal((await platform.send("PUT", path, { name: "a" }, { "if-match": etag })).status, 200);
    await problemOf(await platform.send("PUT", path, { name: "b" }, { "if-match": etag }), 412);
    assert.equal((await platform.json<Tool[]>("GET", "/tools")).length, 1);
  });

  test("lists are sorted by their last update, and come in pages", async (t) => {
    const platform = await openTestPlatform(t, databases);
    assert.deepEqual(await platform.json("GET", "/tools"), []);
    const made: Tool[] = [];
    for (let index = 0; index < 5; index += 1) made.push(await create(platform, { name: `t${index}` }));
    await platform.json("PUT", `/tools/${made[1]?.id}`, { name: "changed" });
    const all = await platform.json<Tool[]>("GET", "/tools");
    assert.deepEqual(
      all,
      all.toSorted((a, b) => b.updatedDate.localeCompare(a.updatedDate) || a.id.localeCompare(b.id)),
    );
    const page = await platform.json<{ data: Tool[]; total: number }>("GET", "/tools?page=2&limit=2");
    assert.deepEqual(page, { data: all.slice(2, 4), total: 5 });
  });

  test("a deleted tool is gone", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const { id } = await create(platform, { name: "gone" });
    const deleted = await platform.send("DELETE", `/tools/${id}`);
    assert.deepEqual([deleted.status, await deleted.text()], [200, ""]);
    for (const method of ["DELETE", "GET"]) await problemOf(await platform.send(method, `/tools/${id}`), 404);
    for (const method of ["DELETE", "GET"]) await problemOf(await platform.send(method, "/tools/no-uuid"), 400);
  });

  test("keys need the permission", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const { id } = await create(platform, { name: "kept", func: "return 1" });
    const body = { keyName: "k", permissions: ["tools:read"] };
    const { apiKey } = await platform.json<{ apiKey: string }>("POST", "/apikey", body);
    const reader = { authorization: `Bearer ${apiKey}` };
    const statusOf = async (method: string, path: string, headers: Record<string, string>, sent?: object) =>
      (await platform.send(method, path, sent, headers)).status;
    assert.equal(await statusOf("GET", `/tools/${id}`, reader), 200);
    assert.equal(await statusOf("POST", "/tools", reader, { name: "x" }), 403);
    assert.equal(await statusOf("PUT", `/tools/${id}`, reader, { name: "x" }), 403);
    assert.equal(await statusOf("DELETE", `/tools/${id}`, reader), 403);
    assert.equal(await statusOf("POST", `/tools/${id}/test`, reader, {}), 403);
    assert.equal(await statusOf("POST", `/tools/${id}/test`, { authorization: "" }, {}), 401);
  });
});
