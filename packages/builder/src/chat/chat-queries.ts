import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Execution } from "@weft/client";
import { client } from "../api/client.ts";

/** Settings of the chat with an agent: its appearance and accepted input. */
export const chatConfigQuery = (agentId: string) =>
  queryOptions({
    queryKey: ["agents", agentId, "chat-config"],
    queryFn: ({ signal }) => client.getChatConfig({ id: agentId }, { signal }),
  });

const messagesPerPage = 200;

/** Messages of an agent's chats in the builder, the newest first. */
export const chatMessagesQuery = (agentId: string) =>
  infiniteQueryOptions({
    queryKey: ["agents", agentId, "chat-messages"],
    initialPageParam: 1,
    staleTime: 0,
    queryFn: ({ pageParam: page, signal }) =>
      client.listInternalChatMessages({ id: agentId, page, limit: messagesPerPage, order: "DESC" }, { signal }),
    getNextPageParam: ({ total }, _pages, page) => (page * messagesPerPage < total ? page + 1 : undefined),
  });

/** An object URL for a chat's image; valid as long as the page is open. */
export const pictureQuery = (file: { chatflowId: string; chatId: string; fileName: string }) =>
  queryOptions({
    queryKey: ["chat-picture", file.chatflowId, file.chatId, file.fileName],
    queryFn: async ({ signal }) => URL.createObjectURL(await client.getUploadFile(file, { signal })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** The messages of a run, oldest first. Refetched whenever the run changes. */
export const chatMessagesOfRunQuery = (run: Pick<Execution, "id" | "agentflowId" | "chatId" | "updatedDate">) =>
  queryOptions({
    queryKey: ["executions", "messages", run.id, run.updatedDate],
    placeholderData: keepPreviousData,
    async queryFn({ signal }) {
      const messages = await client.listChatMessages({ id: run.agentflowId, chatId: run.chatId }, { signal });
      return messages.filter(({ executionId }) => executionId === run.id);
    },
  });
