export { agentRoutes } from "./agent.routes.ts";
export { type AgentService, createAgentService } from "./agent.service.ts";
export type { AgentDeleteHook, AgentServiceDeps, RunnableAgent } from "./agent-reader.ts";
export { createFlowCache, type FlowCache } from "./flow-cache.ts";
