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

/** What chat clients ask about an agent. Source: contract "Also served". */
export function chatClientRoutes(service: ChatClientService): Route[] {
  return [
    defineRoute({
      ...info,
      path: "/api/v1/chatflows-streaming/{id}",
      operationId: "getStreamingInfo",
      summary: "Whether an agent's answers can be streamed",
      description:
        "Every agent's can, so this tells nothing of one, not even whether it is there. It needs no credentials: published SDKs send theirs with the prediction alone.",
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
      summary: "Which files an agent takes",
      returns: { schema: uploadInfoSchema },
      handle: ({ params }) => service.uploadInfo(params.id),
    }),
    defineRoute({
      ...info,
      path: "/api/v1/public-chatbotConfig/{id}",
      operationId: "getChatConfig",
      summary: "How a chat with an agent looks, and what it offers",
      returns: { schema: chatConfigSchema },
      handle: ({ params }) => service.chatConfig(params.id),
    }),
    defineRoute({
      ...info,
      path: "/api/v1/public-chatflows/{id}",
      operationId: "getPublicAgent",
      summary: "Read what an agent shows to its visitors",
      description: "Of the flow the form of its start node alone; no key, no settings, no prompt.",
      permission: { ...info.permission, permission: "agents:read" },
      returns: { schema: agentSchema },
      handle: ({ params }) => service.publicAgent(params.id),
    }),
  ];
}
