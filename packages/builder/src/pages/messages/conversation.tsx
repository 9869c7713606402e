import { Alert, Anchor, Badge, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ChatMessage, Feedback } from "@weft/client";
import { ThumbsDown, ThumbsUp } from "lucide-react";
import { conversationQuery } from "../../api/messages.ts";
import { Markdown } from "../../chat/markdown.tsx";
import { ListBody } from "../../components/list-body.tsx";
import { Moment } from "../../components/moment.tsx";
import { messagesStrings } from "../../strings/messages.ts";
import classes from "./messages.module.css";

type Props = { agentId: string; sessionId: string; feedback: ReadonlyMap<string, Feedback> | undefined };

/** A conversation from its beginning, with what people thought of the answers. */
export function Conversation({ agentId, sessionId, feedback }: Props) {
  const messages = useQuery(conversationQuery(agentId, sessionId));
  return (
    <section className={classes.conversation} aria-label={messagesStrings.conversation}>
      <Text size="xs" c="dimmed" className={classes.sessionId}>
        {messagesStrings.session} {sessionId}
      </Text>
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

function Message({ message, feedback }: { message: ChatMessage; feedback: Feedback | undefined }) {
  const { role, content, createdDate, chatType, usedTools, fileUploads, executionId } = message;
  const isUser = role === "userMessage";
  return (
    <article className={classes.message} data-role={isUser ? "user" : "agent"}>
      <Group gap="xs" mb={4}>
        <Text size="xs" fw={600}>
          {isUser ? messagesStrings.user : messagesStrings.agent}
        </Text>
        <Text size="xs" c="dimmed" component="span">
          <Moment at={createdDate} />
        </Text>
        {isUser && (
          <Badge size="xs" variant="light" color="gray" tt="none">
            {messagesStrings.chatTypes[chatType]}
          </Badge>
        )}
        {!isUser && executionId !== "" && (
          <Anchor
            size="xs"
            ml="auto"
            renderRoot={(props) => <Link {...props} to="/executions/$executionId" params={{ executionId }} />}
          >
            {messagesStrings.run}
          </Anchor>
        )}
      </Group>
      {content.trim() === "" ? (
        <Text size="sm" c="dimmed">
          {messagesStrings.emptyMessage}
        </Text>
      ) : isUser ? (
        <Text size="sm" className={classes.said}>
          {content}
        </Text>
      ) : (
        <Markdown text={content} />
      )}
      {usedTools.length > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {messagesStrings.tools(usedTools.map(({ tool }) => tool))}
        </Text>
      )}
      {fileUploads.length > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {messagesStrings.files(fileUploads.map(({ name }) => name))}
        </Text>
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
