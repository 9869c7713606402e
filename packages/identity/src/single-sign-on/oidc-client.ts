import type { WallClock } from "@weft/engine/ports/clock";
import { type IdentityProvider, isJsonObject, type JsonObject, WeftError } from "@weft/schema";
import { LRUCache } from "lru-cache";
import * as oidc from "openid-client";
import type { ProviderForSignIn } from "./provider.service.ts";

export type OidcDeps = {
  /** The one way out of the process. */
  fetch: typeof globalThis.fetch;
  /** Whether the operator allows an address without TLS. */
  allowsPlain(url: URL): boolean;
  clock: WallClock;
};

/** What an authorization request and its answer must agree on. */
export type Checks = { state: string; nonce: string; codeVerifier: string; redirectUri: string };

/** Someone, as the provider describes them. `issuer` and `subject` together are who they are. */
export type ProvenIdentity = { issuer: string; subject: string; claims: JsonObject };

/**
 * The client's side of OpenID Connect, the authorization code flow with PKCE. Invariants:
 * O1 the provider's document names the configured issuer, letter by letter but for a slash at the end;
 * O2 an answer is for the state, from the issuer (RFC 9207) and for the code verifier of its request;
 * O3 an ID token has a signature by a key that the provider publishes now, and the issuer, audience, nonce and time
 *    that it must have. TLS does not stand in for the signature.
 * Rejects with `sign-in-provider-unavailable`, `sign-in-cancelled` or `sign-in-answer-refused`. No text of a provider
 * gets into an error.
 */
export type OidcClient = {
  /** Where the browser goes. */
  begin(provider: IdentityProvider, checks: Checks): Promise<URL>;
  /** Exchanges an answer, the query of the redirect's address, for who it is about. */
  finish(provider: ProviderForSignIn, checks: Checks, answer: URLSearchParams): Promise<ProvenIdentity>;
};

/** How long a provider's document is trusted. Its keys are read again for each answer. */
const documentMs = 10 * 60_000;
const timeoutSeconds = 10;

export function createOidcClient({ fetch, allowsPlain, clock }: OidcDeps): OidcClient {
  const documents = new LRUCache<string, { server: oidc.ServerMetadata; untilMs: number }>({ max: 200 });

  async function discover(provider: IdentityProvider): Promise<oidc.ServerMetadata> {
    const known = documents.get(provider.issuer);
    if (known !== undefined && known.untilMs > clock.now()) return known.server;
    const issuer = new URL(provider.issuer);
    const found = await oidc.discovery(issuer, provider.clientId, undefined, oidc.None(), {
      [oidc.customFetch]: fetch as oidc.CustomFetch,
      timeout: timeoutSeconds,
      ...(isPlain(issuer) && { execute: [oidc.allowInsecureRequests] }),
    });
    const server = { ...found.serverMetadata() };
    if (withoutSlash(server.issuer) !== withoutSlash(provider.issuer))
      throw new WeftError("sign-in-provider-unavailable", {
        params: { provider: provider.name, reason: "the issuer in its settings is not the one in its document" },
      });
    documents.set(provider.issuer, { server, untilMs: clock.now() + documentMs });
    return server;
  }

  const isPlain = (url: URL) => url.protocol === "http:" && allowsPlain(url);

  /** New for each sign-in: the library keeps the keys of a provider with it. */
  async function configure(provider: IdentityProvider, clientSecret: string): Promise<oidc.Configuration> {
    const server = await discover(provider);
    const skew = Math.round((clock.now() - Date.now()) / 1_000);
    const client = { [oidc.clockSkew]: skew, [oidc.clockTolerance]: clockToleranceSeconds };
    const configuration = new oidc.Configuration(
      { ...server },
      provider.clientId,
      client,
      authentication(server, clientSecret),
    );
    configuration[oidc.customFetch] = fetch as oidc.CustomFetch;
    configuration.timeout = timeoutSeconds;
    oidc.enableNonRepudiationChecks(configuration);
    if (isPlain(new URL(provider.issuer))) oidc.allowInsecureRequests(configuration);
    return configuration;
  }

  return {
    begin: (provider, checks) =>
      describing(provider, async () => {
        const configuration = await configure(provider, "");
        const address = oidc.buildAuthorizationUrl(configuration, {
          redirect_uri: checks.redirectUri,
          scope: provider.scopes,
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(checks.codeVerifier),
          code_challenge_method: "S256",
        });
        // A page opens it: it must not be a script.
        if (address.protocol === "https:" || isPlain(address)) return address;
        throw unavailable(provider, invalidAddress);
      }),

    finish: (provider, checks, answer) =>
      describing(provider, async () => {
        const configuration = await configure(provider, provider.clientSecret);
        const address = new URL(checks.redirectUri);
        address.search = answer.toString();
        const tokens = await oidc.authorizationCodeGrant(configuration, address, {
          expectedState: checks.state,
          expectedNonce: checks.nonce,
          pkceCodeVerifier: checks.codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw refused(provider, "it has no ID token");
        const more = await readUserInfo(configuration, provider, { tokens, claims });
        return { issuer: claims.iss, subject: claims.sub, claims: { ...more, ...toJson(claims) } };
      }),
  };
}

const clockToleranceSeconds = 30;

/** Some providers name the e-mail address and groups there alone. */
async function readUserInfo(
  configuration: oidc.Configuration,
  { roleClaim }: IdentityProvider,
  { tokens, claims }: { tokens: oidc.TokenEndpointResponse; claims: oidc.IDToken },
): Promise<JsonObject> {
  const isComplete =
    claims.email !== undefined && (roleClaim === "" || findClaim(toJson(claims), roleClaim) !== undefined);
  if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  return toJson(await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub));
}

/** A claim by its name, or else by the path to it: `realm_access.roles`. */
export function findClaim(claims: JsonObject, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split(".")) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function authentication(server: oidc.ServerMetadata, clientSecret: string): oidc.ClientAuth {
  if (clientSecret === "") return oidc.None();
  // Basic is the default where a provider names no methods (Discovery 1.0, section 3).
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  if (methods.includes("client_secret_basic") || !methods.includes("client_secret_post"))
    return oidc.ClientSecretBasic(clientSecret);
  return oidc.ClientSecretPost(clientSecret);
}

function withoutSlash(text: string): string {
  return text.replace(/\/$/, "");
}

function toJson(claims: object): JsonObject {
  return JSON.parse(JSON.stringify(claims)) as JsonObject;
}

/** Errors of the library and of the way out, as sentences of ours. */
async function describing<T>(provider: IdentityProvider, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toSignInError(provider, error);
  }
}

