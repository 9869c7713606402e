import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { parseJson, WeftError } from "@weft/schema";
import { z } from "zod";
import { callVendor } from "../call-vendor.ts";
import { invalidAnswer, type ModelErrorContext } from "../failure/model-failure.ts";

const accountSchema = z.object({
  project_id: z.string(),
  client_email: z.string(),
  private_key: z.string(),
  private_key_id: z.string().optional(),
  token_uri: z.url({ protocol: /^https?$/ }).default("https://oauth2.googleapis.com/token"),
});

/** A service account's key, as Google Cloud issues it. */
export type ServiceAccount = z.infer<typeof accountSchema> & { key: KeyObject };

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

export type TokenSource = { get(signal: AbortSignal, fetch: typeof globalThis.fetch): Promise<string> };

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
