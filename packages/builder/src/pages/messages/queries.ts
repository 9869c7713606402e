import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { ChatMessage, Feedback } from "@weft/client";
import { client } from "./client.ts";

/** Parameters of `listChatMessages` besides the agent and the page. */
export type MessageFilter = {
  startDate?: string;
  endDate?: string;
  chatType?: string;
  feedback?: string;
  feedbackType?: string;
  sessionId?: string;
};

const messagesPerPage = 300;
const messagesPerExport = 1_000;

/** The messages of an agent, the newest first, a page at a time. */
export const messagesQuery = (agentId: string, filter: MessageFilter) =>
  infiniteQueryOptions({
    queryKey: ["agents", agentId, "messages", filter],
    initialPageParam: 1,
    staleTime: 0,
    queryFn: ({ pageParam: page, signal }) =>
      client.listChatMessages({ id: agentId, ...filter, page, limit: messagesPerPage, order: "DESC" }, { signal }),
    getNextPageParam: ({ total }, _pages, page) => (page * messagesPerPage < total ? page + 1 : undefined),
  });

/** One conversation, the oldest message first. */
export const conversationQuery = (agentId: string, sessionId: string) =>
  queryOptions({
    queryKey: ["agents", agentId, "conversation", sessionId],
    staleTime: 0,
    queryFn: ({ signal }) => client.listChatMessages({ id: agentId, sessionId }, { signal }),
  });

export const feedbackQuery = (agentId: string) =>
  queryOptions({
    queryKey: ["agents", agentId, "feedback"],
    staleTime: 0,
    queryFn: ({ signal }) => client.listFeedback({ id: agentId }, { signal }),
    select: (list) => new Map(list.map((feedback) => [feedback.messageId, feedback])),
  });

export const chatStatsQuery = (agentId: string, filter: MessageFilter) =>
  queryOptions({
    queryKey: ["agents", agentId, "stats", filter],
    staleTime: 0,
    queryFn: ({ signal }) => client.getChatStats({ id: agentId, ...filter }, { signal }),
  });

/** The API answers 404 where there are none. */
export const leadsQuery = (agentId: string) =>
  queryOptions({
    queryKey: ["agents", agentId, "leads"],
    staleTime: 0,
    queryFn: ({ signal }) =>
      client.listLeads({ id: agentId }, { signal }).catch((cause: unknown) => {
        if ((cause as { status?: number }).status === 404) return [];
        throw cause;
      }),
  });

/** Every message that fits, the oldest first, with what people thought of it. */
export async function readAllMessages(agentId: string, filter: MessageFilter) {
  const feedback = await client.listFeedback({ id: agentId });
  const byMessage = new Map(feedback.map((one): [string, Feedback] => [one.messageId, one]));
  const messages: ChatMessage[] = [];
  for (let page = 1; ; page += 1) {
    const { data, total } = await client.listChatMessages({
      ...filter,
      id: agentId,
      page,
      limit: messagesPerExport,
      order: "ASC",
    });
    messages.push(...data);
    if (data.length === 0 || messages.length >= total) break;
  }
  return messages.map((message) => ({ message, feedback: byMessage.get(message.id) }));
}
