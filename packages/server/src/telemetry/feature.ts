import { createReadiness } from "@weft/database";
import { healthRoutes } from "@weft/http";
import { findTraceDestinations } from "@weft/telemetry";
import { defineFeature, type Services } from "../feature.ts";
import { concealing } from "../known-secrets.ts";
import { version } from "../version.ts";

export const health = defineFeature({
  name: "health",
  routes: (_, __, { database, logger }) =>
    healthRoutes(version, createReadiness({ database, now: () => performance.now() }), logger),
  servedBy: ["all", "api", "worker"],
});

export const telemetry = defineFeature({
  name: "telemetry",
  needs: ["agentReader", "credentials", "documentStores", "documents", "runHost", "sandboxes"],
  service: ({ http, telemetry, vault }, { agentReader, credentials, documentStores, documents, runHost, sandboxes }) =>
    telemetry.serve({
      workerQueues: { sandbox: sandboxes.waiting, documents: documents.waiting },
      vectorIndex: () => vectorIndexOf(documentStores),
      journalOf: (runId) => runHost.journals.eventsAfter(runId, 0),
      agentName: (agentId) => nameOf(agentReader, agentId),
      destinationsOf: async (agentId) =>
        findTraceDestinations(
          (await agentReader.recallSettings(agentId))?.analytic ?? "",
          credentials.readPlaceholders,
        ),
      conceal: concealing(vault).value,
      http,
    }),
  routes: ({ routes }) => routes,
  start: ({ start }) => start(),
  stop: ({ stop }) => stop(),
  servedBy: ["all", "api", "worker"],
});

/** The state of all processes on the database. */
export const system = defineFeature({
  name: "system",
  needs: ["agentReader", "documentStores", "runHost", "webhooks"],
  tables: ["processes"],
  service: ({ config, ids, telemetry }, { agentReader, documentStores, runHost, webhooks }) =>
    telemetry.system({
      processId: ids.uuid(),
      countRuns: () => runHost.active.size,
      maxRuns: config.maxConcurrentRuns,
      dataDir: config.dataDir,
      redisState: runHost.redisState,
      vectorIndex: () => vectorIndexOf(documentStores),
      agentName: (agentId) => nameOf(agentReader, agentId),
      failingCallbacks: webhooks.callbacks.failing,
    }),
  routes: ({ routes }) => routes,
  start: ({ start }) => start(),
  stop: ({ stop }) => stop(),
});

function vectorIndexOf({ vectors }: Services["documentStores"]) {
  const { bytes: memoryBytes, ...index } = vectors.memory();
  return { memoryBytes, ...index };
}

async function nameOf({ findSettings }: Services["agentReader"], agentId: string): Promise<string | undefined> {
  return (await findSettings(agentId))?.name;
}
