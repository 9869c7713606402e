import { ifFound } from "@weft/http";
import { WeftError } from "@weft/schema";
import type { AgentService } from "../agents/agent.service.ts";
import type { AssistantService } from "../assistants/assistant.service.ts";

/** Everything that a prediction can be sent to: agents, and assistants as the agents they amount to. */
export type Runnables = Pick<AgentService, "exists" | "findSettings" | "flowOfVersion" | "getForRun">;

export function createRunnables(agents: AgentService, assistants: AssistantService): Runnables {
  return {
    flowOfVersion: agents.flowOfVersion,
    findSettings: agents.findSettings,
    exists: async (tx, id) => (await agents.exists(tx, id)) || assistants.exists(tx, id),
    async getForRun(id) {
      const found = (await ifFound(agents.getForRun(id))) ?? (await ifFound(assistants.getForRun(id)));
      if (found === undefined) throw new WeftError("not-found", { params: { resource: "agent", id } });
      return found;
    },
  };
}
