import { type ChatClientAccess, defineRoute, type Route } from "@weft/http";
import { agentSchema, chatConfigSchema, streamingInfoSchema, uploadInfoSchema, uuidSchema } from "@weft/schema";
import { z } from "zod";
import type { ChatClientService } from "./chat-client.service.ts";

const info = {
  method: "GET",
  tag: "Chat clients",
  permission: { permission: "predictions:run", agentOf: ({ params }) => params.id, counts: "read" } as ChatClientAccess,
  agent: { param: "id" },
  params: z.object({ id: uuidSchema }),
  errors: [400, 404, 500],
} as const;

/** Chat clients' requests about an agent. Source: contract "Also served". */
export function chatClientRoutes(service: ChatClientService): Route[] {
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
      returns: { schema: chatConfigSchema },
      handle: ({ params }) => service.chatConfig(params.id),
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
