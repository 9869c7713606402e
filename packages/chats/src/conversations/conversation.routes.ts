import { defineRoute, type Route } from "@weft/http";
import { type Identity, nameOf, ownerOf, reachOf, readingReachOf } from "@weft/http/identity";
import {
  chatRepliesSchema,
  chatTypeSchema,
  conversationLimits,
  conversationListSchema,
  conversationSchema,
  conversationStates,
  conversationUpdateSchema,
  endMomentQuerySchema,
  momentQuerySchema,
  pageNumberQuerySchema,
  personReplySchema,
  ratingSchema,
  takeOverRequestSchema,
  uuidSchema,
  wholeNumberQuery,
} from "@weft/schema";
import { z } from "zod";
import type { Actor, ConversationService } from "./conversation.service.ts";

const one = {
  path: "/api/v1/conversations/{id}",
  tag: "Conversations",
  // An agent's id, a chat id and an owner, encoded.
  params: z.object({ id: z.string().max(2_000) }),
  bodyLimitBytes: 128 * 1_024,
} as const;

const listQuery = z.object({
  page: pageNumberQuerySchema.optional().meta({ default: 1 }),
  limit: wholeNumberQuery(1, 100).optional().meta({ default: 50 }),
  agentId: uuidSchema.optional(),
  chatType: chatTypeSchema.optional(),
  search: z.string().trim().min(1).max(200).optional().meta({ description: "Words of some message, in any case" }),
  rating: ratingSchema.optional().meta({ description: "Some answer was rated like this" }),
  label: z.string().trim().min(1).max(conversationLimits.label).optional(),
  state: z.enum(conversationStates).optional().meta({
    description:
      "`hand-over`: the agent asks for a person; `taken-over`: a person answers; `waiting`: a run waits for an answer; `failed`: a run failed",
  }),
  startDate: momentQuerySchema.optional(),
  endDate: endMomentQuerySchema.optional(),
});

/** Routes of `/conversations`. */
export function conversationRoutes(service: ConversationService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/conversations",
      operationId: "listConversations",
      summary: "List the conversations of all agents, the newest first",
      description:
        "A conversation is what an agent and someone said to each other under one chat id. The list looks at the last 5,000 messages, those before `endDate` if one is given; `olderThan` leads to older ones.",
      tag: one.tag,
      permission: "messages:read",
      query: listQuery,
      returns: { schema: conversationListSchema },
      errors: [400],
      handle: ({ query, identity }) => service.list({ ...query, reach: readingReachOf(identity) }),
    }),
    defineRoute({
      ...one,
      method: "GET",
      operationId: "getConversation",
      summary: "Get a conversation",
      description: "Its messages are listed by `listChatMessages`, with its chat id.",
      permission: "messages:read",
      returns: { schema: conversationSchema },
      errors: [400, 404],
      handle: ({ params, identity }) => service.get(params.id, readingReachOf(identity)),
    }),
    defineRoute({
      ...one,
      method: "PATCH",
      operationId: "updateConversation",
      summary: "Change the labels and the note of a conversation",
      permission: "chats:write",
      body: conversationUpdateSchema,
      returns: { schema: conversationSchema },
      errors: [400, 404],
      handle: ({ params, body, identity }) => service.update(params.id, body, reachOf(identity)),
    }),
    ...personRoutes(service),
  ];
}

function actorOf(identity: Identity | undefined): Actor {
  return { by: nameOf(identity) ?? "", owner: ownerOf(identity), reach: reachOf(identity) };
}

function personRoutes(service: ConversationService): Route[] {
  return [
    defineRoute({
      ...one,
      method: "PUT",
      path: `${one.path}/take-over`,
      operationId: "takeOverConversation",
      summary: "Answer a conversation in place of its agent",
      description:
        "Until it is handed back, its messages start no run and wait for replies. An answer that is being written is finished.",
      permission: "chats:write",
      body: takeOverRequestSchema,
      returns: { schema: conversationSchema },
      errors: [400, 404, 409],
      handle: ({ params, body, identity }) => service.takeOver(params.id, { ...body, ...actorOf(identity) }),
    }),
    defineRoute({
      ...one,
      method: "DELETE",
      path: `${one.path}/take-over`,
      operationId: "handBackConversation",
      summary: "Let the agent answer a conversation again",
      description: "Also one that someone else took over. The agent remembers what was said meanwhile.",
      permission: "chats:write",
      returns: { schema: conversationSchema },
      errors: [400, 404],
      handle: ({ params, identity }) => service.handBack(params.id, actorOf(identity)),
    }),
    defineRoute({
      ...one,
      method: "DELETE",
      path: `${one.path}/hand-over`,
      operationId: "declineHandOver",
      summary: "Leave a conversation whose agent asks for a person to the agent",
      permission: "chats:write",
      returns: { schema: conversationSchema },
      errors: [400, 404],
      handle: ({ params, identity }) => service.declineHandOver(params.id, actorOf(identity)),
    }),
    defineRoute({
      ...one,
      method: "POST",
      path: `${one.path}/replies`,
      operationId: "replyToConversation",
      summary: "Write to a conversation that one has taken over",
      permission: "chats:write",
      body: personReplySchema,
      returns: { schema: chatRepliesSchema.shape.replies.element },
      errors: [400, 404, 409],
      recall: (id) => service.findReply(id),
      handle: ({ params, body, newId, identity }) =>
        service.reply(params.id, { ...body, id: newId, ...actorOf(identity) }),
    }),
  ];
}
