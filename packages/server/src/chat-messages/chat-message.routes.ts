import { chatMessageSchema, pageSchema, uuidSchema } from "@weft/schema";
import { z } from "zod";
import { defineRoute, type Route } from "../http/define-route.ts";
import type { ChatMessageService } from "./chat-message.service.ts";
import { messageDeleteQuerySchema, messageListQuerySchema } from "./chat-message-query.ts";

const tag = "Chat messages";

/** Routes of `/chatmessage` (reference, "Chat messages"). */
export function chatMessageRoutes(service: ChatMessageService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/chatmessage/{id}",
      operationId: "listChatMessages",
      summary: "List the messages of an agent, oldest first",
      description: "An unknown agent has no messages.",
      tag,
      permission: "messages:read",
      params: z.object({ id: z.string().toLowerCase() }),
      query: messageListQuerySchema,
      returns: { schema: z.union([z.array(chatMessageSchema), pageSchema(chatMessageSchema)]) },
      errors: [400],
      handle: ({ params, query: { feedback, feedbackType: _, ...filter } }) =>
        service.list(params.id, { ...filter, withFeedback: feedback }),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/v1/chatmessage/{id}",
      operationId: "deleteChatMessages",
      summary: "Delete the messages of an agent that match the filters",
      description:
        "No third-party service is asked to forget: with `hardDelete` the answer says so in the header X-Hard-Delete.",
      tag,
      permission: "messages:write",
      params: z.object({ id: uuidSchema }),
      query: messageDeleteQuerySchema,
      returns: null,
      errors: [400, 404],
      handle: async ({ params, query: { feedbackType, hardDelete, ...filter } }) => {
        await service.remove(params.id, { ...filter, withFeedback: feedbackType !== undefined });
        if (hardDelete === true) return new Response(null, { headers: { "X-Hard-Delete": "unsupported" } });
        return undefined;
      },
    }),
  ];
}
