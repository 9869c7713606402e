import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { ifFound, type Limits, toNetwork } from "@weft/http";
import { type Identity, ownerOf } from "@weft/http/identity";
import {
  type AccountIdentity,
  type IdentityProvider,
  type Session,
  type SignInAnswer,
  type SignInOptions,
  type SignInStart,
  type SignInTrial,
  toMoment,
  WeftError,
} from "@weft/schema";
import { accounts, type IdentityContext, insertRevokedToken, startSession } from "../accounts/index.ts";
import { type AccountIdentityRow, identitiesOf, removeIdentity } from "./account-identity.store.ts";
import { admit, connect } from "./admit.ts";
import { readClaims } from "./claims.ts";
import { createFlowTokens, type Flow, type Purpose } from "./flow-token.ts";
import { createOidcClient, type OidcDeps, type ProvenIdentity } from "./oidc-client.ts";
import type { ProviderForSignIn, ProviderService } from "./provider.service.ts";

/** Who asks: `origin` is that of the page, `network` the client's address. */
export type Asking = { origin: string; clientAddress: string };

/** `token`: of the start, from the cookie or the body. */
export type Answered = SignInAnswer & { clientAddress: string };

/**
 * Signing in at another provider. Each sign-in that has begun is ended once, by the browser that began it, within 10
 * minutes. Errors are sentences of ours, whatever a provider sends.
 */
export type SignInService = {
  options(): Promise<SignInOptions>;
  /** Rejects with `not-found` for an unknown provider, `rate-limited` or `sign-in-provider-unavailable`. */
  start(slug: string, asking: Asking): Promise<SignInStart>;
  /** Rejects with an error whose code begins with `sign-in-`. */
  finish(answered: Answered): Promise<Session>;
  /** Connects someone at a provider with the caller's account. Rejects as the above. */
  startConnecting(slug: string, identity: Identity, asking: Asking): Promise<SignInStart>;
  /** Rejects with `identity-connected-elsewhere`, or as `finish` does. */
  connect(answered: Answered, identity: Identity): Promise<AccountIdentity>;
  /** The caller's own. */
  identities(identity: Identity): Promise<AccountIdentity[]>;
  /** Rejects with `not-found`, and with `conflict` where it is the only way for the account to sign in. */
  disconnect(id: string, identity: Identity): Promise<void>;
  /** Asks a provider who the caller is, and signs nobody in. It may be switched off. */
  startTest(id: string, identity: Identity, asking: Asking): Promise<SignInStart>;
  finishTest(answered: Answered, identity: Identity): Promise<SignInTrial>;
};

/** Each attempt makes this server call another one. */
const attempts = { requests: 60, windowMs: 60_000 };

