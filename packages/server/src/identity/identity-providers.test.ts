import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { IdentityProvider } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform } from "../testing/test-platform.ts";
import { client } from "./testing/scripted-provider.ts";
import { openSignIn } from "./testing/sign-in-bench.ts";

const okta = {
  slug: "okta",
  name: "Okta",
  issuer: "https://example.okta.com",
  clientId: "0oa1",
  clientSecret: "s3cret",
};

await onTestDatabase((databases) => {
  describe("identity providers", () => {
    it("keep their secret, which no answer shows and the database holds sealed", async (t) => {
      const { call, owner, platform, corp } = await openSignIn(t, databases);
      const { body, text } = await call("POST", "/identity-providers", okta, owner);
      assert.deepEqual([body.hasClientSecret, body.clientSecret, body.source], [true, undefined, "stored"]);
      const path = `/identity-providers/${body.id}`;
      const renamed = await call("PUT", path, { name: "Okta of Corp" }, owner);
      const all = await call("GET", "/identity-providers", undefined, owner);
      for (const shown of [text, renamed.text, all.text]) assert.ok(!shown.includes("s3cret"), shown);
      assert.deepEqual(all.body, [corp, renamed.body]);
      assert.equal((await call("DELETE", path, undefined, owner)).status, 200);
      assert.equal((await platform.send("GET", path)).status, 404);
    });

    it("do not send their secret to an issuer that is new", async (t) => {
      const { call, owner, corp } = await openSignIn(t, databases);
      const path = `/identity-providers/${corp.id}`;
      const issuer = "https://evil.example";
      const moved = await call("PUT", path, { issuer }, owner);
      assert.deepEqual([moved.status, moved.body.errors[0].path], [400, "clientSecret"]);
      assert.equal((await call("PUT", path, { issuer, clientSecret: "" }, owner)).body.hasClientSecret, false);
    });

    it("are refused where they cannot work", async (t) => {
      const { call, owner } = await openSignIn(t, databases);
      const statusOf = async (more: object) =>
        (await call("POST", "/identity-providers", { ...okta, ...more }, owner)).status;
      for (const issuer of [
        "ftp://example.com",
        "https://example.com/?a",
        "https://example.com/#a",
        "https://u:p@a.example",
      ])
        assert.equal(await statusOf({ issuer }), 422, issuer);
      for (const slug of ["", "a/b", "A", "-a", "a".repeat(41), "../a"])
        assert.equal(await statusOf({ slug }), 422, slug);
      for (const scopes of ["email", "openid  email", 'openid "x"'])
        assert.equal(await statusOf({ scopes }), 422, scopes);
      for (const domain of ["example", "@example.com", "*.example.com"])
        assert.equal(await statusOf({ domains: [domain] }), 422, domain);
      assert.equal(await statusOf({ defaultRole: "owner" }), 422);
      assert.equal(await statusOf({ signUp: "domains", defaultRole: "viewer" }), 400);
      assert.equal(await statusOf({ signUp: "anyone" }), 400);
      assert.equal(await statusOf({ roleClaim: "groups" }), 400);
      assert.equal(await statusOf({ roleRules: [{ value: "a", role: "viewer" }] }), 400);
      assert.equal(await statusOf({ slug: "corp" }), 409);
      assert.equal(await statusOf({}), 200);
    });

    it("are managed by those alone who may give every role that they give", async (t) => {
      const { call, join, owner } = await openSignIn(t, databases);
      const { token } = await join("admin@corp.example", "admin");
      const { token: editor } = await join("editor@corp.example", "editor");
      assert.equal((await call("POST", "/identity-providers", okta, editor)).status, 403);
      const rulesFor = (role: string) => ({ roleClaim: "groups", roleRules: [{ value: "all", role }] });
      const byAdmin = await call("POST", "/identity-providers", { ...okta, ...rulesFor("admin") }, token);
      assert.equal(byAdmin.status, 200);
      const path = `/identity-providers/${byAdmin.body.id}`;
      assert.equal((await call("PUT", path, rulesFor("owner"), token)).status, 403);
      assert.equal((await call("PUT", path, rulesFor("owner"), owner)).status, 200);
      // It makes owners now: an admin who names its issuer would be one.
      const issuer = { issuer: "https://evil.example", clientSecret: "mine" };
      assert.equal((await call("PUT", path, { ...issuer, ...rulesFor("viewer") }, token)).status, 403);
      assert.equal((await call("DELETE", path, undefined, token)).status, 403);
    });

    it("may come from the environment, and change there alone", async (t) => {
      const { provider } = await openSignIn(t, databases);
      const env = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret };
      const platform = await openTestPlatform(t, databases, { ...env, OIDC_NAME: "Corp" });
      const [given] = await platform.json<IdentityProvider[]>("GET", "/identity-providers");
      assert.deepEqual(
        [given?.slug, given?.name, given?.source, given?.signUp],
        ["sso", "Corp", "environment", "nobody"],
      );
      const path = `/identity-providers/${given?.id}`;
      assert.equal((await platform.send("PUT", path, { name: "Mine" })).status, 409);
      assert.equal((await platform.send("DELETE", path)).status, 409);
      assert.equal((await platform.send("POST", "/identity-providers", { ...okta, slug: "sso" })).status, 409);
      // The operator named its address, which needs no entry in EGRESS_ALLOW.
      const started = await platform.json<{ url: string; token: string }>("POST", "/auth/oidc/sso/start");
      const answer = provider.answer(started.url, { claims: { sub: "ada" } }).toString();
      const { status } = await platform.send("POST", "/auth/oidc/finish", { token: started.token, answer });
      assert.equal(status, 403);
    });
  });
});
