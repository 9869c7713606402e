import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import type { CleanUp } from "../../../../database/src/testing/test-databases.ts";

/** What an ID token says, or lies. `algorithm` and `key`: how it is signed. */
export type Told = {
  claims?: Record<string, unknown>;
  algorithm?: "none";
  /** A key that the provider does not publish. */
  isForged?: boolean;
};

export const client = { id: "weft", secret: "s3cret of the client: %&" };

type Code = Told & { challenge: string; redirectUri: string; nonce: string };

/**
 * A provider over real HTTP that says what a test wants: real providers do not lie. The test is the browser, which asks
 * it for a code with `answer`. `port`: default a free one.
 */
export async function startScriptedProvider(t: CleanUp, port = 0) {
  const codes = new Map<string, Code>();
  const state = {
    isDown: false,
    document: {} as Record<string, unknown>,
    userInfo: {} as Record<string, unknown>,
    /** The claims of whoever comes to it with a browser. */
    visitor: {} as Record<string, unknown>,
  };
  let keys = await createKeys("first");
  const forged = await createKeys("first");
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  t.after(async () => {
    server.close().closeAllConnections();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", issuer);
    const path = url.pathname;
    requests.push(path);
    if (path === "/authorize") {
      const back = `${url.searchParams.get("redirect_uri")}?${answerTo(url.href, { claims: state.visitor })}`;
      response.writeHead(303, { location: back }).end();
      return;
    }
    const answer = state.isDown ? undefined : await find(path, request);
    response.writeHead(answer?.status ?? 500, { "content-type": "application/json" });
    response.end(JSON.stringify(answer?.body ?? {}));
  }

  async function find(path: string, request: IncomingMessage) {
    if (path === "/.well-known/openid-configuration") return { status: 200, body: describe(issuer, state.document) };
    if (path === "/keys") return { status: 200, body: { keys: [keys.published] } };
    if (path === "/userinfo") return { status: 200, body: { sub: readSubject(request), ...state.userInfo } };
    return path === "/token" ? exchange(request) : undefined;
  }

  async function exchange(request: IncomingMessage) {
    const form = new URLSearchParams(await text(request));
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const basic = [client.id, client.secret].map((part) => encodeURIComponent(part).replaceAll("%20", "+")).join(":");
    if (request.headers.authorization !== `Basic ${btoa(basic)}`) return refusal("invalid_client", 401);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (code?.challenge !== challenge || code.redirectUri !== form.get("redirect_uri")) return refusal("invalid_grant");
    const access = { access_token: btoa(String(code.claims?.sub ?? "ada")), token_type: "Bearer", expires_in: 60 };
    return { status: 200, body: { ...access, id_token: await sign(code) } };
  }

  function sign({ claims, nonce, algorithm, isForged }: Code): Promise<string> | string {
    const now = Math.floor(Date.now() / 1_000);
    const payload = { iss: issuer, aud: client.id, nonce, iat: now, exp: now + 60, sub: "ada", ...claims };
    const { privateKey } = isForged ? forged : keys;
    if (algorithm === "none") return new UnsecuredJWT(payload).encode();
    return new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid: keys.published.kid }).sign(privateKey);
  }

  function answerTo(url: string, told: Told = {}): URLSearchParams {
    const asked = new URL(url).searchParams;
    const code = randomBytes(16).toString("hex");
    const [challenge = "", redirectUri = "", nonce = ""] = ["code_challenge", "redirect_uri", "nonce"].map(
      (name) => asked.get(name) ?? "",
    );
    codes.set(code, { ...told, challenge, redirectUri, nonce });
    return new URLSearchParams({ code, state: asked.get("state") ?? "", iss: issuer });
  }

  return {
    issuer,
    state,
    requests,
    /** The browser at the provider: someone signs in, and it leads back with this query. */
    answer: answerTo,
    /** From now on it signs with another key, and publishes that one alone. */
    async rotateKeys() {
      keys = await createKeys("second");
    },
  };
}

export type ScriptedProvider = Awaited<ReturnType<typeof startScriptedProvider>>;

/** The access token is the subject, encoded. */
function readSubject({ headers }: IncomingMessage): string {
  return atob(headers.authorization?.replace("Bearer ", "") ?? "");
}

async function createKeys(kid: string): Promise<{ privateKey: CryptoKey; published: { kid: string } }> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  return { privateKey, published: { ...(await exportJWK(publicKey)), kid } };
}

function describe(issuer: string, more: Record<string, unknown>) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
    authorization_response_iss_parameter_supported: true,
    ...more,
  };
}

function refusal(error: string, status = 400) {
  return { status, body: { error, error_description: "<b>Foreign text</b>" } };
}
