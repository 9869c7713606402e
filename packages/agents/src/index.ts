export {
  type AgentEvents,
  type AgentReader,
  type AgentService,
  agentRoutes,
  type CheckedSettings,
  createAgentReader,
  createAgentService,
  createDraftRuns,
  createDraftService,
  createFlowCache,
  type DraftRuns,
  type DraftService,
  draftRoutes,
  type FlowCache,
  type NamingSettings,
  type RunnableAgent,
} from "./agents/index.ts";
export { assistantRoutes } from "./assistants/assistant.routes.ts";
export { type AssistantService, createAssistantService, toAssistantFlow } from "./assistants/assistant.service.ts";
export { type AssistantReader, createAssistantReader } from "./assistants/assistant-reader.ts";