export function createSignInService(
  context: IdentityContext,
  providers: ProviderService,
  { limits, tokenKey, ...deps }: Omit<OidcDeps, "clock"> & { limits: Limits; tokenKey: () => Uint8Array },
): SignInService {
  const { database, clock, ids, cache, tokens } = context;
  const client = createOidcClient({ ...deps, clock });
  const flows = createFlowTokens(tokenKey, clock, ids);

  async function take(clientAddress: string): Promise<void> {
    const { waitMs } = await limits.take(`sign-in ${toNetwork(clientAddress)}`, attempts);
    if (waitMs > 0) throw new WeftError("rate-limited", { params: { retryAfterSeconds: Math.ceil(waitMs / 1_000) } });
  }

  async function begin(
    provider: IdentityProvider,
    { origin, clientAddress }: Asking,
    of: { purpose: Purpose; accountId: string },
  ): Promise<SignInStart> {
    await take(clientAddress);
    const checks = {
      state: randomText(),
      nonce: randomText(),
      codeVerifier: randomText(),
      redirectUri: `${origin}/sign-in/${provider.slug}`,
    };
    const url = await client.begin(provider, checks);
    const { token, expiresAtMs } = await flows.issue({ ...checks, ...of, providerId: provider.id });
    return { url: url.href, token, expiresAt: toMoment(expiresAtMs) };
  }

  /** Ends a flow, once: whatever comes of it, its token is used up. */
  async function end(
    { answer, token, clientAddress }: Answered,
    { purpose, accountId }: { purpose: Purpose; accountId: string },
  ): Promise<{ provider: ProviderForSignIn; proven: ProvenIdentity }> {
    await take(clientAddress);
    const flow = await flows.read(token);
    const parameters = new URLSearchParams(answer);
    if (flow?.purpose !== purpose || flow.accountId !== accountId || !isFor(flow, parameters)) throw expired();
    const used = { jti: flow.id, expiresAt: toMoment(flow.expiresAtMs) };
    if (!(await database.write((tx) => insertRevokedToken(tx, used, toMoment(clock.now()))))) throw expired();
    const provider = await ifFound(providers.forSignIn(flow.providerId));
    if (provider === undefined || (!provider.isEnabled && purpose !== "test")) throw expired();
    return { provider, proven: await client.finish(provider, flow, parameters) };
  }

  async function getBySlug(slug: string): Promise<IdentityProvider> {
    const provider = await providers.findBySlug(slug);
    if (provider === undefined)
      throw new WeftError("not-found", { params: { resource: "identity provider", id: slug } });
    return provider;
  }

  async function nameIssuer(issuer: string): Promise<string> {
    const all = await providers.list();
    return all.find((provider) => provider.issuer.replace(/\/$/, "") === issuer.replace(/\/$/, ""))?.name ?? issuer;
  }

  return {
    async options() {
      const all = await providers.list();
      return { providers: all.filter(({ isEnabled }) => isEnabled).map(({ slug, name }) => ({ slug, name })) };
    },

    start: async (slug, asking) => begin(await getBySlug(slug), asking, { purpose: "sign-in", accountId: "" }),

    async finish(answered) {
      const { provider, proven } = await end(answered, { purpose: "sign-in", accountId: "" });
      const admitted = await database.write((tx) => admit(context, tx, { provider, proven }));
      cache.clear();
      if ("refusal" in admitted) throw admitted.refusal;
      return startSession(tokens, admitted.account);
    },

    startConnecting: async (slug, identity, asking) =>
      begin(await getBySlug(slug), asking, { purpose: "connect", accountId: ownAccountId(identity) }),

    async connect(answered, identity) {
      const accountId = ownAccountId(identity);
      const { provider, proven } = await end(answered, { purpose: "connect", accountId });
      const { email = "" } = readClaims(provider, proven.claims);
      const isNew = await database.write((tx) => connect(context, tx, { proven, accountId, email }));
      const own = await identitiesOf(database.read, accountId);
      const connected = own.find(({ issuer, subject }) => issuer === proven.issuer && subject === proven.subject);
      if (!isNew && connected === undefined)
        throw new WeftError("identity-connected-elsewhere", { params: { provider: provider.name } });
      if (connected === undefined) throw new Error("The connection was removed while it was made.");
      return toShown(connected, provider.name);
    },

    async identities(identity) {
      if (identity.kind !== "account") return [];
      const own = await identitiesOf(database.read, identity.accountId);
      return Promise.all(own.map(async (row) => toShown(row, await nameIssuer(row.issuer))));
    },

    async disconnect(id, identity) {
      const accountId = ownAccountId(identity);
      await database.write(async (tx) => {
        const { passwordHash } = await accounts.lock(tx, accountId);
        if (!(await removeIdentity(tx, { id, accountId })))
          throw new WeftError("not-found", { params: { resource: "connected sign-in", id } });
        if (passwordHash === "" && (await identitiesOf(tx, accountId)).length === 0) throw onlyWayIn();
      });
    },

    startTest: async (id, identity, asking) =>
      begin(await providers.get(id), asking, { purpose: "test", accountId: ownerOf(identity) }),

    async finishTest(answered, identity) {
      const { provider, proven } = await end(answered, { purpose: "test", accountId: ownerOf(identity) });
      return { claims: proven.claims, role: readClaims(provider, proven.claims).role ?? null };
    },
  };
}

/** 256 bits: nobody guesses it. As a code verifier it has the least length that RFC 7636, 4.1 allows, 43 characters. */
function randomText(): string {
  return randomBytes(32).toString("base64url");
}

function isFor({ state }: Flow, answer: URLSearchParams): boolean {
  const digest = (text: string) => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(answer.get("state") ?? ""), digest(state));
}

function ownAccountId(identity: Identity): string {
  if (identity.kind === "account") return identity.accountId;
  const reason = "Only someone with an account can connect it with a provider. Log in first.";
  throw new WeftError("parameters-invalid", { params: { reason } });
}

function toShown(row: AccountIdentityRow, provider: string): AccountIdentity {
  const { id, issuer, email, createdDate, usedDate } = row;
  return { id, issuer, provider, email, createdDate, usedDate };
}

function expired(): WeftError {
  return new WeftError("sign-in-expired");
}

function onlyWayIn(): WeftError {
  const reason =
    "You have no password, so this is the only way for you to sign in. Ask an admin for a password link first.";
  return new WeftError("conflict", { params: { reason } });
}
