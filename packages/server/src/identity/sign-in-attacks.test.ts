import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { client } from "./testing/scripted-provider.ts";
import { ada, openSignIn } from "./testing/sign-in-bench.ts";

type Answer = { status: number; text: string; body: { code?: string; message?: string } };

const domains = { domains: ["corp.example"], signUp: "domains" as const, defaultRole: "viewer" as const };
const past = () => Math.floor(Date.now() / 1_000) - 3_600;

/** The answer is this error, a sentence, and nothing that a provider wrote. */
function assertRefused({ status, text, body }: Answer, expected: { status: number; code: string; message?: RegExp }) {
  assert.deepEqual([status, body.code], [expected.status, expected.code], text);
  assert.match(body.message ?? "", expected.message ?? /^[A-Z].*\.$/);
  assert.ok(!text.includes("Foreign text") && !text.includes('token":"ey'), text);
}

const refused = { status: 403, code: "sign-in-answer-refused" };
const expired = { status: 403, code: "sign-in-expired" };

await onTestDatabase((databases) => {
  describe("attacks on single sign-on", () => {
    it("1 wrong issuer: in the ID token, and in the provider's document", async (t) => {
      const { signIn, provider, other, addProvider, call } = await openSignIn(t, databases, domains);
      assertRefused(await signIn({ claims: { ...ada, iss: other.issuer } }), { ...refused, message: /another issuer/ });
      other.state.document = { issuer: provider.issuer };
      await addProvider({ slug: "other" }, other);
      assertRefused(await call("POST", "/auth/oidc/other/start"), { ...refused, message: /another issuer/ });
    });

    it("2 wrong audience: for another client, or for several without saying which one it is for", async (t) => {
      const { signIn } = await openSignIn(t, databases, domains);
      assertRefused(await signIn({ claims: { ...ada, aud: "another" } }), refused);
      assertRefused(await signIn({ claims: { ...ada, aud: [client.id, "another"] } }), refused);
      assertRefused(await signIn({ claims: { ...ada, aud: [client.id, "another"], azp: "another" } }), refused);
      assert.equal((await signIn({ claims: { ...ada, aud: [client.id, "another"], azp: client.id } })).status, 200);
    });

    it("3 wrong nonce: of another sign-in, or none", async (t) => {
      const { signIn } = await openSignIn(t, databases, domains);
      assertRefused(await signIn({ claims: { ...ada, nonce: "of another" } }), refused);
      assertRefused(await signIn({ claims: { ...ada, nonce: undefined } }), refused);
    });

    it("4 wrong state: of another sign-in, or none. The sign-in is not used up", async (t) => {
      const { start, finish, provider } = await openSignIn(t, databases, domains);
      const { url, token } = await start();
      const answer = provider.answer(url, { claims: ada });
      const of = (state: string) => new URLSearchParams({ ...Object.fromEntries(answer), state });
      assertRefused(await finish(token, of("")), expired);
      assertRefused(await finish(token, of((await start()).token)), expired);
      assert.equal((await finish(token, answer)).status, 200);
    });

    it("5 expired: the ID token, and a sign-in that took longer than ten minutes", async (t) => {
      const { signIn, start, finish, provider, time } = await openSignIn(t, databases, domains);
      assertRefused(await signIn({ claims: { ...ada, exp: past() } }), { ...refused, message: /has expired/ });
      const { url, token } = await start();
      time.shiftMs = 10 * 60_000 + 1_000;
      assertRefused(await finish(token, provider.answer(url, { claims: ada })), expired);
    });

    it("6 alg: none, and a key that the provider does not publish", async (t) => {
      const { signIn } = await openSignIn(t, databases, domains);
      assertRefused(await signIn({ claims: ada, algorithm: "none" }), refused);
      assertRefused(await signIn({ claims: ada, isForged: true }), refused);
    });

    it("7 key rotation: the new key counts at once, the old one no longer", async (t) => {
      const { signIn, provider, start, finish } = await openSignIn(t, databases, domains);
      assert.equal((await signIn({ claims: ada })).status, 200);
      const before = await start();
      await provider.rotateKeys();
      assert.equal((await finish(before.token, provider.answer(before.url, { claims: ada }))).status, 200);
      assertRefused(await signIn({ claims: ada, isForged: true }), refused);
    });

    it("8 mix-up of two providers: an answer counts for the provider that was asked", async (t) => {
      const { start, finish, provider, other, addProvider } = await openSignIn(t, databases, domains);
      await addProvider({ slug: "evil", name: "Evil", ...domains }, other);
      const { url, token } = await start();
      const answer = provider.answer(url, { claims: ada });
      answer.set("iss", other.issuer);
      assertRefused(await finish(token, answer), refused);
      const evil = await start("evil");
      const stolen = provider.answer(evil.url, { claims: ada });
      assertRefused(await finish(evil.token, stolen), refused);
      stolen.delete("iss");
      assertRefused(await finish((await start("evil")).token, stolen), expired);
      assert.equal(other.requests.filter((path) => path === "/token").length, 0);
    });

    it("9 unverified e-mail address", async (t) => {
      const { signIn, join } = await openSignIn(t, databases, domains);
      assertRefused(await signIn({ claims: { ...ada, email_verified: false } }), {
        status: 403,
        code: "sign-in-no-email",
      });
      await join(ada.email, "editor");
      const taken = { status: 403, code: "sign-in-email-taken" };
      assertRefused(await signIn({ claims: { ...ada, email_verified: false } }), taken);
      assertRefused(await signIn({ claims: { ...ada, email_verified: "yes" } }), taken);
    });

    it("10 take-over by e-mail address: without a claimed domain no address leads to an account", async (t) => {
      const { signIn, join, call } = await openSignIn(t, databases, { signUp: "anyone", defaultRole: "viewer" });
      const { token } = await join(ada.email, "editor");
      assertRefused(await signIn({ claims: ada }), { status: 403, code: "sign-in-email-taken" });
      assert.deepEqual((await call("GET", "/auth/identities", undefined, token)).body, []);
    });

    it("11 replayed code, and a replayed answer", async (t) => {
      const { start, finish, provider } = await openSignIn(t, databases, domains);
      const { url, token } = await start();
      const answer = provider.answer(url, { claims: ada });
      const statuses = (await Promise.all([1, 2, 3].map(() => finish(token, answer)))).map(({ status }) => status);
      assert.deepEqual(statuses.toSorted(), [200, 403, 403]);
      assertRefused(await finish(token, answer), expired);
      const second = await start();
      const replay = new URLSearchParams({ ...Object.fromEntries(answer) });
      replay.set("state", new URL(second.url).searchParams.get("state") ?? "");
      assertRefused(await finish(second.token, replay), { ...refused, message: /used before/ });
    });

    it("12 open redirect: nothing that a caller sends says where the provider leads back to", async (t) => {
      const { platform, call } = await openSignIn(t, databases, domains);
      const ask = (headers: Record<string, string>, path = "corp") =>
        platform.send("POST", `/auth/oidc/${path}/start`, { redirect_uri: "https://evil.example" }, headers);
      const own = await ask({ host: "weft.example", origin: "https://weft.example" });
      const { url } = (await own.json()) as { url: string };
      assert.equal(new URL(url).searchParams.get("redirect_uri"), "https://weft.example/sign-in/corp");
      for (const origin of ["https://evil.example", "https://weft.example.evil.example"])
        assert.equal((await ask({ host: "weft.example", origin })).status, 400, origin);
      for (const slug of ["..%2Fevil", "https:%2F%2Fevil.example", "%2F%2Fevil.example"])
        assert.ok([400, 404].includes((await call("POST", `/auth/oidc/${slug}/start`)).status), slug);
    });

    it("13 login CSRF: an answer counts in the browser alone that asked for it", async (t) => {
      const { platform, provider } = await openSignIn(t, databases, domains);
      const page = {
        host: "weft.example",
        origin: "https://weft.example",
        "x-weft-session": "cookie",
        authorization: "",
      };
      const begun = await platform.send("POST", "/auth/oidc/corp/start", undefined, page);
      const cookie = begun.headers.get("set-cookie") ?? "";
      const { url, token } = (await begun.json()) as { url: string; token: string };
      assert.equal(token, "");
      assert.match(cookie, /^__Host-weft_sign_in=[\w.-]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict; Secure$/);
      const answer = provider.answer(url, { claims: ada }).toString();
      const [pair = ""] = cookie.split(";");
      const value = pair.slice(pair.indexOf("=") + 1);
      // The attacker's own sign-in, in the browser of someone else: with its token in the body, and without.
      for (const body of [{ answer, token: value }, { answer }]) {
        const foreign = await platform.send("POST", "/auth/oidc/finish", body, page);
        assert.deepEqual([foreign.status, foreign.headers.get("set-cookie")], [403, null]);
      }
      const own = await platform.send("POST", "/auth/oidc/finish", { answer }, { ...page, cookie: pair });
      assert.equal(own.status, 200, await own.clone().text());
      assert.match(own.headers.get("set-cookie") ?? "", /^__Host-weft_session=ey[^;]+; .*HttpOnly; SameSite=Strict/);
      assert.equal(((await own.json()) as { token: string }).token, "");
    });

    it("14 group removed: the next sign-in lowers the role of every session", async (t) => {
      const rules = { roleClaim: "groups", roleRules: [{ value: "editors", role: "editor" as const }] };
      const { signIn, call } = await openSignIn(t, databases, { ...domains, ...rules });
      const { token } = (await signIn({ claims: { ...ada, groups: ["editors"] } })).body;
      const create = () => call("POST", "/variables", { name: "x", value: "y" }, token);
      assert.equal((await create()).status, 200);
      assert.equal((await signIn({ claims: { ...ada, groups: [] } })).body.user.role, "viewer");
      assert.equal((await create()).status, 403);
    });

    it("15 provider down: a sentence, and no other way in is affected", async (t) => {
      const { start, finish, provider, call, logIn } = await openSignIn(t, databases, domains);
      const down = {
        status: 503,
        code: "sign-in-provider-unavailable",
        message: /^Corp cannot be used now: .+ Try again/,
      };
      const { url, token } = await start();
      const answer = provider.answer(url, { claims: ada });
      provider.state.isDown = true;
      assertRefused(await finish(token, answer), down);
      assert.notEqual(await logIn("owner@corp.example"), undefined);
      provider.state.isDown = false;
      assert.equal((await call("POST", "/auth/oidc/corp/start")).status, 200);
    });
  });

  describe("what a provider sends", () => {
    it("is never repeated: an error of its own is a code at most", async (t) => {
      const { start, finish, call, corp, owner, provider } = await openSignIn(t, databases, domains);
      const answer = async (error: string) => {
        const { url, token } = await start();
        const state = new URL(url).searchParams.get("state") ?? "";
        const more = { error_description: "Foreign text", error_uri: "https://evil.example/Foreign text" };
        return finish(token, new URLSearchParams({ error, state, iss: provider.issuer, ...more }));
      };
      const cancelled = { status: 403, code: "sign-in-cancelled" };
      assertRefused(await answer("access_denied"), { ...cancelled, message: /with the code access_denied\./ });
      assertRefused(await answer("<b>Foreign text</b>"), { ...cancelled, message: /with the code unknown\./ });
      await call("PUT", `/identity-providers/${corp.id}`, { clientSecret: "wrong" }, owner);
      const { url, token } = await start();
      const wrong = await finish(token, provider.answer(url, { claims: ada }));
      assertRefused(wrong, { status: 503, code: "sign-in-provider-unavailable", message: /client secret/ });
    });

    it("never is an address that runs as a script, or lacks TLS", async (t) => {
      const { addProvider, other, call, time } = await openSignIn(t, databases, domains);
      await addProvider({ slug: "other" }, other);
      for (const address of ["javascript:alert(1)", "data:text/html,x", "http://evil.example/authorize"]) {
        other.state.document = { authorization_endpoint: address };
        time.shiftMs += 11 * 60_000;
        const refusal = await call("POST", "/auth/oidc/other/start");
        assertRefused(refusal, { status: 503, code: "sign-in-provider-unavailable" });
      }
    });

    it("reaches nothing in the network that the operator did not allow", async (t) => {
      const { addProvider, call, provider } = await openSignIn(t, databases, domains);
      const unlisted = { ...provider, issuer: "http://127.0.0.1:9" };
      await addProvider({ slug: "inside" }, unlisted);
      const { status, body } = await call("POST", "/auth/oidc/inside/start");
      assert.deepEqual([status, body.code], [503, "sign-in-provider-unavailable"]);
      assert.match(body.message, /https|EGRESS_ALLOW/);
    });
  });
});
