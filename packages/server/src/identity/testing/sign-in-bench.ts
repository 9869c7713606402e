import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { systemClock } from "@weft/run-host";
import type {
  IdentityProvider,
  IdentityProviderCreate,
  NewAccountLink,
  Role,
  Session,
  SignInStart,
} from "@weft/schema";
import type { TestDatabases } from "../../../../database/src/testing/test-databases.ts";
import { openTestPlatform } from "../../testing/test-platform.ts";
import { client, type ScriptedProvider, startScriptedProvider, type Told } from "./scripted-provider.ts";

export const password = "a good long password";

/** A platform with an owner, and a scripted provider that it knows as `corp`. */
export async function openSignIn(
  t: TestContext,
  databases: Pick<TestDatabases, "createTestStorage">,
  settings: Partial<IdentityProviderCreate> = {},
) {
  const provider = await startScriptedProvider(t);
  const other = await startScriptedProvider(t);
  const time = { shiftMs: 0 };
  const clock = { ...systemClock, now: () => systemClock.now() + time.shiftMs };
  const allowed = [provider, other].map(({ issuer }) => new URL(issuer).host).join(",");
  const env = { EGRESS_ALLOW: allowed, ADMIN_EMAIL: "owner@corp.example", ADMIN_PASSWORD: password };
  const platform = await openTestPlatform(t, databases, env, { clock });

  /** Sends a request as the bearer; nobody without one. */
  async function call(method: string, path: string, body?: unknown, bearer = "") {
    const headers = { "content-type": "application/json", ...(bearer && { authorization: `Bearer ${bearer}` }) };
    const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await platform.fetch(new Request(`http://platform/api/v1${path}`, request));
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what came over the wire
    return { status: response.status, text, body: (text === "" ? undefined : JSON.parse(text)) as any };
  }

  const logIn = async (email: string): Promise<string> => {
    const { body } = await call("POST", "/auth/login", { email, password });
    return body.token;
  };
  const owner = await logIn(env.ADMIN_EMAIL);

  async function addProvider(more: Partial<IdentityProviderCreate> = {}, at: ScriptedProvider = provider) {
    const secret = { clientId: client.id, clientSecret: client.secret };
    const made = { slug: "corp", name: "Corp", issuer: at.issuer, ...secret, ...more };
    const { status, body, text } = await call("POST", "/identity-providers", made, owner);
    assert.equal(status, 200, text);
    return body as IdentityProvider;
  }
  const corp = await addProvider(settings);

  /** Someone joins with an invitation. */
  async function join(email: string, role: Role): Promise<Session> {
    const invited = await call("POST", "/invitations", { email, role }, owner);
    const { token } = invited.body as NewAccountLink;
    return (await call("POST", "/invitations/accept", { token, password })).body;
  }

  async function start(slug = "corp"): Promise<SignInStart> {
    const { status, body, text } = await call("POST", `/auth/oidc/${slug}/start`);
    assert.equal(status, 200, text);
    return body;
  }
  const finish = (token: string, answer: URLSearchParams) =>
    call("POST", "/auth/oidc/finish", { token, answer: answer.toString() });

  /** The whole way, with someone at the provider whose ID token says this. */
  async function signIn(told: Told = {}, slug = "corp", at = provider) {
    const { url, token } = await start(slug);
    return finish(token, at.answer(url, told));
  }

  return { platform, provider, other, time, call, owner, logIn, corp, addProvider, join, start, finish, signIn };
}

/** What an ID token says of someone with a verified address. */
export const ada = { sub: "ada", email: "ada@corp.example", email_verified: true, name: "Ada" };
