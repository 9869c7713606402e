import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../../database/src/testing/test-databases.ts";
import { admin, createWithAdmin } from "./testing/bench.ts";

const password = "a good long password";

await forEachDatabase(({ openTestDatabase }) => {
  test("an account is looked up with its present rights, and not at all once its tokens are void", async (t) => {
    const { call, logIn, authenticate, recheck, operator } = await createWithAdmin(await openTestDatabase(t));
    const owner = (await logIn()).body.token;
    const join = async (email: string) => {
      const invited = await call("POST", "/invitations", { bearer: owner, body: { email, role: "admin" } });
      const use = { token: invited.body.token, password };
      const { body } = await call("POST", "/invitations/accept", { bearer: "", body: use });
      return { id: body.user.id, token: body.token, identity: await authenticate(`Bearer ${body.token}`) };
    };
    const grace = await join("grace@example.com");
    assert.deepEqual(await recheck(grace.identity), grace.identity);
    await call("PUT", `/accounts/${grace.id}`, { bearer: owner, body: { role: "viewer" } });
    const lower = await recheck(grace.identity);
    assert.deepEqual([lower?.grants.has("people:write"), lower?.grants.has("agents:read")], [false, true]);
    await call("POST", "/auth/logout", { bearer: grace.token });
    assert.ok(await recheck(grace.identity), "signing out ends no stream that someone is reading");
    await call("DELETE", `/accounts/${grace.id}`, { bearer: owner });
    assert.equal(await recheck(grace.identity), undefined);

    const ada = await join("ada@example.com");
    const change = { currentPassword: password, newPassword: "another long password" };
    assert.equal((await call("PUT", "/auth/password", { bearer: ada.token, body: change })).status, 200);
    assert.equal(await recheck(ada.identity), undefined);
    const shell = await authenticate(`Bearer ${operator}`);
    assert.equal(await recheck(shell), shell);
  });

  test("an API key is looked up with its present rights, and not at all once its value is void", async (t) => {
    const { call, logIn, authenticate, recheck } = await createWithAdmin(await openTestDatabase(t));
    const bearer = (await logIn(admin)).body.token;
    const make = async () => {
      const body = { keyName: "k", permissions: ["predictions:run", "leads:read"] };
      const { id, apiKey } = (await call("POST", "/apikey", { bearer, body })).body;
      return { id, identity: await authenticate(`Bearer ${apiKey}`) };
    };
    const kept = await make();
    assert.deepEqual(await recheck(kept.identity), kept.identity);
    const change = { permissions: ["leads:read"] };
    assert.equal((await call("PUT", `/apikey/${kept.id}`, { bearer, body: change })).status, 200);
    assert.deepEqual([...((await recheck(kept.identity))?.grants ?? [])], ["leads:read"]);
    assert.equal((await call("POST", `/apikey/${kept.id}/rotate`, { bearer })).status, 200);
    assert.equal(await recheck(kept.identity), undefined, "its value is another one");
    const removed = await make();
    assert.equal((await call("DELETE", `/apikey/${removed.id}`, { bearer })).status, 200);
    assert.equal(await recheck(removed.identity), undefined);
  });
});
