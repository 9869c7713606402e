import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { parseJson, WeftError } from "@weft/schema";
import { z } from "zod";
import { callVendor } from "../call-vendor.ts";
import type { ChatModelOptions, EmbeddingModelOptions } from "../define-provider.ts";
import { invalidAnswer, type ModelErrorContext } from "../failure/model-failure.ts";

type VertexAccess = Pick<
  ChatModelOptions | EmbeddingModelOptions,
  "apiKey" | "baseUrl" | "credential" | "fetch" | "reveal"
>;

/** Placeholder for everything before `/models/…`, which is only known once the key is read. */
export const placeholderUrl = "https://vertex.invalid";

const globalUrl = "https://aiplatform.googleapis.com";

/**
 * A `fetch` that replaces `placeholderUrl` by Vertex AI: below the project and region of a service account, with its
 * token, or without either by an API key. Rejects with `credential-host` if the account may not be used for the host,
 * and with the codes of the context if it gets no token.
 */
export function createVertexFetch(access: VertexAccess, context: ModelErrorContext): typeof globalThis.fetch {
  const { apiKey = "", baseUrl = globalUrl, credential = {}, fetch, reveal = (key) => key } = access;
  const { host } = new URL(baseUrl);
  let source: { text: string; account: ServiceAccount; tokens: TokenSource } | undefined;

  /** The account is read for each request, so that a revoked key is not used. */
  function openAccount(): typeof source {
    const text = reveal(apiKey, host);
    if (!/^\s*\{/.test(text)) return undefined;
    if (source?.text === text) return source;
    const account = parseServiceAccount(text);
    if (account === undefined) {
      const reason = "its service account is not the JSON of a key. Enter the whole file.";
      const code = context.family === "embedding" ? "embedding-not-configured" : "model-not-configured";
      throw new WeftError(code, { params: { model: context.id, reason } });
    }
    source = { text, account, tokens: createTokenSource(account, context) };
    return source;
  }

  return async (input, init = {}) => {
    const path = String(input instanceof Request ? input.url : input).slice(placeholderUrl.length);
    const headers = new Headers(init.headers);
    const opened = openAccount();
    if (opened === undefined) {
      headers.set("x-goog-api-key", apiKey);
      return fetch(`${baseUrl}/v1/publishers/google${path}`, { ...init, headers });
    }
    const token = await opened.tokens.get(init.signal ?? new AbortController().signal, fetch);
    headers.delete("x-goog-api-key");
    headers.set("authorization", `Bearer ${token}`);
    const project = encodeURIComponent(credential.projectId ?? opened.account.project_id);
    const region = credential.region ?? /^([a-z]+-[a-z]+\d+)-aiplatform\./.exec(host)?.[1] ?? "global";
    const place = `/v1/projects/${project}/locations/${region}/publishers/google`;
    return fetch(baseUrl + place + path, { ...init, headers });
  };
}

const accountSchema = z.object({
  project_id: z.string(),
  client_email: z.string(),
  private_key: z.string(),
  private_key_id: z.string().optional(),
  token_uri: z.url({ protocol: /^https?$/ }).default("https://oauth2.googleapis.com/token"),
});

/** A service account's key, as Google Cloud issues it. */
type ServiceAccount = z.infer<typeof accountSchema> & { key: KeyObject };

/** Parses a key file; undefined if it is not one. */
export function parseServiceAccount(text: string): ServiceAccount | undefined {
  const account = accountSchema.safeParse(parseJson(text)).data;
  if (account === undefined) return undefined;
  try {
    return { ...account, key: createPrivateKey(account.private_key) };
  } catch {
    return undefined;
  }
}

type Token = { text: string; expiresAtMs: number };

/** A token is renewed this long before it expires. */
const marginMs = 60_000;
const lifetimeSeconds = 3_600;

type TokenSource = { get(signal: AbortSignal, fetch: typeof globalThis.fetch): Promise<string> };

/**
 * Bearer tokens of a service account, each kept until it expires. (RFC 7523; Google, "Using OAuth 2.0 for server to
 * server applications".) Rejects as `callVendor`.
 */
export function createTokenSource(
  account: ServiceAccount,
  context: ModelErrorContext,
  now: () => number = Date.now,
): TokenSource {
  let kept: Token | undefined;
  return {
    async get(signal, fetch) {
      if (kept !== undefined && now() < kept.expiresAtMs - marginMs) return kept.text;
      kept = await requestToken({ account, context, nowMs: now() }, signal, fetch);
      return kept.text;
    },
  };
}

const answerSchema = z.object({ access_token: z.string(), expires_in: z.number() });

type Asking = { account: ServiceAccount; context: ModelErrorContext; nowMs: number };

async function requestToken(
  { account, context, nowMs }: Asking,
  signal: AbortSignal,
  fetch: typeof globalThis.fetch,
): Promise<Token> {
  const grant = { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion: toAssertion(account, nowMs) };
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams(grant).toString();
  const request = { url: account.token_uri, headers, body, signal, fetch };
  try {
    return await callVendor(request, context, async (response) => {
      const answer = answerSchema.safeParse(parseJson(await response.text())).data;
      if (answer === undefined) throw invalidAnswer("it has no token", context.family);
      return { text: answer.access_token, expiresAtMs: nowMs + answer.expires_in * 1_000 };
    });
  } catch (error) {
    // Google refuses a wrong assertion with 400, although the key is at fault.
    if (!(error instanceof WeftError) || error.upstream?.status !== 400) throw error;
    const params = { status: 400, reason: "the token was refused", model: context.id };
    throw new WeftError(`${context.family ?? "model"}-unauthorized`, { params, upstream: error.upstream });
  }
}

/** A JWT that identifies the account, signed with RS256. */
function toAssertion({ client_email, private_key_id, token_uri, key }: ServiceAccount, nowMs: number): string {
  const iat = Math.floor(nowMs / 1_000);
  const scope = "https://www.googleapis.com/auth/cloud-platform";
  const header = { alg: "RS256", typ: "JWT", ...(private_key_id && { kid: private_key_id }) };
  const claims = { iss: client_email, scope, aud: token_uri, iat, exp: iat + lifetimeSeconds };
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), key).toString("base64url")}`;
}
