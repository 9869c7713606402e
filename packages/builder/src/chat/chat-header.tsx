import { Badge, Popover, ScrollArea, Skeleton, Tooltip, UnstyledButton } from "@mantine/core";
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { client } from "../api/client.ts";
import { History, SquarePen, X } from "../icons/icons.gen.ts";
import { chatStrings } from "../strings.ts";
import { formatMoment } from "../ui/content/format.ts";
import { Action, IconAction } from "../ui/controls/actions.tsx";
import { ErrorNotice } from "../ui/page/notices.tsx";
import { Hint } from "../ui/text/hint.tsx";
import classes from "./chat-header.module.css";
import type { ChatSession } from "./session/chat-session.ts";
import { toChatList } from "./session/conversation.ts";

const messagesPerPage = 200;

/** Messages of an agent's chats in the builder, newest first. */
const chatMessagesQuery = (agentId: string) =>
  infiniteQueryOptions({
    queryKey: ["agents", agentId, "chat-messages"],
    initialPageParam: 1,
    staleTime: 0,
    queryFn: ({ pageParam: page, signal }) =>
      client.listInternalChatMessages({ id: agentId, page, limit: messagesPerPage, order: "DESC" }, { signal }),
    getNextPageParam: ({ total }, _pages, page) => (page * messagesPerPage < total ? page + 1 : undefined),
  });

type Props = {
  agentId: string;
  chatId: string;
  session: ChatSession;
  isRehearsal: boolean;
  heading: ReactNode;
  onClose: (() => void) | undefined;
};

export function ChatHeader({ agentId, chatId, session, isRehearsal, heading, onClose }: Props) {
  return (
    <header className={classes.header}>
      {heading ?? <h2 className={classes.title}>{chatStrings.title}</h2>}
      {isRehearsal && (
        <Tooltip label={chatStrings.rehearsalHelp} events={{ hover: true, focus: true, touch: true }}>
          <Badge variant="light" color="yellow" tt="none" fw={500} className={classes.badge} tabIndex={0}>
            {chatStrings.rehearsal}
          </Badge>
        </Tooltip>
      )}
      <span className={classes.space} />
      <HistoryMenu agentId={agentId} chatId={chatId} session={session} />
      <IconAction tip icon={SquarePen} label={chatStrings.newChat} onClick={session.newChat} />
      {onClose !== undefined && <IconAction tip icon={X} label={chatStrings.closeChat} onClick={onClose} />}
    </header>
  );
}

function HistoryMenu({ agentId, chatId, session }: Pick<Props, "agentId" | "chatId" | "session">) {
  const [isOpen, setOpen] = useState(false);
  const open = (chosen: string) => {
    setOpen(false);
    void session.openChat(chosen);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={320} shadow="md" trapFocus>
      <Popover.Target>
        <IconAction tip={!isOpen} icon={History} label={chatStrings.history} onClick={() => setOpen(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown p={8} aria-label={chatStrings.history}>
        <ChatHistory agentId={agentId} current={chatId} onOpen={open} />
      </Popover.Dropdown>
    </Popover>
  );
}

type ChatHistoryProps = { agentId: string; current: string; onOpen: (chatId: string) => void };

/** The agent's chats in the builder, newest first. */
function ChatHistory({ agentId, current, onOpen }: ChatHistoryProps) {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    chatMessagesQuery(agentId),
  );
  if (isPending) return <HistorySkeleton />;
  if (data === undefined) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  const chats = toChatList(data.pages.flatMap((page) => page.data));
  if (chats.length === 0) return <Hint p="xs">{chatStrings.historyEmpty}</Hint>;
  return (
    <ScrollArea.Autosize mah={360} type="auto">
      <ul className={classes.list}>
        {chats.map(({ chatId, title, updatedDate, messageCount }) => (
          <li key={chatId}>
            <UnstyledButton className={classes.chat} aria-current={chatId === current} onClick={() => onOpen(chatId)}>
              <span className={classes.chatHistoryTitle}>{title || chatStrings.historyUntitled}</span>
              <span className={classes.facts}>
                {formatMoment(updatedDate)} · {chatStrings.historyMessages({ count: messageCount })}
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Action
          label={chatStrings.historyMore}
          variant="subtle"
          size="xs"
          fullWidth
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        />
      )}
    </ScrollArea.Autosize>
  );
}

function HistorySkeleton() {
  return [0, 1, 2].map((index) => <Skeleton key={index} height={44} mb={4} radius="md" />);
}
