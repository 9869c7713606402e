export { agentRoutes } from "./agent.routes.ts";
export {
  type AgentEvents,
  type AgentService,
  addFlowVersion,
  createAgentService,
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
export { createDraftService } from "./draft.service.ts";
export { createDraftRuns, type DraftRuns } from "./draft-runs.ts";
