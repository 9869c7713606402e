import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { ada, openSignIn, password } from "./testing/sign-in-bench.ts";

const byDomain = { domains: ["corp.example"], signUp: "domains", defaultRole: "viewer" } as const;
const byGroups = {
  ...byDomain,
  roleClaim: "groups",
  roleRules: [
    { value: "weft-admins", role: "admin" },
    { value: "weft-editors", role: "editor" },
  ],
} as const;
const rules = { ...byGroups, domains: [...byDomain.domains], roleRules: [...byGroups.roleRules] };
const domains = { ...byDomain, domains: [...byDomain.domains] };

await onTestDatabase((databases) => {
  describe("signing in at a provider", () => {
    it("makes an account on the first sign-in, and finds it again by the provider's subject alone", async (t) => {
      const { signIn, call } = await openSignIn(t, databases, domains);
      const first = await signIn({ claims: ada });
      assert.equal(first.status, 200, first.text);
      const { email, name, role, id } = first.body.user;
      assert.deepEqual([email, name, role], ["ada@corp.example", "Ada", "viewer"]);
      assert.equal((await call("GET", "/auth/me", undefined, first.body.token)).body.user.id, id);
      const renamed = await signIn({ claims: { ...ada, email: "lovelace@corp.example" } });
      assert.deepEqual([renamed.body.user.id, renamed.body.user.email], [id, "ada@corp.example"]);
      const login = await call("POST", "/auth/login", { email, password: "" });
      assert.equal(login.status, 422);
      const guess = await call("POST", "/auth/login", { email, password });
      assert.deepEqual([guess.status, guess.body.code], [401, "login-failed"]);
    });

    it("asks with PKCE, state and nonce, and leads back to the page of the provider", async (t) => {
      const { start, provider } = await openSignIn(t, databases, domains);
      const { searchParams, origin, pathname } = new URL((await start()).url);
      assert.equal(`${origin}${pathname}`, `${provider.issuer}/authorize`);
      const asked = Object.fromEntries(searchParams);
      assert.equal(asked.redirect_uri, "http://platform/sign-in/corp");
      assert.deepEqual([asked.response_type, asked.code_challenge_method], ["code", "S256"]);
      for (const name of ["state", "nonce", "code_challenge"] as const) assert.equal(asked[name]?.length, 43, name);
      assert.equal(new Set([asked.state, asked.nonce, asked.code_challenge]).size, 3);
    });

    it("turns away who has no account where accounts are made for nobody", async (t) => {
      const { signIn, call, owner } = await openSignIn(t, databases);
      const { status, body } = await signIn({ claims: ada });
      assert.deepEqual([status, body.code], [403, "sign-in-no-account"]);
      assert.match(body.message, /owner or admin of this installation can invite you/);
      assert.equal((await call("GET", "/accounts", undefined, owner)).body.length, 1);
    });

    it("makes accounts by domain for verified addresses of the domain alone", async (t) => {
      const { signIn } = await openSignIn(t, databases, domains);
      const codeOf = async (claims: object) => (await signIn({ claims: { ...ada, ...claims } })).body.code;
      assert.equal(await codeOf({ sub: "1", email: "eve@other.example" }), "sign-in-no-account");
      assert.equal(await codeOf({ sub: "2", email: "eve@corp.example.evil.example" }), "sign-in-no-account");
      assert.equal(await codeOf({ sub: "3", email: "eve@evil.example, eve@corp.example" }), "sign-in-no-account");
      assert.equal(await codeOf({ sub: "4", email_verified: false }), "sign-in-no-email");
      assert.equal(await codeOf({ sub: "5", email_verified: undefined }), "sign-in-no-email");
    });

    it("accepts anyone of a provider whose settings say so, if it names an address", async (t) => {
      const { signIn } = await openSignIn(t, databases, { signUp: "anyone", defaultRole: "viewer" });
      const unsaid = await signIn({ claims: { sub: "1", email: "kim@else.example" } });
      assert.equal(unsaid.status, 200, unsaid.text);
      const denied = await signIn({ claims: { sub: "2", email: "lee@else.example", email_verified: false } });
      assert.equal(denied.body.code, "sign-in-no-email");
      assert.equal((await signIn({ claims: { sub: "3" } })).body.code, "sign-in-no-email");
    });

    it("reads what the ID token leaves out from the provider's description of the person", async (t) => {
      const { signIn, provider } = await openSignIn(t, databases, rules);
      provider.state.userInfo = { ...ada, groups: ["weft-editors"] };
      assert.equal((await signIn({ claims: { sub: "ada" } })).body.user.role, "editor");
      provider.state.userInfo = { ...ada, sub: "eve", groups: ["weft-admins"] };
      const swapped = await signIn({ claims: { sub: "ada" } });
      assert.deepEqual([swapped.status, swapped.body.code], [403, "sign-in-answer-refused"]);
    });

    it("lists what the sign-in page offers, without anything of the settings", async (t) => {
      const { call, addProvider, other } = await openSignIn(t, databases, domains);
      await addProvider({ slug: "off", name: "Off", isEnabled: false }, other);
      assert.deepEqual((await call("GET", "/auth/oidc")).body, { providers: [{ slug: "corp", name: "Corp" }] });
      assert.equal((await call("POST", "/auth/oidc/off/start")).status, 404);
    });
  });

  describe("roles by claims", () => {
    it("follow the groups at each sign-in, in every session of the account", async (t) => {
      const { signIn, call } = await openSignIn(t, databases, rules);
      const admin = await signIn({ claims: { ...ada, groups: ["weft-editors", "weft-admins", "other"] } });
      assert.equal(admin.body.user.role, "admin");
      const lowered = await signIn({ claims: { ...ada, groups: ["weft-editors"] } });
      assert.equal(lowered.body.user.role, "editor");
      const { body } = await call("GET", "/auth/me", undefined, admin.body.token);
      assert.deepEqual([body.user.role, body.permissions.includes("people:write")], ["editor", false]);
      assert.equal((await signIn({ claims: ada })).body.user.role, "viewer");
    });

    it("let nobody in who has lost the last group with a role, and end their sessions", async (t) => {
      const { signIn, call } = await openSignIn(t, databases, { ...rules, defaultRole: null });
      const { token } = (await signIn({ claims: { ...ada, groups: ["weft-editors"] } })).body;
      const refused = await signIn({ claims: { ...ada, groups: ["other"] } });
      assert.deepEqual([refused.status, refused.body.code], [403, "sign-in-no-role"]);
      assert.equal((await call("GET", "/auth/me", undefined, token)).status, 401);
    });

    it("are found by a path, and by a name with dots", async (t) => {
      const { signIn, call, corp, owner } = await openSignIn(t, databases, { ...rules, roleClaim: "realm.roles" });
      const claims = { ...ada, realm: { roles: ["weft-editors"] } };
      assert.equal((await signIn({ claims })).body.user.role, "editor");
      const roleClaim = "https://corp.example/roles";
      assert.equal((await call("PUT", `/identity-providers/${corp.id}`, { roleClaim }, owner)).status, 200);
      assert.equal((await signIn({ claims: { ...ada, [roleClaim]: "weft-admins" } })).body.user.role, "admin");
    });

    it("never take the role of the last owner, nor of an owner where the provider gives nobody that role", async (t) => {
      const bench = await openSignIn(t, databases, rules);
      const { call, owner, provider, join, signIn, corp } = bench;
      const connect = async (bearer: string, sub: string) => {
        const { body } = await call("POST", "/auth/identities/corp/start", undefined, bearer);
        const answer = provider.answer(body.url, { claims: { sub } }).toString();
        const connected = await call("POST", "/auth/identities", { token: body.token, answer }, bearer);
        assert.equal(connected.status, 200, connected.text);
      };
      await connect(owner, "the-owner");
      const second = await join("grace@corp.example", "owner");
      await connect(second.token, "grace");
      const roleOf = async (sub: string) =>
        (await signIn({ claims: { sub, groups: ["weft-editors"] } })).body.user.role;
      assert.equal(await roleOf("grace"), "owner");
      const roleRules = [...rules.roleRules, { value: "weft-owners", role: "owner" }];
      assert.equal((await call("PUT", `/identity-providers/${corp.id}`, { roleRules }, owner)).status, 200);
      assert.equal(await roleOf("grace"), "editor");
      assert.equal(await roleOf("the-owner"), "owner");
    });
  });

  describe("accounts that exist", () => {
    it("are given to a verified address of a claimed domain, except owners'", async (t) => {
      const { signIn, join } = await openSignIn(t, databases, { domains: ["corp.example"] });
      const joined = await join("ada@corp.example", "editor");
      const { body } = await signIn({ claims: ada });
      assert.deepEqual([body.user.id, body.user.role], [joined.user.id, "editor"]);
      const owner = await signIn({ claims: { ...ada, sub: "eve", email: "owner@corp.example" } });
      assert.deepEqual([owner.status, owner.body.code], [403, "sign-in-email-taken"]);
    });

    it("are connected by their owners, shown, and disconnected", async (t) => {
      const { signIn, join, call, provider } = await openSignIn(t, databases);
      const { token, user } = await join("ada@home.example", "editor");
      const started = (await call("POST", "/auth/identities/corp/start", undefined, token)).body;
      const answer = provider.answer(started.url, { claims: ada }).toString();
      const connected = await call("POST", "/auth/identities", { token: started.token, answer }, token);
      assert.deepEqual([connected.body.provider, connected.body.email], ["Corp", "ada@corp.example"]);
      assert.equal((await signIn({ claims: ada })).body.user.id, user.id);
      const listed = (await call("GET", "/auth/identities", undefined, token)).body;
      assert.deepEqual(
        listed.map(({ id }: { id: string }) => id),
        [connected.body.id],
      );
      const stranger = await join("eve@home.example", "admin");
      const path = `/auth/identities/${connected.body.id}`;
      assert.equal((await call("DELETE", path, undefined, stranger.token)).status, 404);
      assert.equal((await call("DELETE", path, undefined, token)).status, 200);
      assert.equal((await signIn({ claims: ada })).body.code, "sign-in-no-account");
    });

    it("keep the one way in that they have", async (t) => {
      const { signIn, call } = await openSignIn(t, databases, domains);
      const { token } = (await signIn({ claims: ada })).body;
      const [{ id }] = (await call("GET", "/auth/identities", undefined, token)).body;
      const { status, body } = await call("DELETE", `/auth/identities/${id}`, undefined, token);
      assert.deepEqual([status, body.code], [409, "conflict"]);
      assert.match(body.message, /only way for you to sign in/);
    });

    it("lose what they signed in with when they are removed", async (t) => {
      const { signIn, call, owner } = await openSignIn(t, databases, domains);
      const { user } = (await signIn({ claims: ada })).body;
      assert.equal((await call("DELETE", `/accounts/${user.id}`, undefined, owner)).status, 200);
      assert.notEqual((await signIn({ claims: ada })).body.user.id, user.id);
    });
  });

  describe("the trial of a provider", () => {
    it("shows the claims and the role that they give, and signs nobody in", async (t) => {
      const { call, owner, provider, corp } = await openSignIn(t, databases, { ...rules, isEnabled: false });
      const started = (await call("POST", `/identity-providers/${corp.id}/trial`, undefined, owner)).body;
      const answer = provider.answer(started.url, { claims: { ...ada, groups: ["weft-editors"] } }).toString();
      const given = { token: started.token, answer };
      assert.equal((await call("POST", "/auth/oidc/finish", given)).body.code, "sign-in-expired");
      const { body } = await call("POST", "/identity-providers/trial", given, owner);
      assert.deepEqual([body.role, body.claims.email, body.token], ["editor", ada.email, undefined]);
      assert.equal((await call("GET", "/accounts", undefined, owner)).body.length, 1);
    });
  });
});
