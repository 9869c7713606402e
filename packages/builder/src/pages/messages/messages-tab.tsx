import { Text } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { MessagesSquare } from "lucide-react";
import { feedbackQuery, messagesQuery } from "../../api/messages.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ListBody } from "../../components/list-body.tsx";
import { messagesStrings } from "../../strings/messages.ts";
import { ChatStats } from "./chat-stats.tsx";
import { Conversation } from "./conversation.tsx";
import { groupSessions } from "./group-sessions.ts";
import { MessageFilters } from "./message-filters.tsx";
import classes from "./messages.module.css";
import { hasFilters, type MessagesSearch, toMessageFilter, toStatsFilter } from "./messages-search.ts";
import { SessionList } from "./session-list.tsx";

type Props = {
  agentId: string;
  agentName: string;
  search: MessagesSearch;
  onSearch(search: MessagesSearch): void;
};

/** Conversations at the left, the one that is read at the right. */
export function MessagesTab({ agentId, agentName, search, onSearch }: Props) {
  const filter = toMessageFilter(search);
  const messages = useInfiniteQuery(messagesQuery(agentId, filter));
  const { data: feedback } = useQuery(feedbackQuery(agentId));
  const ratings = new Map(Array.from(feedback ?? [], ([id, { rating }]) => [id, rating]));
  return (
    <>
      <ChatStats agentId={agentId} filter={toStatsFilter(search)} />
      <MessageFilters agentId={agentId} agentName={agentName} search={search} onSearch={onSearch} />
      <ListBody query={messages} rowHeight={64}>
        {({ pages }) => {
          const sessions = groupSessions(
            pages.flatMap(({ data }) => data),
            ratings,
          );
          if (sessions.length === 0) {
            const isFiltered = hasFilters(search);
            return (
              <EmptyState
                icon={MessagesSquare}
                title={isFiltered ? messagesStrings.nothingTitle : messagesStrings.emptyTitle}
                text={isFiltered ? messagesStrings.nothingText : messagesStrings.emptyText}
              />
            );
          }
          return (
            <div className={classes.split}>
              <SessionList
                sessions={sessions}
                openId={search.open}
                onOpen={(open) => onSearch({ ...search, open })}
                hasMore={messages.hasNextPage}
                isLoadingMore={messages.isFetchingNextPage}
                onMore={() => void messages.fetchNextPage()}
              />
              {search.open === undefined ? (
                <Text c="dimmed" size="sm" className={classes.placeholder}>
                  {messagesStrings.choose}
                </Text>
              ) : (
                <Conversation agentId={agentId} sessionId={search.open} feedback={feedback} />
              )}
            </div>
          );
        }}
      </ListBody>
    </>
  );
}
