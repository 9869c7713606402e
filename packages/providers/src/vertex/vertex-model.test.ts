import assert from "node:assert/strict";
import { generateKeyPairSync, verify } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { createEgressClient, createSecretVault } from "@weft/egress";
import { createModelResolver } from "../model-resolver.ts";
import { ask, startVendor } from "../testing/bench.ts";
import type { ScriptStep } from "../testing/script-step.ts";
import { vertexFormat } from "./testing/wire.ts";
import { vertex } from "./vertex.ts";
import { createTokenSource, parseServiceAccount } from "./vertex-fetch.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));

/** Google's server of tokens, which answers with the given ones in turn. */
async function startTokenServer(t: TestContext, answers: { status?: number; body: object }[]) {
  const forms: URLSearchParams[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const answer = answers[forms.push(new URLSearchParams(body)) - 1];
    response.writeHead(answer?.status ?? 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer?.body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return { forms, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token` };
}

const token = (access_token: string) => ({ body: { access_token, expires_in: 3599, token_type: "Bearer" } });

function accountAt(token_uri: string): string {
  const email = "bot@our-project.iam.gserviceaccount.com";
  return JSON.stringify({
    project_id: "our-project",
    client_email: email,
    private_key: pem,
    private_key_id: "k1",
    token_uri,
  });
}

/** A model of a stored service account, behind the real egress client. */
async function open(t: TestContext, answers: { status?: number; body: object }[], ...script: ScriptStep[]) {
  const server = await startVendor(t, vertexFormat, ...script);
  const tokens = await startTokenServer(t, answers);
  const { host } = new URL(server.url);
  const vault = createSecretVault();
  const egress = createEgressClient({ allow: [host, new URL(tokens.url).host], vault });
  t.after(egress.close);
  const bind = (name: string, value: string, hosts: string[]) =>
    vault.placeholderFor(name, { value, name: "Google", hosts });
  const credentials: Record<string, Record<string, string>> = {
    bound: { googleApplicationCredential: bind("a", accountAt(tokens.url), [host]), region: "europe-west4" },
    elsewhere: { googleApplicationCredential: bind("b", accountAt(tokens.url), ["google.example"]) },
    broken: { apiKey: bind("c", '{"type":"service_account"}', [host]), projectID: "own" },
  };
  const resolver = createModelResolver({ defaults: {}, readCredential: async (id) => credentials[id], http: egress });
  const resolve = (credential: string) =>
    resolver.resolve({ provider: "vertex", model: "gemini-2.5-flash", baseUrl: server.url, credential });
  return { server, tokens, resolve };
}

test("a service account signs for a token, which is kept and sent to its project and region", async (t) => {
  const { server, tokens, resolve } = await open(t, [token("ya29.first")], { text: "ok" }, { text: "two" });
  const model = await resolve("bound");
  assert.equal((await ask(model)).text, "ok");
  assert.equal((await ask(model, { onText: () => undefined })).text, "two");
  assert.equal(tokens.forms.length, 1);
  const [head = "", claims = "", signature = ""] = tokens.forms[0]?.get("assertion")?.split(".") ?? [];
  assert.ok(verify("RSA-SHA256", Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, "base64url")));
  const { iss, aud, iat, exp } = JSON.parse(Buffer.from(claims, "base64url").toString());
  assert.deepEqual([iss, aud, exp - iat], ["bot@our-project.iam.gserviceaccount.com", tokens.url, 3600]);
  for (const { path, headers } of server.requests) {
    assert.match(
      path,
      /^\/v1\/projects\/our-project\/locations\/europe-west4\/publishers\/google\/models\/gemini-2\.5-flash:/,
    );
    assert.deepEqual([headers.authorization, headers["x-goog-api-key"]], ["Bearer ya29.first", undefined]);
  }
});

test("an account is used for hosts that it is bound to alone, and a text that is no key says so", async (t) => {
  const { server, tokens, resolve } = await open(t, []);
  await assert.rejects(ask(await resolve("elsewhere")), { code: "credential-host" });
  await assert.rejects(ask(await resolve("broken")), { code: "model-not-configured", message: /Enter the whole file/ });
  assert.deepEqual([server.count(), tokens.forms.length], [0, 0]);
});

test("a refused assertion is a wrong key, and a server of tokens that is down may be asked again", async (t) => {
  const { resolve } = await open(t, [
    { status: 400, body: { error: "invalid_grant", error_description: "Invalid JWT Signature." } },
    { status: 503, body: { error: "unavailable" } },
    { body: { hello: "world" } },
  ]);
  const model = await resolve("bound");
  await assert.rejects(ask(model), { code: "model-unauthorized", retryable: false });
  await assert.rejects(ask(model), { code: "model-unavailable", retryable: true });
  await assert.rejects(ask(model), { code: "model-invalid-answer" });
});

test("a token is renewed a minute before it expires", async (t) => {
  const { url, forms } = await startTokenServer(t, [token("first"), token("second")]);
  const account = parseServiceAccount(accountAt(url));
  assert.ok(account);
  let now = 1_000_000;
  const tokens = createTokenSource(account, { id: "vertex/m", secrets: [] }, () => now);
  const get = () => tokens.get(new AbortController().signal, globalThis.fetch);
  assert.equal(await get(), "first");
  now += 3_538_000;
  assert.equal(await get(), "first");
  now += 2_000;
  assert.equal(await get(), "second");
  assert.equal(forms.length, 2);
});

test("a region is an address, and what is none is not made one", () => {
  assert.equal(vertex.addressOf?.({ region: "us-central1" }), "https://us-central1-aiplatform.googleapis.com");
  assert.equal(vertex.addressOf?.({ region: "global" }), "https://aiplatform.googleapis.com");
  assert.equal(vertex.addressOf?.({ region: "evil.example/" }), undefined);
});
