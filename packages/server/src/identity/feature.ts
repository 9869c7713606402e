import { accountRoutes, apiKeyRoutes, createIdentity } from "@weft/identity";
import { defineFeature } from "../feature.ts";

type Identity = Awaited<ReturnType<typeof createIdentity>>;

declare module "../feature.ts" {
  interface Services {
    accounts: Identity;
    apiKeys: Identity["apiKeys"];
  }
}

export const accounts = defineFeature({
  name: "accounts",
  needs: ["runnables"],
  tables: ["accounts", "revokedTokens", "accountNetworks"],
  service: ({ config, ...context }, { runnables }) =>
    createIdentity({ ...config, ...context, agentExists: runnables.exists }),
  routes: (identity) => accountRoutes(identity.accounts),
  async start(identity, _, { config: { admin } }) {
    if (admin) await identity.accounts.ensureAdmin({ email: admin.email, password: admin.password.reveal() });
  },
});

export const apiKeys = defineFeature({
  name: "apiKeys",
  needs: ["accounts"],
  tables: ["apiKeys"],
  service: (_, { accounts }) => accounts.apiKeys,
  routes: apiKeyRoutes,
});
