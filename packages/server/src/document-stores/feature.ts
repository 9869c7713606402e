import { overrideOwnStores, ownStoresOf } from "@weft/dialects";
import {
  componentRoutes,
  createDocumentStores,
  createUpsertHistoryService,
  createVectorUpsertService,
  type DocumentStores,
  documentStoreRoutes,
  type UpsertHistoryService,
  upsertHistoryRoutes,
  vectorUpsertRoutes,
} from "@weft/document-stores";
import { createAllowList } from "@weft/egress";
import { createForeignPool } from "@weft/sql";
import { createVectorStores } from "@weft/vector-stores";
import type { Context } from "../context.ts";
import type { CredentialService } from "../credentials/index.ts";
import { defineFeature } from "../feature.ts";
import { readOperatorSettings } from "../models/model-defaults.ts";

declare module "../feature.ts" {
  interface Services {
    documentStores: DocumentStores;
    upsertHistory: UpsertHistoryService;
  }
}

export const documentStores = defineFeature({
  name: "documentStores",
  needs: ["credentials", "documents", "nodeServices", "runHost", "upsertHistory"],
  tables: [
    "documentStores",
    "documentLoaders",
    "documentFiles",
    "documentFileParts",
    "documentChunks",
    "documentRecords",
    "documentCollections",
    "documentStoreUses",
    "upsertJobs",
    "documentQuestions",
    "documentEvaluations",
    "documentFingerprints",
    "documentChecks",
    "vectorCollections",
    "vectorRecords",
  ],
  service: (context, { credentials, documents, nodeServices, runHost, upsertHistory }) =>
    createDocumentStores({
      ...context,
      credentials,
      documents,
      upsertHistory,
      chatModels: nodeServices.models,
      vectors: openVectors(context, credentials),
      runs: runHost.runs,
      events: runHost.journals,
      operatorSettings: readOperatorSettings(context.config),
      onChecked: context.telemetry.storeChecked,
    }),
  routes: documentStoreRoutes,
  on: (stores) => ({
    ...stores.on,
    // If a flow describes stores instead of naming them. After a stop in between, the agent's first upsert creates
    // them.
    agentCommitted: (agent) => stores.own.make(agent, ownStoresOf(agent.flowData)),
  }),
  async stop(stores) {
    await stores.close();
    await stores.vectors.close();
  },
});

/** The vector stores: in this database, and in external ones. */
function openVectors({ config, database, http, logger, vault }: Context, { readPlaceholders }: CredentialService) {
  return createVectorStores({
    database,
    databaseUrl: config.databaseUrl.reveal(),
    dataDir: config.dataDir,
    memoryBytes: config.vectorMemoryBytes,
    onLoading: ({ collection, done, total }) =>
      logger.info("vectors-read", {
        count: done,
        reason: `${done} of ${total} vectors of ${collection} are in memory.`,
      }),
    readCredential: readPlaceholders,
    reveal: vault.reveal,
    fetch: http.fetch,
    permitsHost: createAllowList(config.egressAllow).permits,
    openForeign: (place, maxConnections) => createForeignPool(place, { connect: http.connect, maxConnections }),
  });
}

export const vectorUpserts = defineFeature({
  name: "vectorUpserts",
  needs: ["documentStores", "runnables"],
  service: (_, { documentStores, runnables }) =>
    createVectorUpsertService({
      ...documentStores,
      ...runnables,
      reader: { storesOf: ownStoresOf, override: overrideOwnStores },
    }),
  routes: (vectorUpserts, { documentStores }) => vectorUpsertRoutes(vectorUpserts, documentStores.files),
});

export const components = defineFeature({
  name: "components",
  needs: ["documentStores"],
  routes: (_, { documentStores }) => componentRoutes(documentStores),
});

export const upsertHistory = defineFeature({
  name: "upsertHistory",
  tables: ["upsertHistory"],
  service: createUpsertHistoryService,
  routes: upsertHistoryRoutes,
  on: (history) => ({ agentDeleted: history.removeOfAgent }),
});
