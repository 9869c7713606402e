import { type IdentityProvider, type Session, type SignInStart, WeftError } from "@weft/schema";
import { client } from "../../../../identity/testing/scripted-provider.ts";
import type { ApiOperation } from "../../../api-document.ts";
import type { TestPlatform } from "../../../test-platform.ts";
import type { Scenarios } from "../scenario.ts";
import type { World } from "../world.ts";

const owner = { email: "ada@example.com", password: "correct horse battery staple" };
const answer = { token: "unknown", answer: "code=a&state=b" };

/** A platform with an owner, who is logged in, and a provider of which everybody may have an account. */
async function withOwner(world: World) {
  const platform = await world.openFresh();
  const token = await platform.findSetupToken();
  const session = await platform.json<Session>("POST", "/auth/setup", { token, ...owner });
  const headers = { authorization: `Bearer ${session.token}` };
  await platform.json("POST", "/identity-providers", {
    ...{ slug: "open", name: "Open", issuer: world.provider.issuer, clientId: client.id },
    ...{ clientSecret: client.secret, signUp: "anyone", defaultRole: "viewer" },
  });
  return { platform, headers };
}

/** Begins at a path, and has the provider say who it is. */
async function answered(world: World, platform: TestPlatform, path: string, headers = {}) {
  const response = await platform.send("POST", path, undefined, headers);
  if (!response.ok) throw new WeftError("internal", { message: await response.text() });
  const { url, token } = (await response.json()) as SignInStart;
  const claims = { sub: `person ${world.next()}`, email: `person${world.next()}@example.com` };
  return { token, answer: world.provider.answer(url, { claims }).toString() };
}

/** Someone who has signed in at the provider, and has no password. */
async function signedIn(world: World, platform: TestPlatform) {
  const body = await answered(world, platform, "/auth/oidc/open/start");
  const { token } = await platform.json<Session>("POST", "/auth/oidc/finish", body);
  return { authorization: `Bearer ${token}` };
}

async function newProvider(world: World): Promise<string> {
  const slug = `p${world.next()}`;
  const made = { slug, issuer: world.provider.issuer, clientId: client.id, clientSecret: client.secret };
  return (await world.create("createIdentityProvider", made)).id;
}

async function providerParams(world: World) {
  return { params: { id: await newProvider(world) } };
}

const ofEnvironment = {
  how: "the provider of the environment",
  async request(world: World, { method }: ApiOperation) {
    const all = await world.platform.json<IdentityProvider[]>("GET", "/identity-providers");
    const id = all.find(({ source }) => source === "environment")?.id;
    return world.platform.send(method, `/identity-providers/${id}`, method === "PUT" ? { name: "Mine" } : undefined);
  },
};

const unknownSlug = { how: "a provider that does not exist", request: () => ({ params: { slug: "unknown" } }) };

export const singleSignOnScenarios: Scenarios = {
  createIdentityProvider: {
    valid: (world) => ({ body: { slug: `p${world.next()}`, name: "P", issuer: "https://p.example", clientId: "p" } }),
  },
  getIdentityProvider: { valid: providerParams },
  updateIdentityProvider: {
    valid: async (world) => ({ ...(await providerParams(world)), body: { name: "Q" } }),
    special: { 409: ofEnvironment },
  },
  deleteIdentityProvider: { valid: providerParams, special: { 409: ofEnvironment } },
  startSignIn: { isWithoutStore: true, valid: () => ({ params: { slug: "sso" } }), special: { 404: unknownSlug } },
  finishSignIn: {
    isWithoutStore: true,
    valid: () => ({ body: answer }),
    special: {
      200: {
        how: "what the provider answered",
        async request(world) {
          const { platform } = await withOwner(world);
          const body = await answered(world, platform, "/auth/oidc/open/start");
          return platform.send("POST", "/auth/oidc/finish", body);
        },
      },
      403: { how: "a token that nobody was given", request: () => ({ body: answer }) },
    },
  },
  listOwnIdentities: { isWithoutStore: true },
  startConnecting: {
    isWithoutStore: true,
    valid: () => ({ params: { slug: "sso" } }),
    special: {
      200: {
        how: "the token of an account",
        async request(world) {
          const { platform, headers } = await withOwner(world);
          return platform.send("POST", "/auth/identities/sso/start", undefined, headers);
        },
      },
      404: unknownSlug,
    },
  },
  connectIdentity: {
    isWithoutStore: true,
    valid: () => ({ body: answer }),
    special: {
      200: {
        how: "what the provider answered",
        async request(world) {
          const { platform, headers } = await withOwner(world);
          const body = await answered(world, platform, "/auth/identities/open/start", headers);
          return platform.send("POST", "/auth/identities", body, headers);
        },
      },
      409: {
        how: "someone who has an account already",
        async request(world) {
          const { platform, headers } = await withOwner(world);
          const start = await platform.send("POST", "/auth/identities/open/start", undefined, headers);
          const { url, token } = (await start.json()) as SignInStart;
          const claims = { sub: "taken", email: "taken@example.com" };
          const other = await platform.json<SignInStart>("POST", "/auth/oidc/open/start");
          const told = world.provider.answer(other.url, { claims }).toString();
          await platform.json("POST", "/auth/oidc/finish", { token: other.token, answer: told });
          const body = { token, answer: world.provider.answer(url, { claims }).toString() };
          return platform.send("POST", "/auth/identities", body, headers);
        },
      },
    },
  },
  disconnectIdentity: {
    isWithoutStore: true,
    valid: () => ({ params: { id: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f" } }),
    special: {
      200: {
        how: "someone who also has a password",
        async request(world) {
          const { platform, headers } = await withOwner(world);
          const body = await answered(world, platform, "/auth/identities/open/start", headers);
          const connected = await platform.send("POST", "/auth/identities", body, headers);
          const { id } = (await connected.json()) as { id: string };
          return platform.send("DELETE", `/auth/identities/${id}`, undefined, headers);
        },
      },
      404: {
        how: "an id that nothing has",
        async request(world) {
          const { platform, headers } = await withOwner(world);
          return platform.send("DELETE", "/auth/identities/3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f", undefined, headers);
        },
      },
      409: {
        how: "the only way for the account to sign in",
        async request(world) {
          const { platform } = await withOwner(world);
          const headers = await signedIn(world, platform);
          const listed = await platform.send("GET", "/auth/identities", undefined, headers);
          const [own] = (await listed.json()) as { id: string }[];
          return platform.send("DELETE", `/auth/identities/${own?.id}`, undefined, headers);
        },
      },
    },
  },
  startSignInTrial: { valid: providerParams },
  finishSignInTrial: {
    valid: () => ({ body: answer }),
    special: {
      200: {
        how: "what the provider answered",
        async request(world) {
          const id = await newProvider(world);
          const body = await answered(world, world.platform, `/identity-providers/${id}/trial`);
          return world.platform.send("POST", "/identity-providers/trial", body);
        },
      },
      500: {
        how: "a store that fails",
        async request(world) {
          const id = await newProvider(world);
          const body = await answered(world, world.platform, `/identity-providers/${id}/trial`);
          return world.store.failDuring(() => world.platform.send("POST", "/identity-providers/trial", body));
        },
      },
    },
  },
};
