import { type AgentPolicies, type ChatClientGate, createChatClientGate } from "../access/index.ts";
import { defineFeature } from "../feature.ts";
import { createAgentPolicies } from "./agent-policies.ts";
import { chatClientRoutes } from "./chat-client.routes.ts";
import { createChatClientService } from "./chat-client.service.ts";

declare module "../feature.ts" {
  interface Services {
    agentPolicies: AgentPolicies;
    chatClientGate: ChatClientGate;
  }
}

export const agentPolicies = defineFeature({
  name: "agentPolicies",
  needs: ["agentReader"],
  service: createAgentPolicies,
});

export const chatClientGate = defineFeature({
  name: "chatClientGate",
  needs: ["agentPolicies"],
  service: ({ config, limits }, { agentPolicies: policies }) => createChatClientGate({ ...config, limits, policies }),
});

export const chatClient = defineFeature({
  name: "chatClient",
  needs: ["defaultModel", "runnables"],
  service: createChatClientService,
  routes: chatClientRoutes,
});
