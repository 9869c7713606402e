import { defineFeature } from "../feature.ts";
import { createServedAgents } from "../served-agents/served-agents.service.ts";
import { createCompletionService } from "./completions.service.ts";
import { openAiRoutes } from "./openai.routes.ts";

/** Agents as models: each needs a name, since a person picks one. */
export const openAiCompatible = defineFeature({
  name: "openAiCompatible",
  needs: ["agentReader", "apiKeys", "predictions", "runnables"],
  service(context, needs) {
    const agents = createServedAgents(needs.agentReader.listSettings, needs);
    return { agents, completions: createCompletionService(agents, context, needs) };
  },
  routes: openAiRoutes,
});
