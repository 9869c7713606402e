import { defineFeature } from "../feature.ts";
import { createServedAgents } from "../served-agents/served-agents.service.ts";
import { createCompletionService } from "./completions.service.ts";
import { openAiRoutes } from "./openai.routes.ts";

/** Agents as models: all have a name, since a person picks one. */
export const openAiCompatible = defineFeature({
  name: "openAiCompatible",
  needs: ["agentReader", "apiKeys", "predictions", "runnables"],
  service: (_, { agentReader, runnables }) => createServedAgents({ ...runnables, listNamed: agentReader.listSettings }),
  routes: (agents, { apiKeys, predictions }, { clock, ids }) =>
    openAiRoutes({
      completions: createCompletionService({ agents, predictions, clock, ids }),
      agents,
      findApiKey: apiKeys.find,
    }),
});
