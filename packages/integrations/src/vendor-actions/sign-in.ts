import { credentialHeaders } from "@weft/engine/http";
import type { ToolContext } from "@weft/engine/ports/tool";
import {
  type CredentialField,
  type CredentialType,
  type CredentialValues,
  parseJson,
  readCredentialField,
  WeftError,
} from "@weft/schema";

import { z } from "zod";

/** Authentication with a vendor. */
export type SignIn = {
  /** The accepted credential, as in `an API key`. */
  takes: string;
  /** Undefined for another type of credential. */
  read(fields: CredentialValues): Signature | undefined;
  /**
   * Its own credential type, whose `host`, if any, may receive the credential beside the API's. Absent: a type of HTTP
   * calls.
   */
  credential?: Pick<CredentialType, "name" | "fields"> & { host?: string };
};

export type Signature = {
  /** Whether a new signature may succeed after a rejected one. */
  isRenewable: boolean;
  /** Headers of a call; new ones after a rejection. Rejects with an `Error` that explains why there are none. */
  headers(context: ToolContext, renew: boolean): Promise<Record<string, string>>;
  /** What signs a call in front of its path, such as `/bot123`. Traces omit it. Default: nothing. */
  path?: string;
};

/** Sign-in happens elsewhere: the tokens are entered here, or imported. */
const oAuthFields: readonly CredentialField[] = [
  { name: "clientId", title: "Client ID", secret: false, required: true },
  { name: "clientSecret", title: "Client secret", secret: true, required: false },
  { name: "refresh_token", title: "Refresh token", secret: true, required: true },
  {
    name: "accessTokenUrl",
    title: "Access token URL",
    help: "Only where it is another than the vendor's, as for one tenant of Microsoft.",
    secret: false,
    required: false,
  },
];

/** On behalf of a person (RFC 6749), with tokens granted by `tokenUrl` to credentials of the type `name`. */
export function oAuth(name: string, tokenUrl: string): SignIn {
  return {
    credential: { name, fields: oAuthFields, host: new URL(tokenUrl).host },
    takes: "an OAuth 2 credential with a client and a refresh token",
    read(fields) {
      const tokens = readAccessTokens(fields, tokenUrl);
      return (
        tokens && {
          isRenewable: true,
          headers: async (context, renew) => ({ authorization: `Bearer ${await tokens.get(context, renew)}` }),
        }
      );
    },
  };
}

/** With the credential's headers. */
export function withHeadersOf(takes: string): SignIn {
  return {
    takes,
    read(fields) {
      try {
        const headers = credentialHeaders(fields);
        return { isRenewable: false, headers: async () => headers };
      } catch (error) {
        if (error instanceof WeftError) return undefined;
        throw error;
      }
    },
  };
}

/** With the token of a bot in front of each path, as in `/bot123:abc/sendMessage`, in credentials of the type `name`. */
export function tokenInPath({ name, field, takes }: { name: string; field: string; takes: string }): SignIn {
  return {
    takes,
    credential: { name, fields: [{ name: field, title: "Bot token", secret: true, required: true }] },
    read(fields) {
      const token = readCredentialField({ name: field }, fields);
      if (token === undefined) return undefined;
      return { isRenewable: false, headers: async () => ({}), path: `/bot${encodeURIComponent(token.trim())}` };
    },
  };
}

/** Access to a vendor's API on behalf of a person (RFC 6749). */
type AccessTokens = {
  /**
   * A currently valid token. `renew`: the vendor rejected the last one. Rejects with an `Error` whose message contains
   * the vendor's answer.
   */
  get(context: ToolContext, renew: boolean): Promise<string>;
};

type Token = { value: string; validUntil: number };

const answerSchema = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().min(0).default(3_600) });
const errorSchema = z.object({ error: z.string(), error_description: z.string().optional() });

/** Tokens are renewed this long before expiry, so that none expires in transit. */
const marginMs = 60_000;
const maxKept = 1_000;
/** By what they were asked for with; the one first asked for goes first. The secrets in it are placeholders. */
const kept = new Map<string, Token>();

/**
 * Reads OAuth 2 credential fields: `refresh_token` with `clientId` and `clientSecret`, or only an `access_token`, which
 * expires at its vendor's discretion. Undefined without either.
 */
function readAccessTokens(fields: CredentialValues, vendorUrl: string): AccessTokens | undefined {
  const read = (name: string) => readCredentialField({ name }, fields);
  const [clientId, clientSecret, refreshToken] = [read("clientId"), read("clientSecret"), read("refresh_token")];
  const url = read("accessTokenUrl") ?? vendorUrl;
  if (clientId !== undefined && refreshToken !== undefined) {
    const asked = { grant_type: "refresh_token", client_id: clientId, refresh_token: refreshToken };
    const body = new URLSearchParams({ ...asked, ...(clientSecret && { client_secret: clientSecret }) }).toString();
    return { get: (context, renew) => getToken({ url, body }, context, renew) };
  }
  const token = read("access_token");
  return token === undefined ? undefined : { get: async () => token };
}

type TokenRequest = { url: string; body: string };

async function getToken(request: TokenRequest, context: ToolContext, renew: boolean): Promise<string> {
  const key = `${request.url}\n${request.body}`;
  const known = kept.get(key);
  if (known !== undefined && !renew && performance.now() < known.validUntil) return known.value;
  const token = await askForToken(request, context);
  kept.delete(key);
  kept.set(key, token);
  if (kept.size > maxKept) kept.delete(kept.keys().next().value ?? "");
  return token.value;
}

/** RFC 6749, 6. */
async function askForToken({ url, body }: TokenRequest, { http, signal }: ToolContext): Promise<Token> {
  const response = await http.request({
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body,
    timeoutMs: 30_000,
    maxBytes: 100_000,
    onTooLarge: "truncate",
    signal,
  });
  const answer = parseJson(new TextDecoder().decode(response.body));
  const granted = answerSchema.safeParse(answer);
  if (granted.success) {
    const { access_token: value, expires_in: seconds } = granted.data;
    return { value, validUntil: performance.now() + seconds * 1_000 - marginMs };
  }
  const refused = errorSchema.safeParse(answer).data;
  const reason = refused === undefined ? `status ${response.status}` : (refused.error_description ?? refused.error);
  throw new Error(
    `${new URL(url).host} gave no access token (${reason.slice(0, 300)}). Sign in again and enter the new refresh token in the credential.`,
  );
}
