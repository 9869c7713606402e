import { type ChatClientAccess, defineRoute, type Route } from "@weft/http";
import { mayChangeAgents } from "@weft/http/identity";
import {
  agentSchema,
  chatConfigSchema,
  publicAccessChoiceSchema,
  publicAccessSchema,
  streamingInfoSchema,
  uploadInfoSchema,
  uuidSchema,
  WeftError,
} from "@weft/schema";
import { z } from "zod";
import { type AgentPolicies, type ChatClientGate, createChatClientGate } from "../access/index.ts";
import { defineFeature } from "../feature.ts";
import { createAgentPolicies } from "./agent-policies.ts";
import { type ChatClientService, createChatClientService } from "./chat-client.service.ts";
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
  needs: ["defaultModel", "drafts", "runnables"],
  service: createChatClientService,
  routes: chatClientRoutes,
});

const info = {
  method: "GET",
  tag: "Chat clients",
  permission: { permission: "predictions:run", agentOf: ({ params }) => params.id, counts: "read" } as ChatClientAccess,
  agent: { param: "id" },
  params: z.object({ id: uuidSchema }),
  errors: [400, 404, 500],
} as const;

/** Chat clients' requests about an agent. Source: contract "Also served". */
function chatClientRoutes(service: ChatClientService): Route[] {
  return [
    defineRoute({
      ...info,
      path: "/api/v1/chatflows-streaming/{id}",
      operationId: "getStreamingInfo",
      summary: "Check whether an agent's answers can be streamed",
      description:
        "Always true, even for an unknown agent, so it reveals nothing about an agent. It needs no credentials because published SDKs only send theirs with the prediction.",
      permission: { ...info.permission, permission: "open" },
      agent: "reach",
      errors: [400],
      returns: { schema: streamingInfoSchema },
      handle: async () => ({ isStreaming: true }),
    }),
    defineRoute({
      ...info,
      path: "/api/v1/chatflows-uploads/{id}",
      operationId: "getUploadInfo",
      summary: "Get the file types an agent accepts",
      returns: { schema: uploadInfoSchema },
      handle: ({ params }) => service.uploadInfo(params.id),
    }),
    defineRoute({
      ...info,
      path: "/api/v1/public-chatbotConfig/{id}",
      operationId: "getChatConfig",
      summary: "Get the appearance and features of an agent's chat",
      query: z.object({
        draft: z
          .enum(["true", "false"])
          .default("false")
          .meta({ description: "Whether to use the agent's draft. Only for callers that may edit agents." }),
      }),
      returns: { schema: chatConfigSchema },
      errors: [...info.errors, 403],
      handle({ params, query, identity }) {
        if (query.draft === "false") return service.chatConfig(params.id);
        if (!mayChangeAgents(identity)) throw new WeftError("draft-for-editors");
        return service.draftChatConfig(params.id);
      },
    }),
    defineRoute({
      ...info,
      path: "/api/v1/public-chatflows/{id}",
      operationId: "getPublicAgent",
      summary: "Get an agent's public configuration",
      description: "The flow is reduced to the form of its start node, without keys, settings or prompts.",
      permission: { ...info.permission, permission: "agents:read" },
      returns: { schema: agentSchema },
      handle: ({ params }) => service.publicAgent(params.id),
    }),
  ];
}

const shared = {
  path: "/api/v1/public-access",
  tag: "Chat clients",
  returns: { schema: publicAccessSchema },
} as const;

/** Whether visitors may use public agents at all. API keys are for programs and cannot open a server to everyone. */
function publicAccessRoutes(access: PublicAccess): Route[] {
  return [
    defineRoute({
      ...shared,
      method: "GET",
      operationId: "getPublicAccess",
      summary: "Get whether public agents answer without credentials",
      permission: "signed-in",
      errors: [],
      handle: () => access.get(),
    }),
    defineRoute({
      ...shared,
      method: "PUT",
      operationId: "choosePublicAccess",
      summary: "Choose whether public agents answer without credentials",
      description: "Only where the environment does not decide with `ALLOW_PUBLIC_FLOWS`.",
      permission: "settings:write",
      body: publicAccessChoiceSchema,
      errors: [400, 409],
      handle: ({ body: { isAllowed } }) => access.choose(isAllowed),
    }),
  ];
}
