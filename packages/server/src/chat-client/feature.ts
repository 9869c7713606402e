import { type AgentPolicies, type ChatClientGate, createChatClientGate } from "../access/index.ts";
import { defineFeature } from "../feature.ts";
import { createAgentPolicies } from "./agent-policies.ts";
import { chatClientRoutes } from "./chat-client.routes.ts";
import { createChatClientService } from "./chat-client.service.ts";
import { publicAccessRoutes } from "./public-access.routes.ts";
import { createPublicAccess, type PublicAccess } from "./public-access.ts";

declare module "../feature.ts" {
  interface Services {
    agentPolicies: AgentPolicies;
    chatClientGate: ChatClientGate;
    publicAccess: PublicAccess;
  }
}

export const publicAccess = defineFeature({
  name: "publicAccess",
  service: createPublicAccess,
  routes: publicAccessRoutes,
});

export const agentPolicies = defineFeature({
  name: "agentPolicies",
  needs: ["agentReader", "publicAccess"],
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
