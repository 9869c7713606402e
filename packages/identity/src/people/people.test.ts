import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Database } from "@weft/database";
import type { Role } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { admin, createIdentityApi, createWithAdmin } from "../testing/bench.ts";

const password = "a good long password";

/** The owner's token, and what makes others. */
async function openTeam(database: Database, key?: Uint8Array) {
  const api = await createWithAdmin(database, key && { key });
  const { body: owner } = await api.logIn();

  async function invite(email: string, role: Role, bearer = owner.token) {
    return api.call("POST", "/invitations", { bearer, body: { email, role } });
  }
  async function join(email: string, role: Role) {
    const { token } = (await invite(email, role)).body;
    const joined = await api.call("POST", "/invitations/accept", { bearer: "", body: { token, password } });
    assert.equal(joined.status, 200, joined.text);
    return { id: joined.body.user.id as string, token: joined.body.token as string };
  }
  return { ...api, owner: { id: owner.user.id as string, token: owner.token as string }, invite, join };
}

await forEachDatabase(({ openTestDatabase }) => {
  test("an invitation lets one person in, once, with its role and address", async (t) => {
    const database = await openTestDatabase(t);
    const { call, owner, invite } = await openTeam(database);
    const { status, body } = await invite(" Grace@Example.com ", "editor");
    assert.equal(status, 200);
    const { token, ...shown } = body;
    assert.deepEqual(
      [shown.kind, shown.email, shown.role, shown.createdBy],
      ["invitation", "grace@example.com", "editor", admin.email],
    );
    assert.deepEqual((await call("GET", "/invitations", { bearer: owner.token })).body, [shown]);
    const stored = JSON.stringify(await database.read.selectFrom("accountLinks").selectAll().execute());
    assert.ok(!stored.includes(token));
    assert.deepEqual((await call("POST", "/invitations/look", { bearer: "", body: { token } })).body, shown);

    const use = { token, password, name: "Grace" };
    const joined = await call("POST", "/invitations/accept", { bearer: "", body: use });
    const { email, role, name } = joined.body.user;
    assert.deepEqual([email, role, name], ["grace@example.com", "editor", "Grace"]);
    const again = await call("POST", "/invitations/accept", { bearer: "", body: use });
    assert.deepEqual([again.status, again.body.code], [404, "link-invalid"]);
    assert.deepEqual((await call("GET", "/invitations", { bearer: owner.token })).body, []);
    const me = await call("GET", "/auth/me", { bearer: joined.body.token });
    assert.equal(me.body.user.role, "editor");
    assert.ok(me.body.permissions.includes("agents:write") && !me.body.permissions.includes("people:write"));
    assert.equal((await invite("grace@example.com", "viewer")).status, 409);
  });

  test("of two people who use one link at the same moment one gets in", async (t) => {
    const { call, invite } = await openTeam(await openTestDatabase(t));
    const { token } = (await invite("grace@example.com", "editor")).body;
    const use = () => call("POST", "/invitations/accept", { bearer: "", body: { token, password } });
    const statuses = (await Promise.all([use(), use(), use(), use()])).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 404, 404, 404]);
  });

  test("a link ends after seven days, when it is revoked, and when a newer one replaces it", async (t) => {
    const { call, owner, invite, time } = await openTeam(await openTestDatabase(t));
    const look = (token: string) => call("POST", "/invitations/look", { bearer: "", body: { token } });
    const first = (await invite("a@example.com", "viewer")).body;
    const second = (await invite("a@example.com", "editor")).body;
    assert.deepEqual([(await look(first.token)).status, (await look(second.token)).status], [404, 200]);
    assert.equal((await call("DELETE", `/invitations/${second.id}`, { bearer: owner.token })).status, 200);
    assert.equal((await look(second.token)).status, 404);

    const third = (await invite("a@example.com", "viewer")).body;
    time.nowMs += 7 * 86_400_000 - 1;
    assert.equal((await look(third.token)).status, 200);
    time.nowMs += 1;
    assert.equal((await look(third.token)).status, 404);
    const late = await call("POST", "/invitations/accept", { bearer: "", body: { token: third.token, password } });
    assert.equal(late.status, 404);
  });

  test("wrong invitations say what is wrong, and tokens of another kind open nothing", async (t) => {
    const { call, owner, invite } = await openTeam(await openTestDatabase(t));
    const send = (body: object) => call("POST", "/invitations", { bearer: owner.token, body });
    assert.equal((await send({ email: "nobody", role: "editor" })).status, 422);
    assert.equal((await send({ email: "a@example.com", role: "emperor" })).status, 422);
    assert.equal((await send({ email: "a@example.com" })).status, 422);
    const { token } = (await invite("a@example.com", "viewer")).body;
    const accept = (body: object) => call("POST", "/invitations/accept", { bearer: "", body });
    assert.equal((await accept({ token, password: "short" })).status, 422);
    assert.equal((await accept({ token: randomUUID(), password })).status, 404);
    assert.equal((await accept({ token: "x".repeat(201), password })).status, 422);
    assert.equal((await accept({ token, password, name: "n".repeat(201) })).status, 422);
    assert.equal((await call("GET", "/accounts", { bearer: token })).status, 401);
    assert.equal((await accept({ token, password })).status, 200);
  });

  test("a new role holds for the token that is already there", async (t) => {
    const { call, owner, join } = await openTeam(await openTestDatabase(t));
    const grace = await join("grace@example.com", "admin");
    assert.equal((await call("GET", "/apikey", { bearer: grace.token })).status, 200);
    const demoted = await call("PUT", `/accounts/${grace.id}`, { bearer: owner.token, body: { role: "viewer" } });
    assert.equal(demoted.body.role, "viewer");
    const refused = await call("GET", "/apikey", { bearer: grace.token });
    assert.deepEqual([refused.status, refused.body.code], [403, "forbidden"]);
  });

  test("nobody gives rights that they lack, and only owners manage owners", async (t) => {
    const { call, owner, join, invite } = await openTeam(await openTestDatabase(t));
    const ada = await join("ada@example.com", "admin");
    const role = (id: string, to: Role, bearer: string) =>
      call("PUT", `/accounts/${id}`, { bearer, body: { role: to } }).then(({ status }) => status);
    assert.equal(await role(ada.id, "owner", ada.token), 403);
    assert.equal(await role(owner.id, "viewer", ada.token), 403);
    assert.equal((await invite("eve@example.com", "owner", ada.token)).status, 403);
    for (const [method, path] of [
      ["DELETE", ""],
      ["POST", "/password-reset"],
      ["POST", "/sign-out"],
    ] as const)
      assert.equal((await call(method, `/accounts/${owner.id}${path}`, { bearer: ada.token })).status, 403, path);

    // A key of the owner's that may manage people, and little else.
    const body = { keyName: "provisioning", permissions: ["people:write", "people:read", "agents:read"] };
    const { apiKey } = (await call("POST", "/apikey", { bearer: owner.token, body })).body;
    assert.equal((await invite("eve@example.com", "viewer", apiKey)).status, 403);
    assert.equal((await call("POST", `/accounts/${ada.id}/password-reset`, { bearer: apiKey })).status, 403);
    assert.equal(await role(ada.id, "editor", owner.token), 200);
    assert.equal((await invite("eve@example.com", "viewer", ada.token)).status, 403);
  });

  test("what was taken away in another process gives nobody anything any more", async (t) => {
    const database = await openTestDatabase(t);
    const key = randomBytes(32);
    const { call, owner, join } = await openTeam(database, key);
    const other = await createIdentityApi(database, { key });
    const grace = await join("grace@example.com", "admin");
    const invite = () =>
      other.call("POST", "/invitations", { bearer: grace.token, body: { email: "eve@example.com", role: "admin" } });
    assert.equal((await invite()).status, 200);
    await call("PUT", `/accounts/${grace.id}`, { bearer: owner.token, body: { role: "viewer" } });
    // The other process trusts what it knew for up to a second, where nothing is changed.
    assert.equal((await other.call("GET", "/accounts", { bearer: grace.token })).status, 200);
    assert.equal((await invite()).status, 403);
    await call("DELETE", `/accounts/${grace.id}`, { bearer: owner.token });
    assert.equal((await invite()).status, 401);
  });

  test("there are a thousand open invitations at most, and expired ones make room", async (t) => {
    const database = await openTestDatabase(t);
    const { invite, time } = await openTeam(database);
    const shared = {
      kind: "invitation",
      role: "viewer",
      createdBy: "",
      createdDate: "2030-01-01T00:00:00.000Z",
    } as const;
    const open = Array.from({ length: 1_000 }, (_, index) => ({
      ...shared,
      id: randomUUID(),
      email: `${index}@example.com`,
      tokenHash: String(index),
      expiresDate: "2030-01-01T00:30:00.000Z",
    }));
    for (let start = 0; start < open.length; start += 100) {
      const some = open.slice(start, start + 100);
      await database.write((tx) => tx.insertInto("accountLinks").values(some).execute());
    }
    const refused = await invite("one-more@example.com", "viewer");
    assert.deepEqual([refused.status, /1000 open invitations/.test(refused.body.message)], [409, true]);
    assert.equal((await invite("7@example.com", "viewer")).status, 200, "a new link replaces the one of its address");
    time.nowMs = Date.parse("2030-01-01T00:30:00.000Z");
    assert.equal((await invite("one-more@example.com", "viewer")).status, 200);
  });

  test("a key that is limited to agents manages nobody", async (t) => {
    const { call, owner, invite } = await openTeam(await openTestDatabase(t));
    const permissions = ["*", "people:read", "people:write", "chats:all", "chats:read", "chats:write"];
    const limited = { keyName: "limited", permissions, agents: [randomUUID()] };
    const { apiKey } = (await call("POST", "/apikey", { bearer: owner.token, body: limited })).body;
    assert.equal((await invite("eve@example.com", "viewer", apiKey)).status, 403);
    assert.equal((await call("GET", "/accounts", { bearer: apiKey })).status, 403);
    assert.equal((await call("POST", `/accounts/${owner.id}/password-reset`, { bearer: apiKey })).status, 403);
  });

  test("the last owner stays one", async (t) => {
    const { call, owner, join } = await openTeam(await openTestDatabase(t));
    const demote = (id: string) => call("PUT", `/accounts/${id}`, { bearer: owner.token, body: { role: "admin" } });
    assert.equal((await demote(owner.id)).status, 409);
    assert.equal((await call("DELETE", `/accounts/${owner.id}`, { bearer: owner.token })).status, 409);
    const second = await join("second@example.com", "owner");
    const both = await Promise.all([
      call("DELETE", `/accounts/${owner.id}`, { bearer: second.token }),
      call("DELETE", `/accounts/${second.id}`, { bearer: owner.token }),
    ]);
    assert.equal(both.filter(({ status }) => status === 200).length, 1, both.map(({ text }) => text).join());
  });

  test("who is removed loses sessions, links and keys, unless the keys are kept", async (t) => {
    const { call, owner, join } = await openTeam(await openTestDatabase(t));
    const grace = await join("grace@example.com", "admin");
    const alan = await join("alan@example.com", "admin");
    const keyOf = async ({ token }: { token: string }) => {
      const body = { keyName: "k", permissions: ["apikeys:read"] };
      return (await call("POST", "/apikey", { bearer: token, body })).body;
    };
    const [ofGrace, ofAlan] = [await keyOf(grace), await keyOf(alan)];
    assert.equal(ofGrace.ownerId, grace.id);
    const reset = await call("POST", `/accounts/${grace.id}/password-reset`, { bearer: owner.token });

    const unsaid = await call("DELETE", `/accounts/${grace.id}`, { bearer: owner.token });
    assert.deepEqual([unsaid.status, /1 API keys/.test(unsaid.body.message)], [409, true]);
    assert.equal((await call("DELETE", `/accounts/${grace.id}?keys=remove`, { bearer: owner.token })).status, 200);
    assert.equal((await call("GET", "/auth/me", { bearer: grace.token })).status, 401);
    assert.equal((await call("GET", "/apikey", { bearer: ofGrace.apiKey })).status, 401);
    const use = { token: reset.body.token, password };
    assert.equal((await call("POST", "/invitations/accept", { bearer: "", body: use })).status, 404);

    assert.equal((await call("DELETE", `/accounts/${alan.id}?keys=keep`, { bearer: owner.token })).status, 200);
    const kept = await call("GET", `/apikey/${ofAlan.id}`, { bearer: ofAlan.apiKey });
    assert.deepEqual([kept.status, kept.body.ownerId], [200, null]);
    assert.deepEqual((await call("GET", "/accounts", { bearer: owner.token })).body.length, 1);
  });

  test("a key can do no more than its owner at this moment", async (t) => {
    const { call, owner, join, apiKeys } = await openTeam(await openTestDatabase(t));
    const grace = await join("grace@example.com", "admin");
    const body = { keyName: "all", permissions: ["*", "chats:all"] };
    const { apiKey } = (await call("POST", "/apikey", { bearer: grace.token, body })).body;
    const held = async () => (await call("GET", "/auth/me", { bearer: apiKey })).body.permissions as string[];
    assert.deepEqual((await held()).toSorted(), ["*", "chats:all"]);
    await call("PUT", `/accounts/${grace.id}`, { bearer: owner.token, body: { role: "viewer" } });
    const now = await held();
    assert.ok(now.includes("agents:read"));
    for (const lost of ["*", "agents:write", "chats:all", "credentials:read"]) assert.ok(!now.includes(lost), lost);
    // What a key makes belongs to the same account.
    await call("PUT", `/accounts/${grace.id}`, { bearer: owner.token, body: { role: "admin" } });
    const child = (await call("POST", "/apikey", { bearer: apiKey, body: { keyName: "child" } })).body;
    assert.equal(child.ownerId, grace.id);
    assert.equal((await apiKeys.identify(child.apiKey))?.ownerId, grace.id);
  });

  test("a link for a new password ends the sessions before it", async (t) => {
    const { call, owner, join, logIn } = await openTeam(await openTestDatabase(t));
    const grace = await join("grace@example.com", "editor");
    const { body } = await call("POST", `/accounts/${grace.id}/password-reset`, { bearer: owner.token });
    assert.deepEqual([body.kind, body.email], ["password-reset", "grace@example.com"]);
    const use = { token: body.token, password: "another long password" };
    const changed = await call("POST", "/invitations/accept", { bearer: "", body: use });
    assert.deepEqual([changed.status, changed.body.user.role], [200, "editor"]);
    assert.equal((await call("GET", "/auth/me", { bearer: grace.token })).status, 401);
    assert.equal((await logIn({ email: "grace@example.com", password })).status, 401);
    assert.equal((await logIn({ email: "grace@example.com", password: use.password })).status, 200);
  });

  test("links end when the rights change of whom they are for, or of who made them", async (t) => {
    const { call, owner, join, invite } = await openTeam(await openTestDatabase(t));
    const look = async (token: string) =>
      (await call("POST", "/invitations/look", { bearer: "", body: { token } })).status;
    const ada = await join("ada@example.com", "admin");
    const grace = await join("grace@example.com", "editor");
    const invitation = (await invite("eve@example.com", "admin", ada.token)).body.token;
    const reset = (await call("POST", `/accounts/${grace.id}/password-reset`, { bearer: ada.token })).body.token;
    // An admin could otherwise become an owner with the link for someone who has become one since.
    await call("PUT", `/accounts/${grace.id}`, { bearer: owner.token, body: { role: "owner" } });
    assert.deepEqual([await look(reset), await look(invitation)], [404, 200]);
    await call("PUT", `/accounts/${ada.id}`, { bearer: owner.token, body: { role: "viewer" } });
    assert.equal(await look(invitation), 404);
  });

  test("all sessions of an account can be ended, and its name changed", async (t) => {
    const { call, owner, join } = await openTeam(await openTestDatabase(t));
    const grace = await join("grace@example.com", "editor");
    const named = await call("PUT", `/accounts/${grace.id}`, { bearer: owner.token, body: { name: " Grace " } });
    assert.deepEqual([named.body.name, named.body.role], ["Grace", "editor"]);
    assert.equal((await call("POST", `/accounts/${grace.id}/sign-out`, { bearer: owner.token })).status, 200);
    assert.equal((await call("GET", "/auth/me", { bearer: grace.token })).status, 401);
    assert.equal((await call("PUT", "/accounts/00000000-0000-7000-8000-000000000000", { body: {} })).status, 404);
  });
});
