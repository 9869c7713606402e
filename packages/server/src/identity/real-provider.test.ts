import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import type { Session, SignInStart } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform } from "../testing/test-platform.ts";
import { client } from "./testing/scripted-provider.ts";

const program = fileURLToPath(new URL("testing/oidc-provider-process.mjs", import.meta.url));
const redirectUri = "http://platform/sign-in/corp";

/** `oidc-provider` in a process of its own. In it everybody is an editor, at first. */
async function startProvider(t: TestContext) {
  const child = spawn(process.execPath, [program, client.id, client.secret, redirectUri], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  t.after(async () => {
    const ended = once(child, "exit");
    child.stdin.end();
    await ended;
  });
  const [issuer] = (await once(createInterface(child.stdout), "line")) as [string];
  return { issuer, setGroup: (group: string) => child.stdin.write(`${group}\n`) };
}

/** A browser at the provider: signs in as someone, agrees, and stops where the provider leads back. */
function createBrowser() {
  const cookies = new Map<string, string>();

  async function visit(url: string, form?: Record<string, string>): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie },
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  return async function signIn(url: string, login: string): Promise<URLSearchParams> {
    let response = await visit(url);
    for (let step = 0; step < 20; step += 1) {
      const location = response.headers.get("location");
      if (location?.startsWith(redirectUri)) return new URL(location).searchParams;
      const at = new URL(location ?? response.url, url).href;
      if (location !== null) {
        response = await visit(at);
        continue;
      }
      const page = await response.text();
      const action = /action="([^"]+)"/.exec(page)?.[1];
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
      assert.ok(action && prompt, page.slice(0, 2_000));
      response = await visit(new URL(action, at).href, { prompt, login, password: "any" });
    }
    throw new Error("The provider does not lead back.");
  };
}

await onTestDatabase((databases) => {
  describe("a real provider", () => {
    it("signs someone in with PKCE, with the role of their groups, and exchanges a code once", async (t) => {
      const { issuer, setGroup } = await startProvider(t);
      const platform = await openTestPlatform(t, databases, {
        EGRESS_ALLOW: new URL(issuer).host,
        ADMIN_EMAIL: "owner@corp.example",
        ADMIN_PASSWORD: "a good long password",
      });
      await platform.json("POST", "/identity-providers", {
        ...{ slug: "corp", name: "Corp", issuer, clientId: client.id, clientSecret: client.secret },
        ...{
          scopes: "openid email profile groups",
          domains: ["corp.example"],
          signUp: "domains",
          defaultRole: "viewer",
        },
        ...{ roleClaim: "groups", roleRules: [{ value: "editors", role: "editor" }] },
      });
      const signIn = createBrowser();
      const begin = () => platform.json<SignInStart>("POST", "/auth/oidc/corp/start");
      const first = await begin();
      const answer = (await signIn(first.url, "ada")).toString();
      const { user } = await platform.json<Session>("POST", "/auth/oidc/finish", { token: first.token, answer });
      assert.deepEqual([user.email, user.name, user.role], ["ada@corp.example", "ada", "editor"]);

      const second = await begin();
      const replay = new URLSearchParams(answer);
      replay.set("state", new URL(second.url).searchParams.get("state") ?? "");
      const sent = { token: second.token, answer: replay.toString() };
      const refused = await platform.send("POST", "/auth/oidc/finish", sent);
      assert.equal(refused.status, 403);
      assert.equal(((await refused.json()) as { code: string }).code, "sign-in-answer-refused");

      setGroup("visitors");
      const third = await begin();
      const again = (await createBrowser()(third.url, "ada")).toString();
      const lowered = await platform.json<Session>("POST", "/auth/oidc/finish", { token: third.token, answer: again });
      assert.deepEqual([lowered.user.id, lowered.user.role], [user.id, "viewer"]);
    });
  });
});
