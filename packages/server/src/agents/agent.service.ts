import type { AgentServiceDeps } from "./agent-deps.ts";
import { createAgentReader } from "./agent-reader.ts";
import { createAgentWriter } from "./agent-writer.ts";

/** Agents and their versions. Every function that takes an agent's id rejects with `not-found` for an unknown one. */
export type AgentService = ReturnType<typeof createAgentReader> & ReturnType<typeof createAgentWriter>;

export function createAgentService(deps: AgentServiceDeps): AgentService {
  return { ...createAgentReader(deps), ...createAgentWriter(deps) };
}
