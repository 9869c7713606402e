export { type AssertMayName, agentRoutes } from "./agent.routes.ts";
export {
  type AgentEvents,
  type AgentService,
  addFlowVersion,
  type CheckedSettings,
  createAgentService,
  type NamingSettings,
  removeFlowVersions,
} from "./agent.service.ts";
export {
  type AgentReader,
  createAgentReader,
  createFlowCache,
  type FlowCache,
  type RunnableAgent,
} from "./agent-reader.ts";
export { draftRoutes } from "./draft.routes.ts";
export { createDraftService, type DraftService } from "./draft.service.ts";
export { createDraftRuns, type DraftRuns } from "./draft-runs.ts";
