import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Variable } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

const unknownId = "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f";

const create = (platform: TestPlatform, body: object) => platform.json<Variable>("POST", "/variables", body);

type Problem = { code: string; message: string; errors: { path: string; message: string }[] };

async function problemOf(response: Response, status: number): Promise<Problem> {
  const body = (await response.json()) as Problem;
  assert.equal(response.status, status, JSON.stringify(body));
  return body;
}

await onTestDatabase((databases) => {
  test("a variable needs a name, and has every field of the reference", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const { id, createdDate, updatedDate, ...rest } = await create(platform, { name: "city" });
    assert.deepEqual(rest, { name: "city", value: null, type: "string" });
    assert.equal(updatedDate, createdDate);
    assert.equal(createdDate, new Date(createdDate).toISOString());
    const own = { id: randomUUID(), name: "größe", value: "", type: "static" };
    const past = { createdDate: "2001-01-01T00:00:00.000Z", workspaceId: "w" };
    const kept = await create(platform, { ...own, ...past });
    assert.deepEqual({ ...kept, createdDate: "", updatedDate: "" }, { ...own, createdDate: "", updatedDate: "" });
    assert.ok(kept.createdDate > past.createdDate);
    assert.deepEqual(await platform.json("GET", `/variables/${id}`), { id, createdDate, updatedDate, ...rest });
    for (const name of [undefined, "", null, 5, "x".repeat(501)]) {
      const { errors } = await problemOf(await platform.send("POST", "/variables", { name }), 422);
      assert.equal(errors[0]?.path, "name");
    }
    assert.equal((await problemOf(await platform.send("POST", "/variables", own), 409)).code, "conflict");
    assert.equal((await problemOf(await platform.send("POST", "/variables"), 400)).code, "body-missing");
  });

  test("a value must fit its type", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const fitting: Record<string, (string | null)[]> = {
      string: ["", "12", null],
      static: ["text"],
      number: ["0", "-1.5", "1e3", null],
      boolean: ["true", "false", null],
      json: ['{"a":[1,null]}', "5", '"text"', null],
      runtime: ["", null],
    };
    const misfits: Record<string, string[]> = {
      number: ["", "a", "0x10", " 1", "1e999", "1,5", "NaN"],
      boolean: ["", "1", "yes"],
      json: ["", "{", `${"[".repeat(201)}${"]".repeat(201)}`],
      colour: ["red"],
    };
    for (const [type, values] of Object.entries(fitting)) {
      for (const value of values) assert.equal((await create(platform, { name: "v", type, value })).value, value);
    }
    for (const [type, values] of Object.entries(misfits)) {
      for (const value of values) {
        const problem = await problemOf(await platform.send("POST", "/variables", { name: "v", type, value }), 422);
        assert.equal(problem.code, "validation-failed");
        assert.equal(problem.errors[0]?.path, type === "colour" ? "type" : "value");
      }
    }
    await problemOf(await platform.send("POST", "/variables", { name: "v", type: "number", value: 5 }), 422);
  });

  test("name and value have a length, which a refusal names", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const most = { name: "n".repeat(500), value: "v".repeat(65_536) };
    const { id, name, value } = await create(platform, most);
    assert.deepEqual({ name, value }, most);
    const path = `/variables/${id}`;
    for (const [field, text, limit] of [
      ["name", `${most.name}n`, "500"],
      ["value", `${most.value}v`, "65,536"],
    ] as const) {
      const refusals = [
        await problemOf(await platform.send("POST", "/variables", { name: "v", [field]: text }), 422),
        await problemOf(await platform.send("PUT", path, { [field]: text }), 400),
      ];
      const sentence = `must have at most ${limit} characters`;
      for (const { message, errors } of refusals) {
        assert.deepEqual(errors, [{ path: field, message: sentence }]);
        assert.ok(message.includes(`${field}: ${sentence}`), message);
      }
    }
    assert.equal((await platform.json<Variable>("GET", path)).value, most.value);
  });

  test("an update changes what it names, and keeps value and type in step", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const before = await create(platform, { name: "limit", value: "5", type: "number" });
    const path = `/variables/${before.id}`;
    const renamed = await platform.json<Variable>("PUT", path, { name: "most", id: unknownId, createdDate: "x" });
    assert.deepEqual(renamed, { ...before, name: "most", updatedDate: renamed.updatedDate });
    assert.ok(renamed.updatedDate > before.updatedDate);
    for (const body of [{ value: "five" }, { type: "boolean" }, { type: "json", value: "{" }]) {
      const problem = await problemOf(await platform.send("PUT", path, body), 400);
      assert.equal(problem.code, "body-invalid");
      assert.equal(problem.errors[0]?.path, "value");
    }
    for (const body of [{ name: "" }, { type: "colour" }, { value: 5 }]) {
      await problemOf(await platform.send("PUT", path, body), 400);
    }
    assert.deepEqual(await platform.json("GET", path), renamed);
    assert.equal((await platform.json<Variable>("PUT", path, { type: "boolean", value: "true" })).type, "boolean");
    assert.equal((await platform.json<Variable>("PUT", path, { value: null })).value, null);
    await problemOf(await platform.send("PUT", `/variables/${unknownId}`, { name: "x" }), 404);
    await problemOf(await platform.send("PUT", "/variables/no-uuid", { name: "x" }), 400);
  });

  test("If-Match, ETag and Idempotency-Key are honoured", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const key = { "idempotency-key": randomUUID() };
    const body = { name: "once", value: "1" };
    const [first, second] = [
      await platform.send("POST", "/variables", body, key),
      await platform.send("POST", "/variables", body, key),
    ];
    const made = (await first.json()) as Variable;
    assert.deepEqual(await second.json(), made);
    assert.equal((await platform.json<Variable[]>("GET", "/variables")).length, 1);
    const path = `/variables/${made.id}`;
    const etag = (await platform.send("GET", path)).headers.get("etag") ?? "";
    assert.equal((await platform.send("GET", path, undefined, { "if-none-match": etag })).status, 304);
    assert.equal((await platform.send("PUT", path, { value: "2" }, { "if-match": etag })).status, 200);
    await problemOf(await platform.send("PUT", path, { value: "3" }, { "if-match": etag }), 412);
    assert.equal((await platform.json<Variable>("GET", path)).value, "2");
  });

  test("lists are sorted by their last update, and come in pages", async (t) => {
    const platform = await openTestPlatform(t, databases);
    assert.deepEqual(await platform.json("GET", "/variables"), []);
    const made: Variable[] = [];
    for (let index = 0; index < 5; index += 1) made.push(await create(platform, { name: `v${index}` }));
    await platform.json("PUT", `/variables/${made[1]?.id}`, { value: "changed" });
    const all = await platform.json<Variable[]>("GET", "/variables");
    const sorted = all.toSorted((a, b) => b.updatedDate.localeCompare(a.updatedDate) || b.id.localeCompare(a.id));
    assert.deepEqual(all, sorted);
    assert.equal(all.length, 5);
    const page = await platform.json<{ data: Variable[]; total: number }>("GET", "/variables?page=2&limit=2");
    assert.deepEqual(page, { data: all.slice(2, 4), total: 5 });
    await problemOf(await platform.send("GET", "/variables?page=0"), 400);
  });

  test("a deleted variable is gone", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const { id } = await create(platform, { name: "gone" });
    const deleted = await platform.send("DELETE", `/variables/${id}`);
    assert.deepEqual([deleted.status, await deleted.text()], [200, ""]);
    for (const method of ["DELETE", "GET"]) await problemOf(await platform.send(method, `/variables/${id}`), 404);
    await problemOf(await platform.send("DELETE", "/variables/no-uuid"), 400);
    assert.deepEqual(await platform.json("GET", "/variables"), []);
  });

  test("keys need the permission", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const { id } = await create(platform, { name: "kept" });
    const keyWith = async (...permissions: string[]) => {
      const { apiKey } = await platform.json<{ apiKey: string }>("POST", "/apikey", { keyName: "k", permissions });
      return { authorization: `Bearer ${apiKey}` };
    };
    const [reader, writer] = [await keyWith("variables:read"), await keyWith("variables:write")];
    const statusOf = async (method: string, path: string, headers: Record<string, string>, body?: object) =>
      (await platform.send(method, path, body, headers)).status;
    assert.equal(await statusOf("GET", "/variables", reader), 200);
    assert.equal(await statusOf("GET", `/variables/${id}`, writer), 403);
    assert.equal(await statusOf("POST", "/variables", reader, { name: "x" }), 403);
    assert.equal(await statusOf("PUT", `/variables/${id}`, reader, { name: "x" }), 403);
    assert.equal(await statusOf("DELETE", `/variables/${id}`, reader), 403);
    assert.equal(await statusOf("GET", "/variables", { authorization: "" }), 401);
    assert.equal(await statusOf("DELETE", `/variables/${id}`, writer), 200);
  });
});
