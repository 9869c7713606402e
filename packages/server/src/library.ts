import type { Database } from "@weft/database";
import { createUpsertHistoryService, recordUses, removeUsesOf } from "@weft/document-stores";
import type { SecretVault } from "@weft/egress";
import type { Clock, IdSource } from "@weft/engine";
import { ifFound } from "@weft/http";
import { type AgentDeleteHook, type AgentServiceDeps, createAgentService } from "./agents/index.ts";
import { createAssistantService } from "./assistants/assistant.service.ts";
import { createChatMessageService } from "./chat-messages/index.ts";
import type { Config } from "./config.ts";
import {
  createCredentialService,
  createHostBinding,
  createSecretBox,
  openEncryptionKeys,
} from "./credentials/index.ts";
import { createFeedbackService } from "./feedback/feedback.service.ts";
import { createFileService } from "./files/index.ts";
import { createLeadService, type LeadServiceDeps } from "./leads/lead.service.ts";
import { createToolService } from "./tools/tool.service.ts";
import { createVariableService } from "./variables/variable.service.ts";

export type LibraryDeps = {
  vault: SecretVault;
  config: Config;
  database: Database;
  clock: Clock;
  ids: IdSource;
  findApiKeyId: AgentServiceDeps["findApiKeyId"];
  checkFlow: AgentServiceDeps["checkFlow"];
  /** What else happens in the transaction that saves an agent. */
  onSave: NonNullable<AgentServiceDeps["onSave"]>;
  /** What goes with an agent or assistant besides what is stored here. */
  onDelete: readonly AgentDeleteHook[];
};

/** Everything that is stored and needs no running flow: agents, assistants, what people left with them, and what flows use. */
export async function createLibrary({ config, checkFlow, findApiKeyId, onSave, ...deps }: LibraryDeps) {
  const { database } = deps;
  const files = createFileService({
    ...deps,
    visitorFiles: config.visitorFiles,
    holdAgent: async (tx, id) => (await agents.hold(tx, id)) || assistants.exists(tx, id),
  });
  const messages = createChatMessageService({
    ...deps,
    onRemove: files.removeOfChats,
    leadEmailOf: (tx, chat) => leads.emailOf(tx, chat),
  });
  const holdAgent: LeadServiceDeps["holdAgent"] = (tx, id) => agents.hold(tx, id);
  const leads = createLeadService({ ...deps, holdAgent, nameMessages: messages.nameLead });
  const upsertHistory = createUpsertHistoryService(deps);
  const onDelete = [
    messages.removeOfAgent,
    files.removeOfAgent,
    leads.removeOfAgent,
    upsertHistory.removeOfAgent,
    removeUsesOf,
    ...deps.onDelete,
  ];
  const agents = createAgentService({ ...deps, checkFlow, findApiKeyId, onSave: [recordUses, ...onSave], onDelete });
  const secretBox = createSecretBox(await openEncryptionKeys(database, config.dataDir));
  const credentials = createCredentialService({ ...deps, secretBox, operator: config });
  const tools = createToolService(deps);
  const hasCredential = async (id: string) => (await ifFound(credentials.get(id))) !== undefined;
  const assistants = createAssistantService({
    ...deps,
    onDelete,
    flows: {
      ...agents,
      async addFlowVersion(tx, version) {
        await agents.addFlowVersion(tx, version);
        await recordUses(tx, { id: version.agentId, flowData: version.flowData });
      },
    },
    hasCredential,
    async kindOf(id) {
      if (await agents.exists(database.read, id)) return "agent";
      if ((await tools.find(id)) !== undefined) return "tool";
      return (await hasCredential(id)) ? "credential" : undefined;
    },
  });
  const variables = createVariableService({
    ...deps,
    runtimeVariables: config.runtimeVariables,
    defaults: config.variables,
  });
  const hostBinding = createHostBinding({ credentials, variables, operator: config });
  const feedback = createFeedbackService({ ...deps, messages });
  return {
    agents,
    assistants,
    credentials,
    hasCredential,
    feedback,
    files,
    hostBinding,
    leads,
    messages,
    tools,
    upsertHistory,
    variables,
  };
}
