import { Button, Text, UnstyledButton } from "@mantine/core";
import { ThumbsDown, ThumbsUp } from "lucide-react";
import { Moment } from "../../components/moment.tsx";
import { messagesStrings } from "../../strings/messages.ts";
import type { SessionSummary } from "./group-sessions.ts";
import classes from "./messages.module.css";

type Props = {
  sessions: readonly SessionSummary[];
  openId: string | undefined;
  onOpen(sessionId: string): void;
  hasMore: boolean;
  isLoadingMore: boolean;
  onMore(): void;
};

export function SessionList({ sessions, openId, onOpen, hasMore, isLoadingMore, onMore }: Props) {
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
          <Text size="xs" c="dimmed" component="span">
            <Moment at={updatedDate} /> · {messagesStrings.count(count)}
          </Text>
        </UnstyledButton>
      ))}
      {hasMore && (
        <Button variant="subtle" size="xs" onClick={onMore} loading={isLoadingMore}>
          {messagesStrings.more}
        </Button>
      )}
    </nav>
  );
}
