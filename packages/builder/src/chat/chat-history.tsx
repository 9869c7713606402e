import { Button, ScrollArea, Skeleton, Text, UnstyledButton } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { ErrorNotice } from "../components/error-notice.tsx";
import { chatStrings } from "../strings/chat.ts";
import { formatMoment } from "../trace/format-moment.ts";
import classes from "./chat-history.module.css";
import { toChatList } from "./chat-list.ts";
import { chatMessagesQuery } from "./chat-queries.ts";

type Props = { agentId: string; current: string; onOpen: (chatId: string) => void };

/** The agent's chats in the builder, the newest first. */
export function ChatHistory({ agentId, current, onOpen }: Props) {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    chatMessagesQuery(agentId),
  );
  if (isPending) return <HistorySkeleton />;
  if (data === undefined) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  const chats = toChatList(data.pages.flatMap((page) => page.data));
  if (chats.length === 0)
    return (
      <Text size="sm" c="dimmed" p="xs">
        {chatStrings.historyEmpty}
      </Text>
    );
  return (
    <ScrollArea.Autosize mah={360} type="auto">
      <ul className={classes.list}>
        {chats.map(({ chatId, title, updatedDate, messageCount }) => (
          <li key={chatId}>
            <UnstyledButton className={classes.chat} aria-current={chatId === current} onClick={() => onOpen(chatId)}>
              <span className={classes.title}>{title || chatStrings.historyUntitled}</span>
              <span className={classes.facts}>
                {formatMoment(updatedDate)} · {chatStrings.historyMessages(messageCount)}
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="subtle" size="xs" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {chatStrings.historyMore}
        </Button>
      )}
    </ScrollArea.Autosize>
  );
}

function HistorySkeleton() {
  return [0, 1, 2].map((index) => <Skeleton key={index} height={44} mb={4} radius="md" />);
}
