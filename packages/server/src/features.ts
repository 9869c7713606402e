import { agentRoutes, assistantRoutes, draftRoutes } from "@weft/agents";
import { chatMessageRoutes, createRunProjection } from "@weft/chats";
import { componentRoutes, documentStoreRoutes, upsertHistoryRoutes, vectorUpsertRoutes } from "@weft/document-stores";
import { healthRoutes } from "@weft/http";
import { accountRoutes, apiKeyRoutes } from "@weft/identity";
import { integrations } from "@weft/integrations";
import { executionRoutes, statsRoutes } from "@weft/run-host";
import { findTraceDestinations } from "@weft/telemetry";
import { attachmentRoutes } from "./attachments/attachment.routes.ts";
import { catalogueRoutes, integrationRoutes } from "./catalogue/catalogue.routes.ts";
import { chatClientRoutes } from "./chat-client/chat-client.routes.ts";
import type { Parts } from "./compose.ts";
import {
  concealing,
  confirmingDestinations,
  credentialRoutes,
  fillHosts,
  savesOfAgents,
  savesOfAssistants,
  savesOfModels,
  savesOfStores,
} from "./credentials/index.ts";
import { eventApiRoutes, seedDemoAgents } from "./demo/seed-demo-agents.ts";
import type { Feature, OpenFeature } from "./feature.ts";
import {
  createFlowiseImportService,
  flowiseImportRoutes,
  importFlowise,
  toImportDeps,
} from "./flowise-import/index.ts";
import { flowRoutes } from "./flows/flow.routes.ts";
import { hostedChatRoutes } from "./hosted-chat/hosted-chat.routes.ts";
import { mcpRoutes } from "./mcp/index.ts";
import { modelRoutes } from "./models/model.routes.ts";
import { readOperatorSettings } from "./models/model-defaults.ts";
import { openAiRoutes } from "./openai-compatible/openai.routes.ts";
import { predictionsFeature } from "./predictions/index.ts";
import { prices } from "./prices/feature.ts";
import { privacyRoutes } from "./privacy/privacy.routes.ts";
import { createReachCheck, usesRoutes } from "./references/index.ts";
import { requestTrialRoutes } from "./request-trials/request-trial.routes.ts";
import { listRetention } from "./retention/list-retention.ts";
import { retentionRoutes } from "./retention/retention.routes.ts";
import { scheduleRoutes } from "./schedules/schedule.routes.ts";
import { templates } from "./templates/feature.ts";
import { textToSpeechRoutes } from "./text-to-speech/text-to-speech.routes.ts";
import { toolRoutes } from "./tools/tool.routes.ts";
import { transferRoutes } from "./transfer/index.ts";
import { variables } from "./variables/feature.ts";
import { webhookRoutes } from "./webhooks/index.ts";

/** What is made in the new way. */
export const features: readonly Feature[] = [variables, templates, prices];

/** Where features of the list stand among the others. */
const place = (name: string): OpenFeature => ({ name, routes: [] });

const defineFeature = (feature: OpenFeature): OpenFeature => feature;

/** Everything that the platform offers. Operations are documented, events heard and work begun in this order. */
export function listFeatures(parts: Parts, open: readonly OpenFeature[]): OpenFeature[] {
  const older = [basics, chats, stores, runs, triggers, catalogue].flatMap((list) => list(parts));
  const all = older.map((feature) => open.find(({ name }) => name === feature.name) ?? feature);
  const { role } = parts.base.config;
  return role === "all" ? all : all.map((feature) => inRole(feature, role));
}

/** What a process offers that leaves the work to others, or serves no client. All hear what happens to agents and runs. */
function inRole(feature: OpenFeature, role: "api" | "worker"): OpenFeature {
  if (role === "worker") return isForOperators.has(feature.name) ? feature : { ...feature, routes: [] };
  const { start: _, stop: __, ...passive } = feature;
  return keepsWorking.has(feature.name) ? passive : feature;
}

const isForOperators = new Set(["health", "telemetry"]);

/** Features that do their work without a client that asks. */
const keepsWorking = new Set(["files", "webhooks", "schedules"]);

