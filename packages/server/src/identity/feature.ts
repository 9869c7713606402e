import { accountRoutes, apiKeyRoutes, createIdentity, personRoutes } from "@weft/identity";
import { defineFeature } from "../feature.ts";

type Identity = Awaited<ReturnType<typeof createIdentity>>;

declare module "../feature.ts" {
  interface Services {
    identity: Identity;
    apiKeys: Identity["apiKeys"];
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

export const apiKeys = defineFeature({
  name: "apiKeys",
  needs: ["identity"],
  tables: ["apiKeys"],
  service: (_, { identity }) => identity.apiKeys,
  routes: apiKeyRoutes,
});
