import { Alert, Badge, Group, Text } from "@mantine/core";
import type { ChatMessage, Feedback } from "@weft/client";
import { ThumbsDown, ThumbsUp } from "../../icons/icons.gen.ts";
import { formatList } from "../../languages/index.ts";
import { conversationsStrings, messagesStrings } from "../../strings.ts";
import { Markdown } from "../../ui/content/markdown.tsx";
import { Moment } from "../../ui/content/time.tsx";
import { TextLink } from "../../ui/controls/links.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import classes from "./messages.module.css";

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