function basics({
  base,
  health,
  identity,
  agents,
  drafts,
  assistants,
  flows,
  imports,
  requestTrials,
  material,
  readers,
  runtime: { workerQueues, host, http, documentStores },
  triggers: { callbacks },
}: Parts): OpenFeature[] {
  const { config, database, ids, logger, telemetry, vault } = base;
  const { admin } = config;
  const { accounts, apiKeys } = identity;
  const { credentials, destinations, references, uses } = material;
  const assertMayName = createReachCheck(base.nodeTypes);
  const vectorIndex = () => {
    const { bytes: memoryBytes, ...index } = documentStores.vectors.memory();
    return { memoryBytes, ...index };
  };
  const agentName = async (agentId: string) => (await readers.agents.findSettings(agentId))?.name;
  return [
    defineFeature({ name: "health", routes: healthRoutes(health) }),
    defineFeature({
      name: "telemetry",
      ...telemetry.serve({
        workerQueues,
        vectorIndex,
        journalOf: (runId) => host.journals.eventsAfter(runId, 0),
        agentName,
        destinationsOf: async (agentId) =>
          findTraceDestinations((await readers.agents.recallSettings(agentId))?.analytic ?? "", credentials.lend),
        conceal: concealing(vault).value,
        http,
      }),
    }),
    defineFeature({
      name: "system",
      tables: ["processes"],
      ...telemetry.system({
        processId: ids.uuid(),
        countRuns: () => host.active.size,
        maxRuns: config.maxConcurrentRuns,
        dataDir: config.dataDir,
        redisState: host.redisState,
        vectorIndex,
        agentName,
        failingCallbacks: callbacks.failing,
      }),
    }),
    defineFeature({
      name: "accounts",
      tables: ["accounts", "revokedTokens", "accountNetworks"],
      routes: accountRoutes(accounts),
      async start() {
        if (admin) await accounts.ensureAdmin({ email: admin.email, password: admin.password.reveal() });
      },
    }),
    defineFeature({ name: "api-keys", tables: ["apiKeys"], routes: apiKeyRoutes(apiKeys) }),
    defineFeature({
      name: "agents",
      tables: ["agents", "agentVersions"],
      routes: confirmingDestinations(agentRoutes(agents, assertMayName), destinations, savesOfAgents(uses, references)),
    }),
    defineFeature({ name: "drafts", tables: ["agentDrafts"], routes: draftRoutes(drafts, assertMayName) }),
    defineFeature({ name: "flows", routes: flowRoutes({ flows, imports, agents }), stop: imports.close }),
    defineFeature({ name: "request-trials", routes: requestTrialRoutes(requestTrials) }),
    defineFeature({
      name: "assistants",
      tables: ["assistants"],
      routes: confirmingDestinations(assistantRoutes(assistants, assertMayName), destinations, savesOfAssistants(uses)),
    }),
    defineFeature({ name: "uses", routes: usesRoutes({ read: database.read, references }) }),
    defineFeature({
      name: "credentials",
      tables: ["credentials"],
      routes: credentialRoutes(credentials),
      start: () => fillHosts({ read: database.read, credentials, uses, references, logger }),
    }),
  ];
}

function chats({ base, runtime, privacy, chats: { messages, leads, routes } }: Parts): OpenFeature[] {
  return [
    defineFeature({
      name: "chat-messages",
      tables: ["chatMessages"],
      routes: chatMessageRoutes(messages, privacy.eraseRuns),
      on: {
        agentDeleted: messages.removeOfAgent,
        runEnded: {
          chat: createRunProjection({ active: runtime.host.active, messages, read: base.database.read }),
        },
      },
    }),
    defineFeature({ name: "feedback", tables: ["feedback"], routes: routes.feedback }),
    defineFeature({
      name: "leads",
      tables: ["leads"],
      routes: routes.leads,
      on: { agentDeleted: leads.removeOfAgent },
    }),
  ];
}

function stores({
  runtime,
  upsertHistory,
  vectorUpserts,
  base: { database },
  material: { destinations, uses },
}: Parts): OpenFeature[] {
  const { documentStores } = runtime;
  return [
    defineFeature({
      name: "document-stores",
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
      routes: confirmingDestinations(
        documentStoreRoutes(documentStores),
        destinations,
        savesOfStores(database.read, uses),
      ),
      on: documentStores.on,
    }),
    defineFeature({
      name: "vector-upserts",
      routes: vectorUpsertRoutes({ vectorUpserts }),
    }),
    defineFeature({ name: "components", routes: componentRoutes(documentStores) }),
    defineFeature({
      name: "upsert-history",
      tables: ["upsertHistory"],
      routes: upsertHistoryRoutes(upsertHistory),
      on: { agentDeleted: upsertHistory.removeOfAgent },
    }),
  ];
}

