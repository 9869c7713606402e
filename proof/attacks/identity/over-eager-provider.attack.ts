import assert from "node:assert/strict";
import {
  client,
  type ScriptedProvider,
  startScriptedProvider,
  type Told,
} from "../../../packages/server/src/identity/testing/scripted-provider.ts";
import type { Caller } from "../house/caller.ts";
import { defineAttack } from "../house/define-attack.ts";
import { joinTeam } from "../house/join-team.ts";
import type { House } from "../house/open-house.ts";

/** Begins a sign-in, has the provider say this, and sends its answer with the changes. */
async function signIn(house: House, provider: ScriptedProvider, told: Told, changes: Record<string, string> = {}) {
  const visitor = house.visitor();
  const begun = await visitor.send("POST", "/api/v1/auth/oidc/evil/start");
  const { url, token } = begun.json<{ url: string; token: string }>();
  const answer = provider.answer(url, told);
  for (const [name, value] of Object.entries(changes)) answer.set(name, value);
  const sent = { token, answer: answer.toString() };
  const { status, text } = await visitor.send("POST", "/api/v1/auth/oidc/finish", sent);
  return { status, text, sent };
}

async function setUp(admin: Caller, provider: ScriptedProvider, more: object) {
  const secret = { clientId: client.id, clientSecret: client.secret };
  const body = { slug: "evil", name: "Evil", issuer: provider.issuer, ...secret, ...more };
  return admin.send("POST", "/api/v1/identity-providers", body);
}

export const attack = defineAttack({
  name: "a provider of single sign-on, and the admin who set it up, speak for an owner, for others and for nobody",
  async run(house) {
    const ends: (() => Promise<void>)[] = [];
    const provider = await startScriptedProvider({ after: (end) => void ends.push(end) }, house.takePort());
    const canary = house.plant();
    try {
      const owner = await joinTeam(house, "owner");
      const { email } = await house.owner<{ email: string }>("GET", `/accounts/${owner.id}`);
      const admin = await joinTeam(house, "admin");
      const toOwner = { roleClaim: "groups", roleRules: [{ value: "all", role: "owner" }] };
      assert.equal((await setUp(admin.caller, provider, toOwner)).status, 403, "An admin set up a way to be owner.");
      const settings = { domains: ["example.com"], signUp: "domains", defaultRole: "admin" };
      assert.equal((await setUp(admin.caller, provider, settings)).status, 200);

      const claims = { sub: "eve", email: "eve@example.com", email_verified: true };
      const honest = await signIn(house, provider, { claims });
      assert.equal(honest.status, 200, `The provider signs nobody in: ${honest.text}`);
      const lies: [Told, Record<string, string>?][] = [
        [{ claims: { ...claims, sub: "owner", email } }],
        [{ claims: { ...claims, iss: "https://accounts.google.com" } }],
        [{ claims: { ...claims, aud: "another" } }],
        [{ claims: { ...claims, nonce: "of another" } }],
        [{ claims: { ...claims, exp: 1 } }],
        [{ claims, algorithm: "none" }],
        [{ claims, isForged: true }],
        [{ claims }, { state: "of another" }],
        [{ claims }, { iss: "https://accounts.google.com" }],
        [{ claims }, { error: canary, error_description: canary }],
      ];
      for (const [told, changes] of lies) {
        const { status, text } = await signIn(house, provider, told, changes);
        assert.ok(status === 403, `${JSON.stringify([told, changes])}: ${status} ${text}`);
      }
      const replayed = await house.visitor().send("POST", "/api/v1/auth/oidc/finish", honest.sent);
      assert.equal(replayed.status, 403, "An answer signs in twice.");
      const { role } = await house.owner<{ role: string }>("GET", `/accounts/${owner.id}`);
      assert.equal(role, "owner");
      return `One honest sign-in succeeded; ${lies.length} lies, a replay and a rule that makes owners were refused.`;
    } finally {
      for (const end of ends) await end();
    }
  },
});
