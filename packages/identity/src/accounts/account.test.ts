import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { allGrants } from "@weft/http/identity";
import { SignJWT, UnsecuredJWT } from "jose";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { admin, createIdentityApi, createWithAdmin } from "../testing/bench.ts";

await forEachDatabase(({ openTestDatabase }) => {
  test("log in, be known, log out", async (t) => {
    const { call } = await createWithAdmin(await openTestDatabase(t));
    const login = await call("POST", "/auth/login", { bearer: "", body: { ...admin, email: " Admin@Example.org " } });
    assert.equal(login.status, 200);
    assert.deepEqual(Object.keys(login.body).toSorted(), ["expiresAt", "token", "user"]);
    assert.equal(login.body.expiresAt, "2030-01-01T01:00:00.250Z");
    assert.equal(login.headers.get("cache-control"), "no-store");
    assert.deepEqual(Object.keys(login.body.user).toSorted(), [
      "createdDate",
      "email",
      "hasPassword",
      "id",
      "name",
      "role",
      "updatedDate",
    ]);

    const bearer = login.body.token;
    const me = await call("GET", "/auth/me", { bearer });
    assert.deepEqual(me.body, { kind: "account", user: login.body.user, permissions: [...allGrants] });
    const out = await call("POST", "/auth/logout", { bearer });
    assert.deepEqual([out.status, out.text], [200, ""]);
    assert.equal((await call("GET", "/auth/me", { bearer })).status, 401);
  });

  test("a wrong password and an unknown address answer alike", async (t) => {
    const { call } = await createWithAdmin(await openTestDatabase(t));
    const wrong = await call("POST", "/auth/login", { bearer: "", body: { ...admin, password: "wrong" } });
    const unknown = await call("POST", "/auth/login", { bearer: "", body: { ...admin, email: "who@example.org" } });
    assert.deepEqual([wrong.status, wrong.body.code, unknown.status], [401, "login-failed", 401]);
    assert.equal(wrong.body.message, unknown.body.message);
    for (const body of [{}, { email: 1, password: 2 }, { ...admin, password: "x".repeat(2_000) }]) {
      assert.equal((await call("POST", "/auth/login", { bearer: "", body })).status, 422);
    }
    assert.equal((await call("POST", "/auth/login", { bearer: "", body: { email: "x".repeat(20_000) } })).status, 413);
  });

  test("the configured account is made once; its password is not touched again", async (t) => {
    const { accounts, call } = await createWithAdmin(await openTestDatabase(t));
    await accounts.ensureAdmin({ ...admin, password: "another one" });
    assert.equal((await call("POST", "/auth/login", { bearer: "", body: admin })).status, 200);
    assert.equal(await accounts.findSetupToken(), undefined);
  });

  test("the first account is made with the printed token, once", async (t) => {
    const { accounts, call } = await createIdentityApi(await openTestDatabase(t));
    const token = await accounts.findSetupToken();
    const setUp = (more: object) => call("POST", "/auth/setup", { bearer: "", body: { token, ...admin, ...more } });
    assert.equal((await setUp({ token: "guess" })).body.code, "setup-token-wrong");
    assert.equal((await setUp({ password: "short" })).status, 422);
    assert.equal((await setUp({ email: "nowhere" })).status, 422);
    const made = await Promise.all([setUp({ name: "A" }), setUp({ email: "other@example.org" })]);
    assert.deepEqual(made.map(({ status }) => status).toSorted(), [200, 409]);
    const session = made.find(({ status }) => status === 200);
    assert.equal((await call("GET", "/auth/me", { bearer: session?.body.token })).status, 200);
    assert.equal((await setUp({})).status, 409);
    assert.equal(await accounts.findSetupToken(), undefined);
  });

  test("a refreshed token takes the place of the old one", async (t) => {
    const { call, operator } = await createWithAdmin(await openTestDatabase(t));
    const { body } = await call("POST", "/auth/login", { bearer: "", body: admin });
    for (const bearer of [body.token, operator]) {
      const kind = (await call("GET", "/auth/me", { bearer })).body.kind;
      const refreshed = await call("POST", "/auth/refresh", { bearer });
      assert.equal(refreshed.status, 200);
      assert.equal((await call("GET", "/auth/me", { bearer })).status, 401);
      assert.equal((await call("GET", "/auth/me", { bearer: refreshed.body.token })).body.kind, kind);
    }
  });

  test("a new password voids every token of the account", async (t) => {
    const { call, time, operator } = await createWithAdmin(await openTestDatabase(t));
    const { body: session } = await call("POST", "/auth/login", { bearer: "", body: admin });
    const bearer = session.token;
    const body = { currentPassword: admin.password, newPassword: "battery staple" };
    const change = (more: object) => call("PUT", "/auth/password", { bearer, body: { ...body, ...more } });
    assert.equal((await change({ currentPassword: "wrong" })).status, 401);
    assert.equal((await change({ newPassword: "short" })).status, 422);
    time.nowMs += 5;
    const changed = await change({});
    assert.equal(changed.status, 200);
    assert.equal((await call("GET", "/auth/me", { bearer })).status, 401);
    assert.equal((await call("GET", "/auth/me", { bearer: changed.body.token })).status, 200);
    assert.equal((await call("POST", "/auth/login", { bearer: "", body: admin })).status, 401);
    const login = { ...admin, password: "battery staple" };
    assert.equal((await call("POST", "/auth/login", { bearer: "", body: login })).status, 200);
    assert.equal((await call("PUT", "/auth/password", { bearer: operator, body })).status, 400);
  });

  test("a token ends in time, also while it is remembered", async (t) => {
    const { call, time, operator } = await createIdentityApi(await openTestDatabase(t), { ttlMs: 3_000 });
    assert.equal((await call("GET", "/auth/me")).body.kind, "operator");
    time.nowMs += 2_999;
    assert.equal((await call("GET", "/auth/me")).status, 200);
    time.nowMs += 1;
    assert.equal((await call("GET", "/auth/me", { bearer: operator })).status, 401);
  });

  test("a revocation by another process is seen within a second", async (t) => {
    const database = await openTestDatabase(t);
    const key = randomBytes(32);
    const here = await createIdentityApi(database, { key });
    const there = await createIdentityApi(database, { key });
    const bearer = here.operator;
    assert.equal((await here.call("GET", "/auth/me", { bearer })).status, 200);
    assert.equal((await there.call("POST", "/auth/logout", { bearer })).status, 200);
    here.time.nowMs += 1_000;
    assert.equal((await here.call("GET", "/auth/me", { bearer })).status, 401);
  });

  test("revoked tokens are forgotten when they have expired", async (t) => {
    const database = await openTestDatabase(t);
    const { call, tokens, time, operator } = await createIdentityApi(database);
    await call("POST", "/auth/logout", { bearer: operator });
    time.nowMs += 7_200_000;
    const { token } = await tokens.issue("operator");
    await call("POST", "/auth/logout", { bearer: token });
    const rows = await database.read.selectFrom("revokedTokens").selectAll().execute();
    assert.equal(rows.length, 1);
  });

  test("forged, foreign and broken bearers are 401", async (t) => {
    const key = randomBytes(32);
    const { app, call, operator, tokens } = await createIdentityApi(await openTestDatabase(t), { key });
    const claims = { sub: "operator", jti: "a", iss: "weft", iat: 1, exp: 9_999_999_999 };
    const sign = (alg: string, secret: Uint8Array, payload: object) =>
      new SignJWT(payload as Record<string, unknown>).setProtectedHeader({ alg }).sign(secret);
    const forged = [
      await sign("HS256", randomBytes(32), claims),
      await sign("HS512", key, claims),
      await sign("HS256", key, { ...claims, iss: "other" }),
      await sign("HS256", key, { ...claims, exp: 1 }),
      await sign("HS256", key, { ...claims, jti: undefined }),
      await sign("HS256", key, { ...claims, exp: undefined }),
      await sign("HS256", key, { ...claims, iat: undefined }),
      await sign("HS256", key, { ...claims, sub: undefined }),
      await sign("HS256", key, { ...claims, nbf: 9_999_999_998 }),
      await sign("HS256", Buffer.alloc(32), claims),
      new UnsecuredJWT(claims).encode(),
      `${operator.slice(0, -2)}${operator.endsWith("AA") ? "BB" : "AA"}`,
      withClaims(operator, { exp: 9_999_999_999 }),
      withClaims((await tokens.issue("3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f")).token, { sub: "operator" }),
      (await tokens.issue("3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f")).token,
      "wk_unknown",
      "a.b.c",
      "x".repeat(5_000),
    ];
    for (const bearer of forged) assert.equal((await call("GET", "/auth/me", { bearer })).status, 401, bearer);
    for (const authorization of [
      "",
      "Bearer",
      "Bearer ",
      operator,
      `Basic ${operator}`,
      `Bearer ${operator}, Bearer x`,
      `Bearer\t${operator}`,
      `Bearer ${"x".repeat(100_000)}`,
      `Bearer wk_${"x".repeat(100_000)}`,
      `Bearer ${operator.slice(0, 20)} ${operator.slice(20)}`,
    ]) {
      const request = new Request("http://test/api/v1/auth/me", { headers: { authorization } });
      assert.equal((await app.fetch(request)).status, 401, authorization);
    }
    for (const authorization of [`bearer  ${operator}`, `BEARER ${operator}   `]) {
      const request = new Request("http://test/api/v1/auth/me", { headers: { authorization } });
      assert.equal((await app.fetch(request)).status, 200, authorization);
    }
  });
});

/** The token with other claims under its old signature. */
function withClaims(token: string, more: object): string {
  const [header, payload = "", signature] = token.split(".");
  const claims = { ...JSON.parse(Buffer.from(payload, "base64url").toString()), ...more };
  return [header, Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join(".");
}
