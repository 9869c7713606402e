import assert from "node:assert/strict";
import { randomBytes, randomFillSync } from "node:crypto";
import { test } from "node:test";
import type { Database } from "@weft/database";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { admin, createIdentityApi, createWithAdmin } from "../testing/bench.ts";
import { resetPassword, toGeneration } from "./reset-password.ts";

const change = { currentPassword: admin.password, newPassword: "battery staple" };

const operations = [
  ["POST", "/auth/refresh", undefined],
  ["POST", "/auth/logout", undefined],
  ["DELETE", "/auth/sessions", undefined],
  ["PUT", "/auth/password", change],
] as const;

/** Two processes on one database, with one key, and an account. */
async function startTwo(database: Database) {
  const key = randomBytes(32);
  const [here, there] = [await createWithAdmin(database, { key }), await createIdentityApi(database, { key })];
  const logIn = async () => (await here.logIn()).body.token as string;
  return { here, there, logIn };
}

await forEachDatabase(({ openTestDatabase }) => {
  for (const [method, path, body] of operations) {
    test(`${method} ${path} needs a token that is valid now`, async (t) => {
      const { here, logIn } = await startTwo(await openTestDatabase(t));
      const status = async (bearer: string) => (await here.call(method, path, { bearer, body })).status;
      const loggedOut = await logIn();
      await here.call("POST", "/auth/logout", { bearer: loggedOut });
      for (const bearer of ["", "nonsense", loggedOut]) assert.equal(await status(bearer), 401, bearer);
      const expired = await logIn();
      here.time.nowMs += 3_600_000;
      assert.equal(await status(expired), 401);
    });

    test(`${method} ${path} is not for API keys`, async (t) => {
      const { here } = await startTwo(await openTestDatabase(t));
      const { body: key } = await here.call("POST", "/apikey", { body: { keyName: "k", permissions: ["*"] } });
      const refused = await here.call(method, path, { bearer: key.apiKey, body });
      assert.deepEqual([refused.status, refused.body.code], [400, "parameters-invalid"]);
      assert.equal((await here.call("GET", "/auth/me", { bearer: key.apiKey })).status, 200);
    });
  }

  test("the operator has no password to change, and keeps the token", async (t) => {
    const { here } = await startTwo(await openTestDatabase(t));
    const refused = await here.call("PUT", "/auth/password", { body: change });
    assert.deepEqual([refused.status, refused.body.code], [400, "parameters-invalid"]);
    assert.equal((await here.call("GET", "/auth/me")).status, 200);
  });

  test("of two refreshes of one token at once, one wins", async (t) => {
    const { here, there, logIn } = await startTwo(await openTestDatabase(t));
    const bearer = await logIn();
    const both = await Promise.all([here, there].map(({ call }) => call("POST", "/auth/refresh", { bearer })));
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 401]);
  });

  test("a token that another process revoked is not refreshed, even while this one trusts it", async (t) => {
    const { here, there, logIn } = await startTwo(await openTestDatabase(t));
    const bearer = await logIn();
    assert.equal((await here.call("GET", "/auth/me", { bearer })).status, 200);
    await there.call("POST", "/auth/logout", { bearer });
    assert.equal((await here.call("POST", "/auth/refresh", { bearer })).status, 401);
    assert.equal((await here.call("GET", "/auth/me", { bearer })).status, 401);
  });

  test("a refresh right after a new password in another process yields a void token", async (t) => {
    const { here, there, logIn } = await startTwo(await openTestDatabase(t));
    const [stolen, own] = [await logIn(), await logIn()];
    assert.equal((await here.call("GET", "/auth/me", { bearer: stolen })).status, 200);
    assert.equal((await there.call("PUT", "/auth/password", { bearer: own, body: change })).status, 200);
    const refreshed = await here.call("POST", "/auth/refresh", { bearer: stolen });
    assert.equal((await here.call("GET", "/auth/me", { bearer: refreshed.body.token })).status, 401);
  });

  test("a token that was signed with an earlier key is not refreshed, even while it is trusted", async (t) => {
    const key = randomBytes(32);
    const { call, operator } = await createIdentityApi(await openTestDatabase(t), { key });
    assert.equal((await call("GET", "/auth/me", { bearer: operator })).status, 200);
    randomFillSync(key);
    assert.equal((await call("GET", "/auth/me", { bearer: operator })).status, 200);
    assert.equal((await call("POST", "/auth/refresh", { bearer: operator })).status, 401);
  });

  test("a new password in one process voids the tokens in the other within a second", async (t) => {
    const { here, there, logIn } = await startTwo(await openTestDatabase(t));
    const [first, second] = [await logIn(), await logIn()];
    for (const bearer of [first, second]) assert.equal((await there.call("GET", "/auth/me", { bearer })).status, 200);
    const changed = await here.call("PUT", "/auth/password", { bearer: first, body: change });
    assert.equal(changed.status, 200);
    there.time.nowMs += 1_000;
    for (const bearer of [first, second]) assert.equal((await there.call("GET", "/auth/me", { bearer })).status, 401);
    assert.equal((await there.call("GET", "/auth/me", { bearer: changed.body.token })).status, 200);
  });

  test("the end of all sessions in one process is that of the others' within a second, and leaves the password", async (t) => {
    const { here, there, logIn } = await startTwo(await openTestDatabase(t));
    const [first, second] = [await logIn(), await logIn()];
    for (const bearer of [first, second]) assert.equal((await there.call("GET", "/auth/me", { bearer })).status, 200);
    assert.equal((await here.call("DELETE", "/auth/sessions", { bearer: first })).status, 200);
    assert.equal((await here.call("GET", "/auth/me", { bearer: second })).status, 401);
    there.time.nowMs += 1_000;
    for (const bearer of [first, second]) assert.equal((await there.call("GET", "/auth/me", { bearer })).status, 401);
    const bearer = await logIn();
    const { body } = await here.call("GET", "/auth/me", { bearer });
    assert.equal(body.user.hasPassword, true);
    const operator = await here.call("DELETE", "/auth/sessions");
    assert.deepEqual([operator.status, operator.body.code], [400, "parameters-invalid"]);
  });

  test("a process whose clock is ahead issues no token that outlives a new password", async (t) => {
    const { here, there, logIn } = await startTwo(await openTestDatabase(t));
    there.time.nowMs += 60_000;
    const { body: early } = await there.call("POST", "/auth/login", { bearer: "", body: admin });
    await here.call("PUT", "/auth/password", { bearer: await logIn(), body: change });
    assert.equal((await here.call("GET", "/auth/me", { bearer: early.token })).status, 401);
  });

  test("a token for what was read before a new password is void, however late it is issued", async (t) => {
    const database = await openTestDatabase(t);
    const { here, logIn } = await startTwo(database);
    // What a log-in has in its hands while it compares the hash of the old password.
    const account = await database.read.selectFrom("accounts").selectAll().executeTakeFirstOrThrow();
    await here.call("PUT", "/auth/password", { bearer: await logIn(), body: change });
    here.time.nowMs += 1_000;
    const { token } = await here.tokens.issue(account.id, toGeneration(account));
    assert.equal((await here.call("GET", "/auth/me", { bearer: token })).status, 401);
  });

  test("of two changes of a password at once, one wins and the other is told", async (t) => {
    const { here, logIn } = await startTwo(await openTestDatabase(t));
    const bearers = [await logIn(), await logIn()];
    const passwords = ["battery staple", "horse battery"];
    const both = await Promise.all(
      passwords.map((newPassword, index) =>
        here.call("PUT", "/auth/password", { bearer: bearers[index] ?? "", body: { ...change, newPassword } }),
      ),
    );
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 401]);
    const winner = both.findIndex(({ status }) => status === 200);
    assert.equal((await here.call("GET", "/auth/me", { bearer: both[winner]?.body.token })).status, 200);
    const login = { ...admin, password: passwords[winner] };
    assert.equal((await here.call("POST", "/auth/login", { bearer: "", body: login })).status, 200);
  });

  test("the operator resets a password: the old one and every token are void", async (t) => {
    const database = await openTestDatabase(t);
    const { here, logIn } = await startTwo(database);
    const bearer = await logIn();
    assert.equal(await resetPassword(database, { now: () => 0 }, { ...admin, password: "new horse" }), true);
    assert.equal((await here.call("GET", "/auth/me", { bearer })).status, 401);
    assert.equal((await here.call("POST", "/auth/login", { bearer: "", body: admin })).status, 401);
    const login = { ...admin, password: "new horse" };
    const { body: session } = await here.call("POST", "/auth/login", { bearer: "", body: login });
    assert.equal((await here.call("GET", "/auth/me", { bearer: session.token })).status, 200);
    assert.equal(await resetPassword(database, { now: () => 0 }, { ...login, email: "who@example.org" }), false);
  });
});
