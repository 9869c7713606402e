import { defineRoute, type Route, reachOf } from "@weft/http";
import { chatMessageSchema, chatStatsSchema, pageSchema, uuidSchema } from "@weft/schema";
import { z } from "zod";
import type { ChatMessageService } from "./chat-message.service.ts";
import {
  chatStatsQuerySchema,
  messageDeleteQuerySchema,
  messageListQuerySchema,
  toListFilter,
} from "./chat-message-query.ts";

const tag = "Chat messages";
/** The reads have no 400 for their path: a malformed id is an unknown one. */
const looseParams = z.object({ id: z.string().toLowerCase() });
const messageList = { schema: z.union([z.array(chatMessageSchema), pageSchema(chatMessageSchema)]) };

/** Routes of `/chatmessage` (reference, "Chat messages"), of the builder's own chats, and of what they add up to. */
export function chatMessageRoutes(service: ChatMessageService): Route[] {
  return [...readRoutes(service), deleteRoute(service)];
}

function readRoutes(service: ChatMessageService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/chatmessage/{id}",
      operationId: "listChatMessages",
      summary: "List the messages of an agent, oldest first",
      description:
        "An unknown agent has no messages. With `feedback=true`, only messages with feedback are listed, together with that feedback.",
      tag,
      permission: "messages:read",
      params: looseParams,
      query: messageListQuerySchema,
      returns: messageList,
      errors: [400],
      handle: ({ params, query, identity }) =>
        service.list(params.id, { ...toListFilter(query), reach: reachOf(identity) }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/internal-chatmessage/{id}",
      operationId: "listInternalChatMessages",
      summary: "List the messages of an agent's chats in the builder, oldest first",
      tag,
      permission: "messages:read",
      params: looseParams,
      query: messageListQuerySchema.omit({ chatType: true }),
      returns: messageList,
      errors: [400],
      handle: ({ params, query, identity }) =>
        service.list(params.id, { ...toListFilter(query), chatType: ["INTERNAL"], reach: reachOf(identity) }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/stats/{id}",
      operationId: "getChatStats",
      summary: "Count the messages, sessions and ratings of an agent",
      tag,
      permission: "messages:read",
      params: looseParams,
      query: chatStatsQuerySchema,
      returns: { schema: chatStatsSchema },
      errors: [400],
      handle: ({ params, query: { feedbackType, ...filter }, identity }) =>
        service.stats(params.id, { ...filter, rated: feedbackType, reach: reachOf(identity) }),
    }),
  ];
}

function deleteRoute(service: ChatMessageService): Route {
  return defineRoute({
    method: "DELETE",
    path: "/api/v1/chatmessage/{id}",
    operationId: "deleteChatMessages",
    summary: "Delete the messages of an agent that match the filters, and the feedback on them",
    description:
      "Data held by third-party services is not deleted; with `hardDelete` the response says so in the header X-Hard-Delete.",
    tag,
    permission: "messages:write",
    params: z.object({ id: uuidSchema }),
    query: messageDeleteQuerySchema,
    returns: null,
    errors: [400, 404],
    handle: async ({ params, query: { feedbackType, hardDelete, ...filter }, identity }) => {
      await service.remove(params.id, { ...filter, rated: feedbackType, reach: reachOf(identity) });
      if (hardDelete === true) return new Response(null, { headers: { "X-Hard-Delete": "unsupported" } });
      return undefined;
    },
  });
}
