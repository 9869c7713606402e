import { defineRoute, type Route } from "@weft/http";
import { reachOf, readingReachOf } from "@weft/http/identity";
import {
  chatMessageSchema,
  chatStatsSchema,
  chatTypeSchema,
  endMomentQuerySchema,
  momentQuerySchema,
  pageQuerySchema,
  pageSchema,
  parseJson,
  ratingSchema,
  uuidSchema,
} from "@weft/schema";
import { z } from "zod";
import type { ChatMessageService } from "./chat-message.service.ts";

const tag = "Chat messages";
/** The reads have no 400 for their path: a malformed id is an unknown one. */
const looseParams = z.object({ id: z.string().toLowerCase() });
const messageList = { schema: z.union([z.array(chatMessageSchema), pageSchema(chatMessageSchema)]) };

/** Routes of `/chatmessage` (reference, "Chat messages"), of the builder's own chats, and of their statistics. */
export function chatMessageRoutes(service: ChatMessageService, eraseRuns: EraseRuns): Route[] {
  return [...readRoutes(service), deleteRoute(service, eraseRuns)];
}

/** Erases runs with their journals, and runs derived from them. */
export type EraseRuns = (ids: readonly string[]) => Promise<void>;

function readRoutes(service: ChatMessageService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/chatmessage/{id}",
      operationId: "listChatMessages",
      audit: "others-chats",
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
        service.list(params.id, { ...toListFilter(query), reach: readingReachOf(identity) }),
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
        service.list(params.id, { ...toListFilter(query), chatType: ["INTERNAL"], reach: readingReachOf(identity) }),
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
        service.stats(params.id, { ...filter, rated: feedbackType, reach: readingReachOf(identity) }),
    }),
  ];
}

function deleteRoute(service: ChatMessageService, eraseRuns: EraseRuns): Route {
  return defineRoute({
    method: "DELETE",
    path: "/api/v1/chatmessage/{id}",
    operationId: "deleteChatMessages",
    summary: "Delete the messages of an agent that match the filters, and the feedback on them",
    description:
      "With `hardDelete` the runs of these messages are erased too, with everything that their journals say; those that are under way are cancelled. Data held by third-party services is not deleted; the response says so in the header X-Hard-Delete.",
    tag,
    permission: "messages:write",
    params: z.object({ id: uuidSchema }),
    query: messageDeleteQuerySchema,
    returns: null,
    errors: [400, 404],
    handle: async ({ params, query: { feedbackType, hardDelete, ...query }, identity }) => {
      const filter = { ...query, rated: feedbackType, reach: reachOf(identity) };
      // Runs first: after an interruption their messages still lead to them.
      if (hardDelete === true) await eraseRuns(await service.runsOf(params.id, filter));
      await service.remove(params.id, filter);
      if (hardDelete === true) return new Response(null, { headers: { "X-Hard-Delete": "unsupported" } });
      return undefined;
    },
  });
}

/** A flag as query text: `true`, `false`, `1` or `0`, in any case. */
const flagQuerySchema = z
  .string()
  .toLowerCase()
  .meta({ description: "true or false" })
  .pipe(z.enum(["true", "false", "1", "0"]))
  .transform((text) => text === "true" || text === "1");

/** One value, several of the same name, or a JSON array of them. */
function listQuerySchema<T extends z.ZodEnum>(item: T) {
  return z
    .union([z.string(), z.array(z.string())])
    .meta({ description: `${item.options.join(" or ")}; may be repeated or sent as a JSON array` })
    .transform(toList)
    .pipe(z.array(item).min(1));
}

const counted = {
  chatType: listQuerySchema(chatTypeSchema).optional(),
  startDate: momentQuerySchema.optional(),
  endDate: endMomentQuerySchema.optional(),
  feedbackType: listQuerySchema(ratingSchema).optional(),
};

const filters = {
  ...counted,
  chatId: z.string().optional(),
  sessionId: z.string().optional(),
  memoryType: z.string().optional(),
};

/** Query of `GET /chatmessage/{id}`. `feedbackType` counts only where `feedback` is true. */
const messageListQuerySchema = pageQuerySchema.extend({
  ...filters,
  messageId: uuidSchema.optional(),
  order: z.enum(["ASC", "DESC"]).meta({ default: "ASC" }).optional(),
  feedback: flagQuerySchema.optional(),
});

/** Query of `DELETE /chatmessage/{id}`. */
const messageDeleteQuerySchema = z.object({ ...filters, hardDelete: flagQuerySchema.optional() });

/** Query of `GET /stats/{id}`. */
const chatStatsQuerySchema = z.object(counted);

/** The filter of a list: with `feedback` only messages that have some, of any rating unless `feedbackType` is set. */
function toListFilter({ feedback, feedbackType, ...filter }: z.output<typeof messageListQuerySchema>) {
  return { ...filter, rated: feedback === true ? (feedbackType ?? ratingSchema.options) : undefined };
}

function toList(value: string | string[]): unknown {
  if (Array.isArray(value)) return value;
  if (!value.startsWith("[")) return [value];
  return parseJson(value) ?? [value];
}