function toSignInError(provider: IdentityProvider, error: unknown): unknown {
  if (error instanceof oidc.AuthorizationResponseError) return cancelled(provider, error.error);
  if (error instanceof oidc.ResponseBodyError) return ofTokenEndpoint(provider, error);
  if (isOfLibrary(error)) return ofLibrary(provider, error);
  // The library's, about what a document holds; those of mistakes here have no code.
  if (error instanceof TypeError && "code" in error) return unavailable(provider, invalidAddress);
  if (error instanceof WeftError && error.code.startsWith("egress-")) return unavailable(provider, egressReason(error));
  return error;
}

/** Some errors of the library are of a class that it keeps to itself; their codes begin alike. */
function isOfLibrary(error: unknown): error is Error & { code?: string } {
  if (error instanceof oidc.ClientError || error instanceof oidc.WWWAuthenticateChallengeError) return true;
  return error instanceof Error && "code" in error && String(error.code).startsWith("OAUTH_");
}

/** RFC 6749, section 5.2. */
function ofTokenEndpoint(provider: IdentityProvider, { error, status }: oidc.ResponseBodyError): WeftError {
  if (error === "invalid_client" || error === "unauthorized_client")
    return unavailable(provider, "it does not accept the client ID or the client secret in its settings");
  if (error === "invalid_grant") return refused(provider, "the code was used before, or is not for this sign-in");
  return status >= 500 ? unavailable(provider, `it answers with status ${status}`) : cancelled(provider, error);
}

/** By the code of the library's error, or of the one that it wraps. */
const reasons: Readonly<Record<string, string>> = {
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: "its ID token is for another issuer, client or sign-in",
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: "its ID token has expired, or is not valid yet; compare the clocks",
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: "it names another issuer or another person",
  OAUTH_KEY_SELECTION_FAILED: "its ID token is signed with a key that the provider does not publish",
  OAUTH_UNSUPPORTED_OPERATION: "its ID token is signed in a way that is not accepted",
  OAUTH_INVALID_RESPONSE: "it does not fit the request, or its ID token is not valid",
  OAUTH_PARSE_ERROR: "it cannot be read",
};

const invalidAddress = "its document has an address that is not valid";

const notAnswering: Readonly<Record<string, string>> = {
  OAUTH_TIMEOUT: "it takes longer than 10 seconds",
  OAUTH_RESPONSE_IS_NOT_CONFORM: "it answers with an unexpected status",
  OAUTH_RESPONSE_IS_NOT_JSON: "it answers with something other than JSON",
  OAUTH_HTTP_REQUEST_FORBIDDEN: "its address does not begin with https",
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: invalidAddress,
  OAUTH_MISSING_SERVER_METADATA: "its document lacks an address that is needed",
  OAUTH_INVALID_SERVER_METADATA: invalidAddress,
};

function ofLibrary(provider: IdentityProvider, error: Error & { code?: string }): unknown {
  const cause = findWeftError(error);
  if (cause !== undefined) return cause.code.startsWith("egress-") ? unavailable(provider, egressReason(cause)) : cause;
  const code = error.code ?? "";
  const down = notAnswering[code];
  if (down !== undefined) return unavailable(provider, down);
  return refused(provider, reasons[code] ?? "it is not valid");
}

function findWeftError(error: unknown): WeftError | undefined {
  if (error instanceof WeftError) return error;
  return error instanceof Error && error.cause !== undefined ? findWeftError(error.cause) : undefined;
}

function egressReason({ code }: WeftError): string {
  if (code === "egress-timeout") return "it does not answer in time";
  if (code === "egress-refused") return "its address is not allowed; an operator can name it in EGRESS_ALLOW";
  return "it cannot be reached";
}

function unavailable({ name: provider }: IdentityProvider, reason: string): WeftError {
  return new WeftError("sign-in-provider-unavailable", { params: { provider, reason } });
}

function refused({ name: provider }: IdentityProvider, reason: string): WeftError {
  return new WeftError("sign-in-answer-refused", { params: { provider, reason } });
}

/** The code is the provider's text: only what looks like one is repeated. */
function cancelled({ name: provider }: IdentityProvider, given: string): WeftError {
  const code = /^[a-z_]{1,40}$/.test(given) ? given : "unknown";
  return new WeftError("sign-in-cancelled", { params: { provider, code } });
}
