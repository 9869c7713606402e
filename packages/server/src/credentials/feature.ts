import type { ConfirmSave } from "@weft/http";
import { defineFeature } from "../feature.ts";
import { allowsPlainEntry, createPlainRule } from "../vault.ts";
import { credentialRoutes } from "./credential.routes.ts";
import { type CredentialService, openCredentials } from "./credential.service.ts";
import { type CredentialUses, createCredentialUses } from "./credential-uses.ts";
import { createDestinations, type Destinations } from "./destinations.ts";
import { fillHosts } from "./fill-hosts.ts";
import { createConfirmSave } from "./saves.ts";

declare module "../feature.ts" {
  interface Services {
    credentials: CredentialService;
    credentialUses: CredentialUses;
    destinations: Destinations;
    confirmSave: ConfirmSave;
  }
}

export const credentials = defineFeature({
  name: "credentials",
  tables: ["credentials"],
  service({ config, isShared, ...context }) {
    const { dataDir, encryptionKey: given } = config;
    // A given key is meant for every process on a database that others can use.
    const isForAll = isShared || (!given.isEmpty && context.database.dialect === "postgres");
    return openCredentials({ ...context, keys: { dataDir, given, isShared: isForAll }, operator: config });
  },
  routes: credentialRoutes,
});

export const credentialUses = defineFeature({
  name: "credentialUses",
  needs: ["variables"],
  service: ({ config }, { variables }) => createCredentialUses({ variables, operator: config }),
});

export const destinations = defineFeature({
  name: "destinations",
  needs: ["credentials", "credentialUses", "references"],
  service({ config }, { credentials, credentialUses: uses, references }) {
    const allowsPlain = createPlainRule(config);
    return createDestinations({
      ...{ credentials, uses, references },
      allowsPlain: (host) => allowsPlainEntry(allowsPlain, host),
    });
  },
  start: (_, { credentials, credentialUses: uses, references }, { database: { read }, logger }) =>
    fillHosts({ read, credentials, uses, references, logger }),
});

/** For routes whose callers may confirm the destinations of what they save. */
export const confirmSave = defineFeature({
  name: "confirmSave",
  needs: ["credentialUses", "destinations", "references"],
  service: ({ database: { read } }, { credentialUses: uses, destinations, references }) =>
    createConfirmSave({ read, destinations, uses, references }),
});
