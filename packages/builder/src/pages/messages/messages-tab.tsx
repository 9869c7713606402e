import { Alert, Badge, Group, Text, UnstyledButton } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { ChatMessage, Feedback } from "@weft/client";
import { MessagesSquare, ThumbsDown, ThumbsUp } from "../../icons/icons.gen.ts";
import { formatList, formatNumber } from "../../languages/index.ts";
import { commonStrings, conversationsStrings, messagesStrings } from "../../strings.ts";
import { formatPercent } from "../../ui/content/format.ts";
import { Markdown } from "../../ui/content/markdown.tsx";
import { Moment } from "../../ui/content/time.tsx";
import { Action } from "../../ui/controls/actions.tsx";
import { TextLink } from "../../ui/controls/links.tsx";
import { ListBody } from "../../ui/page/notices.tsx";
import { EmptyState } from "../../ui/page/page.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { MessageFilters } from "./message-filters.tsx";
import classes from "./messages.module.css";
import {
  type ChangeSearch,
  hasFilters,
  type MessagesSearch,
  toMessageFilter,
  toStatsFilter,
} from "./messages-search.ts";
import {
  chatStatsQuery,
  conversationQuery,
  feedbackQuery,
  groupSessions,
  type MessageFilter,
  messagesQuery,
  type SessionSummary,
} from "./queries.ts";

type Props = {
  agentId: string;
  agentName: string;
  search: MessagesSearch;
  onSearch: ChangeSearch;
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
                onOpen={(open) => onSearch((now) => ({ ...now, open }))}
                hasMore={messages.hasNextPage}
                isLoadingMore={messages.isFetchingNextPage}
                onMore={() => void messages.fetchNextPage()}
              />
              {search.open === undefined ? (
                <Hint className={classes.placeholder}>{messagesStrings.choose}</Hint>
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

function ChatStats({ agentId, filter }: { agentId: string; filter: MessageFilter }) {
  const { data } = useQuery(chatStatsQuery(agentId, filter));
  const { stats } = messagesStrings;
  const figures = [
    [stats.messages, data && formatNumber(data.totalMessages)],
    [stats.sessions, data && formatNumber(data.totalSessions)],
    [stats.feedback, data && formatNumber(data.totalFeedback)],
    [
      stats.positive,
      data && (data.totalFeedback === 0 ? "–" : formatPercent(data.positiveFeedback / data.totalFeedback)),
    ],
  ] as const;
  return (
    <dl className={classes.stats}>
      {figures.map(([name, figure]) => (
        <div key={name} className={classes.stat}>
          <dt>{name}</dt>
          <dd>{figure ?? "–"}</dd>
        </div>
      ))}
    </dl>
  );
}

type SessionListProps = {
  sessions: readonly SessionSummary[];
  openId: string | undefined;
  onOpen(sessionId: string): void;
  hasMore: boolean;
  isLoadingMore: boolean;
  onMore(): void;
};

function SessionList({ sessions, openId, onOpen, hasMore, isLoadingMore, onMore }: SessionListProps) {
  return (
    <nav className={classes.sessions} aria-label={messagesStrings.sessions}>
      {sessions.map(({ sessionId, title, updatedDate, count, rating }) => (
        <UnstyledButton
          key={sessionId}
          className={classes.session}
          aria-current={sessionId === openId || undefined}
          onClick={() => onOpen(sessionId)}
        >
          <span className={classes.sessionTitle}>
            <Text size="sm" fw={500} truncate>
              {title || messagesStrings.untitled}
            </Text>
            {rating === "THUMBS_UP" && <ThumbsUp size={14} aria-label={messagesStrings.goodAnswer} />}
            {rating === "THUMBS_DOWN" && <ThumbsDown size={14} aria-label={messagesStrings.badAnswer} />}
          </span>
          <Hint size="xs" component="span">
            <Moment at={updatedDate} /> · {messagesStrings.count({ count })}
          </Hint>
        </UnstyledButton>
      ))}
      {hasMore && (
        <Action label={messagesStrings.more} variant="subtle" size="xs" onClick={onMore} loading={isLoadingMore} />
      )}
    </nav>
  );
}

type ConversationProps = { agentId: string; sessionId: string; feedback: ReadonlyMap<string, Feedback> | undefined };

/** A conversation from its beginning, with what people thought of the answers. */
function Conversation({ agentId, sessionId, feedback }: ConversationProps) {
  const messages = useQuery(conversationQuery(agentId, sessionId));
  return (
    <section className={classes.conversation} aria-label={messagesStrings.conversation}>
      <Hint size="xs" className={classes.sessionId}>
        {commonStrings.labelled({ label: messagesStrings.session, value: sessionId })}
      </Hint>
      <ListBody query={messages} rowHeight={80}>
        {(list) => (
          <>
            {list.map((message) => (
              <Message key={message.id} message={message} feedback={feedback?.get(message.id)} />
            ))}
          </>
        )}
      </ListBody>
    </section>
  );
}

/** A stored message, and what was thought of it. */
export function Message({ message, feedback }: { message: ChatMessage; feedback: Feedback | undefined }) {
  const { role, content, createdDate, chatType, usedTools, fileUploads, executionId, author } = message;
  const isUser = role === "userMessage";
  return (
    <article className={classes.message} data-role={isUser ? "user" : author === undefined ? "agent" : "person"}>
      <Group gap="xs" mb={4}>
        <Text size="xs" fw={600}>
          {isUser
            ? messagesStrings.user
            : author === undefined
              ? messagesStrings.agent
              : author || conversationsStrings.person}
        </Text>
        <Hint size="xs" component="span">
          <Moment at={createdDate} />
        </Hint>
        {isUser && (
          <Badge size="xs" variant="light" color="gray" tt="none">
            {messagesStrings.chatTypes[chatType]}
          </Badge>
        )}
        {!isUser && executionId !== "" && (
          <TextLink to="/executions/$executionId" params={{ executionId }} size="xs" ml="auto">
            {messagesStrings.run}
          </TextLink>
        )}
      </Group>
      {content.trim() === "" ? (
        <Hint>{messagesStrings.emptyMessage}</Hint>
      ) : isUser ? (
        <Text size="sm" className={classes.said}>
          {content}
        </Text>
      ) : (
        <Markdown text={content} />
      )}
      {usedTools.length > 0 && (
        <Hint size="xs" mt={4}>
          {messagesStrings.tools({ names: formatList(usedTools.map(({ tool }) => tool)) })}
        </Hint>
      )}
      {fileUploads.length > 0 && (
        <Hint size="xs" mt={4}>
          {messagesStrings.files({ names: formatList(fileUploads.map(({ name }) => name)) })}
        </Hint>
      )}
      {feedback !== undefined && <Rating feedback={feedback} />}
    </article>
  );
}

function Rating({ feedback: { rating, content } }: { feedback: Feedback }) {
  const isGood = rating === "THUMBS_UP";
  const Icon = isGood ? ThumbsUp : ThumbsDown;
  return (
    <Alert
      mt="xs"
      p="xs"
      variant="light"
      color={isGood ? "teal" : "orange"}
      icon={<Icon size={16} aria-hidden />}
      title={isGood ? messagesStrings.goodAnswer : messagesStrings.badAnswer}
    >
      {content}
    </Alert>
  );
}
