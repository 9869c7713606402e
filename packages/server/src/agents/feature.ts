import {
  type AgentReader,
  type AgentService,
  type AssistantService,
  agentRoutes,
  assistantRoutes,
  createAgentReader,
  createAgentService,
  createAssistantService,
  createDraftRuns,
  createDraftService,
  type DraftRuns,
  type DraftService,
  draftRoutes,
} from "@weft/agents";
import { defineFeature } from "../feature.ts";
import { createReachCheck } from "../references/index.ts";

declare module "../feature.ts" {
  interface Services {
    agentReader: AgentReader;
    draftRuns: DraftRuns;
    drafts: DraftService;
    agents: AgentService;
    assistants: AssistantService;
  }
}

/** Reads of agents for other features. It has no dependencies, so every other feature can be created after it. */
export const agentReader = defineFeature({
  name: "agentReader",
  service: ({ database }) => createAgentReader(database),
});

export const draftRuns = defineFeature({ name: "draftRuns", service: createDraftRuns });

export const agents = defineFeature({
  name: "agents",
  needs: ["apiKeys", "flows"],
  tables: ["agents", "agentVersions"],
  service: (context, { apiKeys, flows }) =>
    createAgentService({ ...context, checkFlow: flows.check, findApiKey: apiKeys.find }),
  routes: (agents, _, { nodeTypes }) => agentRoutes(agents, createReachCheck(nodeTypes)),
});

export const drafts = defineFeature({
  name: "drafts",
  needs: ["flows"],
  tables: ["agentDrafts"],
  service: (context, { flows }) => createDraftService({ ...context, checkFlow: flows.check }),
  routes: (drafts, _, { nodeTypes }) => draftRoutes(drafts, createReachCheck(nodeTypes)),
});

export const assistants = defineFeature({
  name: "assistants",
  needs: ["agentReader", "credentials", "tools"],
  tables: ["assistants"],
  service: (context, { agentReader, credentials, tools }) =>
    createAssistantService({
      ...context,
      flowOfVersion: agentReader.flowOfVersion,
      hasCredential: credentials.has,
      async kindOf(id) {
        if (await agentReader.exists(context.database.read, id)) return "agent";
        if ((await tools.find(id)) !== undefined) return "tool";
        return (await credentials.has(id)) ? "credential" : undefined;
      },
    }),
  routes: (assistants, _, { nodeTypes }) => assistantRoutes(assistants, createReachCheck(nodeTypes)),
});
