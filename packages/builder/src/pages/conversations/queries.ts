import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Conversation } from "@weft/client";
import { client } from "../../api/client.ts";
import { type ConversationsSearch, toConversationQuery } from "./conversations-search.ts";

export const conversationKeys = {
  all: ["conversations"] as const,
  one: (id: string) => ["conversations", "one", id] as const,
  messages: (id: string) => ["conversations", "messages", id] as const,
};

const perPage = 50;
const listRefreshMs = 10_000;
const openRefreshMs = 3_000;

/** A list looks at so many messages; the next ones are those until a moment. */
type Window = { page: number; endDate?: string };

/** The conversations that match, the newest first. Refetched while the tab is visible. */
export const conversationsQuery = (search: ConversationsSearch) =>
  infiniteQueryOptions({
    queryKey: [...conversationKeys.all, "list", toConversationQuery(search)],
    initialPageParam: { page: 1 } as Window,
    queryFn: ({ pageParam, signal }) =>
      client.listConversations({ ...toConversationQuery(search), ...pageParam, limit: perPage }, { signal }),
    getNextPageParam({ total, olderThan }, _pages, { page, ...older }): Window | undefined {
      if (page * perPage < total) return { ...older, page: page + 1 };
      return olderThan === null ? undefined : { page: 1, endDate: olderThan };
    },
    refetchInterval: listRefreshMs,
  });

export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: conversationKeys.one(id),
    queryFn: ({ signal }) => client.getConversation({ id }, { signal }),
    refetchInterval: openRefreshMs,
    retry: false,
  });

/** The messages of a conversation, the oldest first. */
export const messagesOfQuery = ({ id, agentId, chatId }: Pick<Conversation, "id" | "agentId" | "chatId">) =>
  queryOptions({
    queryKey: conversationKeys.messages(id),
    queryFn: ({ signal }) => client.listChatMessages({ id: agentId, chatId }, { signal }),
    refetchInterval: openRefreshMs,
  });
