import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { test } from "node:test";
import { permissions } from "@weft/http/identity";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { createIdentityApi } from "../testing/bench.ts";

await forEachDatabase(({ openTestDatabase }) => {
  test("a key is shown once and stored as a hash", async (t) => {
    const database = await openTestDatabase(t);
    const { call } = await createIdentityApi(database);
    const created = await call("POST", "/apikey", {
      body: { keyName: " CI ", permissions: ["agents:read", "agents:read"] },
    });
    assert.equal(created.status, 200);
    const { apiKey, ...shown } = created.body;
    assert.match(apiKey, /^wk_[\w-]{43}$/);
    assert.equal(shown.keyHint, `${apiKey.slice(0, 8)}…`);
    assert.deepEqual([shown.keyName, shown.permissions, shown.lastUsedDate], ["CI", ["agents:read"], null]);
    assert.deepEqual((await call("GET", `/apikey/${shown.id}`)).body, shown);
    assert.deepEqual((await call("GET", "/apikey")).body, [shown]);
    assert.deepEqual((await call("GET", "/apikey?page=1&limit=5")).body, { data: [shown], total: 1 });
    const stored = JSON.stringify(await database.read.selectFrom("apiKeys").selectAll().execute());
    assert.ok(!stored.includes(apiKey.slice(8)));
  });

  test("a key does what it may and nothing else", async (t) => {
    const { call } = await createIdentityApi(await openTestDatabase(t));
    const create = async (permissions?: string[]) =>
      (await call("POST", "/apikey", { body: { keyName: "k", permissions } })).body.apiKey as string;
    const reader = await create(["apikeys:read"]);
    assert.equal((await call("GET", "/apikey", { bearer: reader })).status, 200);
    const refused = await call("POST", "/apikey", { bearer: reader, body: { keyName: "x" } });
    assert.deepEqual([refused.status, refused.body.code], [403, "forbidden"]);
    const me = await call("GET", "/auth/me", { bearer: reader });
    assert.deepEqual(me.body, { kind: "api-key", user: null, permissions: ["apikeys:read"] });
    assert.equal((await call("POST", "/auth/logout", { bearer: reader })).status, 400);
    assert.equal((await call("GET", "/apikey", { bearer: await create() })).status, 403);
    assert.equal((await call("POST", "/apikey", { bearer: await create(["*"]), body: { keyName: "x" } })).status, 200);
  });

  test("a key that another server issued opens here what it was given", async (t) => {
    const { call, apiKeys } = await createIdentityApi(await openTestDatabase(t));
    const apiKey = randomBytes(32).toString("base64url");
    const dates = { createdDate: "2024-01-01T00:00:00.000Z", updatedDate: "2024-01-02T00:00:00.000Z" };
    const adopted = { id: randomUUID(), keyName: "Old site", apiKey, permissions: ["apikeys:read"] as const, ...dates };
    assert.equal((await call("GET", "/apikey", { bearer: apiKey })).status, 401);
    assert.equal(await apiKeys.adopt(adopted), true);
    const { body } = await call("GET", "/apikey", { bearer: apiKey });
    assert.deepEqual([body[0].keyHint, body[0].clientId], [`${apiKey.slice(0, 8)}…`, adopted.id]);
    assert.equal((await call("POST", "/apikey", { bearer: apiKey, body: { keyName: "x" } })).status, 403);
    assert.equal((await call("GET", `/verify/apikey/${apiKey}`)).body, "OK");
    assert.equal((await apiKeys.find(apiKey))?.id, adopted.id);
    assert.equal(await apiKeys.adopt({ ...adopted, keyName: "Again" }), false);
    assert.equal(await apiKeys.adopt({ ...adopted, id: randomUUID() }), false, "the value is there already");
    assert.equal((await call("GET", `/apikey/${adopted.id}`)).body.keyName, "Old site");
  });

  test("what has the form of a token or an id is never looked up as a key", async (t) => {
    const { call, apiKeys } = await createIdentityApi(await openTestDatabase(t));
    const dates = { createdDate: "2024-01-01T00:00:00.000Z", updatedDate: "2024-01-01T00:00:00.000Z" };
    for (const apiKey of ["a.b.c", randomUUID(), "k".repeat(513)]) {
      await apiKeys.adopt({ id: randomUUID(), keyName: "k", apiKey, permissions: ["apikeys:read"], ...dates });
      assert.equal((await call("GET", "/apikey", { bearer: apiKey })).status, 401, apiKey.slice(0, 40));
    }
  });

  test("nobody gives what they do not have", async (t) => {
    const { call } = await createIdentityApi(await openTestDatabase(t));
    const { body: writer } = await call("POST", "/apikey", { body: { keyName: "w", permissions: ["apikeys:write"] } });
    const bearer = writer.apiKey;
    for (const permissions of [["*"], ["apikeys:write", "agents:read"], undefined]) {
      assert.equal((await call("POST", "/apikey", { bearer, body: { keyName: "x", permissions } })).status, 403);
    }
    const raise = { permissions: ["*"] };
    assert.equal((await call("PUT", `/apikey/${writer.id}`, { bearer, body: raise })).status, 403);
    const body = { keyName: "x", permissions: ["apikeys:write"] };
    assert.equal((await call("POST", "/apikey", { bearer, body })).status, 200);
  });

  test("a change and a revocation take effect at once", async (t) => {
    const { call, time } = await createIdentityApi(await openTestDatabase(t));
    const { body: key } = await call("POST", "/apikey", { body: { keyName: "k", permissions: ["apikeys:read"] } });
    const bearer = key.apiKey;
    assert.equal((await call("GET", "/apikey", { bearer })).status, 200);
    const changed = await call("PUT", `/apikey/${key.id}`, { body: { permissions: ["agents:read"] } });
    assert.deepEqual([changed.body.keyName, changed.body.permissions], ["k", ["agents:read"]]);
    assert.ok(changed.body.updatedDate > key.updatedDate);
    assert.equal((await call("GET", "/apikey", { bearer })).status, 403);
    time.nowMs += 1;
    const removed = await call("DELETE", `/apikey/${key.id}`);
    assert.deepEqual([removed.status, removed.text], [200, ""]);
    assert.equal((await call("GET", "/apikey", { bearer })).status, 401);
    assert.equal((await call("DELETE", `/apikey/${key.id}`)).status, 404);
  });

  test("the last use is noted, at most once a minute", async (t) => {
    const { call, apiKeys, time } = await createIdentityApi(await openTestDatabase(t));
    const { body: key } = await call("POST", "/apikey", { body: { keyName: "k", permissions: ["apikeys:read"] } });
    const lastUse = async () => (await apiKeys.get(key.id)).lastUsedDate;
    async function useAt(nowMs: number): Promise<string> {
      time.nowMs = nowMs;
      await call("GET", "/apikey", { bearer: key.apiKey });
      return new Date(nowMs).toISOString();
    }
    async function noted(expected: string): Promise<void> {
      while ((await lastUse()) !== expected) await new Promise((resolve) => setImmediate(resolve));
    }
    const first = await useAt(time.nowMs);
    await noted(first);
    await useAt(time.nowMs + 59_000);
    const later = await useAt(time.nowMs + 6_000);
    await noted(later);
  });

  test("what does not fit is refused", async (t) => {
    const { call } = await createIdentityApi(await openTestDatabase(t));
    for (const body of [
      {},
      { keyName: " " },
      { keyName: "k", permissions: [] },
      { keyName: "k", permissions: ["fly"] },
    ]) {
      assert.equal((await call("POST", "/apikey", { body })).status, 422, JSON.stringify(body));
    }
    const unknown = await call("POST", "/apikey", { body: { keyName: "k", permissions: ["agents:read", "fly"] } });
    assert.equal(unknown.body.errors[0].path, "permissions.1");
    for (const name of ["fly", "*", ...permissions]) assert.ok(unknown.body.message.includes(name), name);
    const { body: key } = await call("POST", "/apikey", { body: { keyName: "k" } });
    const update = await call("PUT", `/apikey/${key.id}`, { body: { permissions: ["agents:fly"] } });
    assert.deepEqual([update.status, update.body.errors[0].path], [422, "permissions.0"]);
    assert.deepEqual((await call("GET", `/apikey/${key.id}`)).body.permissions, key.permissions);
    const id = randomUUID();
    assert.equal((await call("POST", "/apikey", { body: { id, keyName: "k" } })).body.id, id);
    assert.equal((await call("POST", "/apikey", { body: { id, keyName: "k" } })).status, 409);
    for (const method of ["GET", "PUT", "DELETE"]) {
      const body = method === "PUT" ? { body: {} } : {};
      assert.equal((await call(method, "/apikey/nonsense", body)).status, 400);
      assert.equal((await call(method, `/apikey/${randomUUID()}`, body)).status, 404);
    }
  });

  test("a key that says nothing of permissions does what a chat client needs, and no more", async (t) => {
    const { call } = await createIdentityApi(await openTestDatabase(t));
    const { body: key } = await call("POST", "/apikey", { body: { keyName: "widget" } });
    assert.deepEqual(key.permissions, ["predictions:run", "attachments:write", "feedback:write", "leads:write"]);
    assert.equal((await call("GET", "/apikey", { bearer: key.apiKey })).status, 403);
  });

  test("a key is verified by itself; whatever else is sent is 401", async (t) => {
    const { call } = await createIdentityApi(await openTestDatabase(t));
    const { body: key } = await call("POST", "/apikey", { body: { keyName: "k", permissions: ["agents:read"] } });
    const verify = (apiKey: string, bearer?: string) =>
      call("GET", `/verify/apikey/${apiKey}`, bearer === undefined ? {} : { bearer });
    const verified = await verify(key.apiKey);
    assert.deepEqual([verified.status, verified.body], [200, "OK"]);
    for (const other of [key.id, `${key.apiKey}x`, key.apiKey.slice(0, -1), "wk_", "%20", "x".repeat(4_000)]) {
      const refused = await verify(other);
      assert.deepEqual([refused.status, refused.body.code], [401, "api-key-unknown"], other.slice(0, 50));
    }
    assert.equal((await call("GET", `/apikey/${key.id}`)).body.lastUsedDate, null);
    assert.equal((await verify(key.apiKey, "")).body.code, "unauthenticated");
    assert.equal((await verify(key.apiKey, key.apiKey)).status, 403);
    await call("DELETE", `/apikey/${key.id}`);
    assert.equal((await verify(key.apiKey)).body.code, "api-key-unknown");
  });

  test("one other character anywhere makes a key unknown", async (t) => {
    const { call } = await createIdentityApi(await openTestDatabase(t));
    const { body: key } = await call("POST", "/apikey", { body: { keyName: "k", permissions: ["apikeys:read"] } });
    for (let at = 0; at < key.apiKey.length; at += 1) {
      const other = key.apiKey[at] === "A" ? "B" : "A";
      const bearer = `${key.apiKey.slice(0, at)}${other}${key.apiKey.slice(at + 1)}`;
      assert.equal((await call("GET", "/apikey", { bearer })).status, 401, String(at));
    }
    assert.equal((await call("GET", "/apikey", { bearer: key.apiKey })).status, 200);
  });

  test("no log line holds a key, wherever in a request it stands", async (t) => {
    const { call, logLines } = await createIdentityApi(await openTestDatabase(t));
    const { body: key } = await call("POST", "/apikey", { body: { keyName: "k", permissions: ["apikeys:read"] } });
    const { apiKey } = key;
    for (const method of ["GET", "POST", "DELETE"]) {
      for (const path of ["verify/apikey/", "chatflows/apikey/", "apikey/", "apikey?page=", "nowhere/"]) {
        await call(method, `/${path}${apiKey}`, { bearer: apiKey });
        await call(method, `/${path}${apiKey}/more?key=${apiKey}`, { bearer: `${apiKey}x` });
      }
    }
    await call("POST", "/apikey", { body: { keyName: apiKey, permissions: [apiKey] } });
    await call("DELETE", `/apikey/${key.id}`);
    await call("GET", `/verify/apikey/${apiKey}`);
    assert.match(logLines.join(""), /"route":"\/api\/v1\/verify\/apikey\/\{apikey\}"/);
    assert.doesNotMatch(logLines.join(""), new RegExp(apiKey.slice(8)));
  });

  test("a deleted key is refused by another process within a second", async (t) => {
    const database = await openTestDatabase(t);
    const [here, there] = [await createIdentityApi(database), await createIdentityApi(database)];
    const { body: key } = await here.call("POST", "/apikey", { body: { keyName: "k", permissions: ["apikeys:read"] } });
    const use = async () => (await there.call("GET", "/apikey", { bearer: key.apiKey })).status;
    assert.equal(await use(), 200);
    await here.call("DELETE", `/apikey/${key.id}`);
    there.time.nowMs += 1_000;
    assert.equal(await use(), 401);
  });

  test("a key is found by itself and by its id", async (t) => {
    const { call, apiKeys } = await createIdentityApi(await openTestDatabase(t));
    const { body: key } = await call("POST", "/apikey", { body: { keyName: "k" } });
    assert.equal((await apiKeys.find(key.apiKey))?.id, key.id);
    assert.equal((await apiKeys.find(key.id.toUpperCase()))?.id, key.id);
    assert.equal(await apiKeys.find("wk_other"), undefined);
    assert.equal(await apiKeys.find("other"), undefined);
  });
});
