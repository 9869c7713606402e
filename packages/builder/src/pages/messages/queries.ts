import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { ChatMessage, Feedback } from "@weft/client";
import { client } from "../../api/client.ts";

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

/** A conversation as the list shows it: by its newest message. */
export type SessionSummary = {
  sessionId: string;
  title: string;
  updatedDate: string;
  count: number;
  rating: "THUMBS_UP" | "THUMBS_DOWN" | undefined;
};

type Row = Pick<ChatMessage, "id" | "sessionId" | "role" | "content" | "createdDate">;

/**
 * The sessions of these messages, the one with the newest message first. `messages`: newest first. `ratings` by
 * message; a bad one takes precedence over a good one.
 */
export function groupSessions(
  messages: readonly Row[],
  ratings: ReadonlyMap<string, "THUMBS_UP" | "THUMBS_DOWN"> = new Map(),
): SessionSummary[] {
  return Array.from(
    Map.groupBy(messages, ({ sessionId }) => sessionId),
    ([sessionId, own]) => {
      const rated = own.map(({ id }) => ratings.get(id));
      const first = own.findLast(({ role, content }) => role === "userMessage" && content.trim() !== "");
      return {
        sessionId,
        title: first?.content.trim() ?? own.find(({ content }) => content.trim() !== "")?.content.trim() ?? "",
        updatedDate: own[0]?.createdDate ?? "",
        count: own.length,
        rating: rated.includes("THUMBS_DOWN") ? "THUMBS_DOWN" : rated.includes("THUMBS_UP") ? "THUMBS_UP" : undefined,
      };
    },
  );
}

/**
 * Comma-separated values (RFC 4180) with a byte order mark, so that spreadsheets read them as UTF-8. Texts that a
 * spreadsheet would run as a formula are prefixed with an apostrophe, because they are untrusted.
 */
export function toCsv(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return `\uFEFF${[header, ...rows].map((row) => row.map(toCell).join(",")).join("\r\n")}\r\n`;
}

function toCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
