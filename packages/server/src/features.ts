import { agentReader, agents, assistants, draftRuns, drafts } from "./agents/feature.ts";
import { attachments } from "./attachments/feature.ts";
import { audit } from "./audit/feature.ts";
import { integrations, nodeTypes } from "./catalogue/feature.ts";
import { agentPolicies, chatClient, chatClientGate, publicAccess } from "./chat-client/feature.ts";
import { chatMessages, chats, conversations, feedback, files, leads } from "./chats/feature.ts";
import { confirmSave, credentials, credentialUses, destinations } from "./credentials/feature.ts";
import { demo } from "./demo/feature.ts";
import { components, documentStores, upsertHistory, vectorUpserts } from "./document-stores/feature.ts";
import { executions, runHost } from "./executions/feature.ts";
import type { Feature } from "./feature.ts";
import { flowDrafts } from "./flow-drafts/feature.ts";
import { flowiseImport, flowiseImportOverHttp } from "./flowise-import/feature.ts";
import { flowImports, flows } from "./flows/feature.ts";
import { hostedChat } from "./hosted-chat/feature.ts";
import { accounts, apiKeys, identity, people, singleSignOn } from "./identity/feature.ts";
import { commandServers, mcp } from "./mcp/feature.ts";
import { defaultModel, models } from "./models/feature.ts";
import { documents, nodeServices, sandboxes, sql } from "./node-services/feature.ts";
import { notices } from "./notices/index.ts";
import { openAiCompatible } from "./openai-compatible/feature.ts";
import { playground } from "./playground/feature.ts";
import { predictions, runnables } from "./predictions/feature.ts";
import { prices } from "./prices/feature.ts";
import { personalRuns, privacy } from "./privacy/feature.ts";
import { references } from "./references/feature.ts";
import { requestTrials } from "./request-trials/feature.ts";
import { retention } from "./retention/feature.ts";
import { schedules } from "./schedules/feature.ts";
import { health, system, telemetry } from "./telemetry/feature.ts";
import { templates } from "./templates/feature.ts";
import { textToSpeech } from "./text-to-speech/feature.ts";
import { tools } from "./tools/feature.ts";
import { transfer } from "./transfer/feature.ts";
import { variables } from "./variables/feature.ts";
import { webhooks } from "./webhooks/index.ts";

/** Internal features without client routes. They serve the features below, and stop after them. */
const inside: readonly Feature[] = [
  agentReader,
  runnables,
  // Before the feature that opens credentials: a wrong token key is reported first.
  identity,
  draftRuns,
  credentialUses,
  defaultModel,
  commandServers,
  sql,
  sandboxes,
  documents,
  nodeServices,
  chats,
  runHost,
  personalRuns,
  publicAccess,
  agentPolicies,
  chatClientGate,
  flows,
  flowiseImport,
  confirmSave,
];

/** Every feature of the platform. Operations are documented, events handled and work started in this order. */
export const features: readonly Feature[] = [
  ...inside,
  health,
  telemetry,
  system,
  accounts,
  apiKeys,
  people,
  singleSignOn,
  audit,
  agents,
  drafts,
  flowImports,
  flowDrafts,
  requestTrials,
  assistants,
  references,
  credentials,
  destinations,
  chatMessages,
  conversations,
  feedback,
  leads,
  documentStores,
  vectorUpserts,
  components,
  upsertHistory,
  variables,
  tools,
  attachments,
  files,
  executions,
  privacy,
  retention,
  predictions,
  mcp,
  openAiCompatible,
  chatClient,
  textToSpeech,
  hostedChat,
  webhooks,
  schedules,
  notices,
  nodeTypes,
  templates,
  integrations,
  transfer,
  flowiseImportOverHttp,
  prices,
  models,
  playground,
  demo,
];