function runs({ base, readers, runtime, findApiKey, material, chats, attachments, ...parts }: Parts): OpenFeature[] {
  const { privacy, visitorRetention } = parts;
  const { host, predictions, attach, toolTrials } = runtime;
  const { runs, executions } = host;
  const { files, fileSweeper, routes } = chats;
  return [
    place("variables"),
    defineFeature({ name: "tools", tables: ["tools"], routes: toolRoutes(material.tools, toolTrials) }),
    defineFeature({ name: "attachments", routes: attachmentRoutes(attachments) }),
    defineFeature({
      name: "files",
      tables: ["files", "fileParts"],
      routes: routes.files,
      on: { agentDeleted: files.removeOfAgent },
      start: fileSweeper.start,
      stop: fileSweeper.stop,
    }),
    defineFeature({
      name: "executions",
      tables: ["runs", "runEvents", "importedRuns", "budgets", "promptParts"],
      routes: [...executionRoutes(executions), ...statsRoutes(host.stats)],
      on: { agentDeleted: runs.cancelOfAgent },
      start: runtime.start,
      stop: runtime.close,
    }),
    defineFeature({ name: "privacy", routes: privacyRoutes(privacy) }),
    defineFeature({
      name: "retention",
      routes: retentionRoutes(() => listRetention(base.config)),
      start: visitorRetention.start,
      stop: visitorRetention.stop,
    }),
    predictionsFeature(base, { predictions, attach, runs, findApiKey, toRunnable: readers.agents.toRunnable }),
  ];
}

function triggers({ protocols, chatClient, textToSpeech, hostedChat, triggers, findApiKey }: Parts): OpenFeature[] {
  const { webhooks, callbacks, callbackPoller, schedules, schedulePoller } = triggers;
  return [
    defineFeature({ name: "mcp", routes: mcpRoutes(protocols.mcp) }),
    defineFeature({ name: "openai-compatible", routes: openAiRoutes(protocols.openAi) }),
    defineFeature({ name: "chat-client", routes: chatClientRoutes(chatClient) }),
    defineFeature({ name: "text-to-speech", routes: textToSpeechRoutes(textToSpeech) }),
    defineFeature({ name: "hosted-chat", routes: hostedChatRoutes(hostedChat) }),
    defineFeature({
      name: "webhooks",
      tables: ["callbacks", "callbackDeliveries"],
      routes: webhookRoutes({ webhooks, callbacks, findApiKey }),
      on: { agentDeleted: triggers.removeWebhooks },
      async start() {
        await callbacks.clear();
        callbackPoller.start();
      },
      stop: callbackPoller.stop,
    }),
    defineFeature({
      name: "schedules",
      tables: ["schedules", "scheduleFirings"],
      routes: scheduleRoutes(schedules),
      on: { agentSaved: schedules.sync, agentDeleted: schedules.removeOfAgent },
      start: schedulePoller.start,
      stop: schedulePoller.stop,
    }),
  ];
}

function catalogue(parts: Parts): OpenFeature[] {
  const { base, agents, exporter, importer, runtime, material } = parts;
  const { defaultModel, destinations, uses } = material;
  const { config, clock, database, nodeTypes, modelDefaults } = base;
  const models = modelRoutes(defaultModel, {
    models: runtime.models,
    now: clock.now,
    defaults: modelDefaults,
  });
  return [
    defineFeature({ name: "node-types", routes: catalogueRoutes(nodeTypes, readOperatorSettings(config)) }),
    place("templates"),
    defineFeature({ name: "integrations", routes: integrationRoutes(integrations) }),
    defineFeature({ name: "transfer", routes: transferRoutes(exporter, importer) }),
    flowiseImports(parts),
    place("prices"),
    defineFeature({ name: "models", routes: confirmingDestinations(models, destinations, savesOfModels(uses)) }),
    defineFeature({
      name: "demo",
      routes: eventApiRoutes(config.eventApiPort),
      start: () => seedDemoAgents({ database, agents, eventApiPort: config.eventApiPort }),
    }),
  ];
}

function flowiseImports(parts: Parts): OpenFeature {
  const { dataDir, role } = parts.base.config;
  const imports = createFlowiseImportService({
    dataDir,
    importFlowise: (options) => importFlowise(toImportDeps(parts), options),
    logger: parts.base.logger,
  });
  const routes = flowiseImportRoutes(imports);
  // A worker has no uploads, and may share the folder with a process that does.
  if (role === "worker") return defineFeature({ name: "flowise-import", routes });
  return defineFeature({ name: "flowise-import", routes, start: imports.start, stop: imports.stop });
}
