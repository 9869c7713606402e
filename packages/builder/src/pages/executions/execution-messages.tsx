import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ChatMessage, Execution } from "@weft/client";
import { chatMessagesOfRunQuery } from "../../chat/chat-queries.ts";
import { Markdown } from "../../chat/markdown.tsx";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { chatStrings } from "../../strings/chat.ts";
import { executionStrings } from "../../strings/executions.ts";
import { formatExactMoment } from "../../trace/format-moment.ts";
import classes from "./execution-messages.module.css";

/** The messages that a run wrote. */
export function ExecutionMessages({ execution }: { execution: Execution }) {
  const { data, error, isPending, refetch } = useQuery(chatMessagesOfRunQuery(execution));
  if (isPending) return <Skeleton height={72} radius="md" />;
  if (data === undefined) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {executionStrings.noMessages}
      </Text>
    );
  }
  return (
    <ol className={classes.messages}>
      {data.map((message) => (
        <Message key={message.id} message={message} />
      ))}
    </ol>
  );
}

function Message({ message: { role, content, createdDate } }: { message: ChatMessage }) {
  const isUser = role === "userMessage";
  return (
    <li className={classes.message} data-role={role}>
      <div className={classes.head}>
        <strong>{isUser ? chatStrings.you : chatStrings.agent}</strong> {formatExactMoment(createdDate)}
      </div>
      {isUser ? <div className={classes.plain}>{content}</div> : <Markdown text={content} />}
    </li>
  );
}
