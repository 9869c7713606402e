import { createEgressClient, toAllowEntry } from "@weft/egress";
import { accountRoutes, apiKeyRoutes, createIdentity, personRoutes } from "@weft/identity";
import { defineFeature } from "../feature.ts";
import { createPlainRule } from "../vault.ts";

type Identity = Awaited<ReturnType<typeof createIdentity>>;

type OpenSingleSignOn = ReturnType<Identity["openSingleSignOn"]> & { close(): Promise<void> };

declare module "../feature.ts" {
  interface Services {
    identity: Identity;
    apiKeys: Identity["apiKeys"];
    singleSignOn: OpenSingleSignOn;
  }
}

export const identity = defineFeature({
  name: "identity",
  needs: ["runnables"],
  service: ({ config, ...context }, { runnables }) =>
    createIdentity({ ...config, ...context, agentExists: runnables.exists }),
});

export const accounts = defineFeature({
  name: "accounts",
  needs: ["identity"],
  tables: ["accounts", "revokedTokens", "accountNetworks"],
  routes: (_, { identity }) => accountRoutes(identity.accounts),
  async start(_, { identity }, { config: { admin } }) {
    if (admin) await identity.accounts.ensureAdmin({ email: admin.email, password: admin.password.reveal() });
  },
});

export const people = defineFeature({
  name: "people",
  needs: ["identity"],
  tables: ["accountLinks"],
  routes: (_, { identity }) => personRoutes(identity.people),
});

/** The provider of the configuration may be called wherever it is; the others as flows may call. */
export const singleSignOn = defineFeature({
  name: "singleSignOn",
  needs: ["identity", "credentials"],
  tables: ["identityProviders", "accountIdentities"],
  service: ({ config, vault }, { identity, credentials }): OpenSingleSignOn => {
    const issuer = config.identityProvider?.issuer;
    const given = issuer === undefined ? [] : [toAllowEntry(issuer)];
    const egressAllow = [...config.egressAllow, ...given];
    const http = createEgressClient({ allow: egressAllow, vault, defaults: { fetchTimeoutMs: 15_000 } });
    const allowsPlain = createPlainRule({ ...config, egressAllow });
    const { identityProvider, publicUrl } = config;
    const more = { fetch: http.fetch, allowsPlain, publicUrl, sealing: credentials.sealing, given: identityProvider };
    return { ...identity.openSingleSignOn(more), close: () => http.close() };
  },
  routes: ({ routes }) => routes,
  stop: ({ close }) => close(),
});

export const apiKeys = defineFeature({
  name: "apiKeys",
  needs: ["identity"],
  tables: ["apiKeys"],
  service: (_, { identity }) => identity.apiKeys,
  routes: apiKeyRoutes,
});
