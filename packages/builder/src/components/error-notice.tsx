import { Alert, Button, Group, Text } from "@mantine/core";
import { CircleAlert } from "lucide-react";
import { isApiError } from "../api/client.ts";
import { errorSentence } from "../api/error-sentence.ts";
import { errorStrings } from "../strings/common.ts";

type Props = { error: unknown; title?: string; onRetry?: () => void };

/** An error and how to resolve it, announced immediately. Renders nothing if `error` is null or undefined. */
export function ErrorNotice({ error, title = errorStrings.title, onRetry }: Props) {
  if (error === null || error === undefined) return null;
  const requestId = isApiError(error) && error.status >= 500 ? error.requestId : "";
  return (
    <Alert color="red" variant="light" icon={<CircleAlert size={18} aria-hidden />} title={title} role="alert">
      <Text size="sm">{errorSentence(error)}</Text>
      {requestId !== "" && (
        <Text size="xs" c="dimmed" mt={4}>
          {errorStrings.requestId(requestId)}
        </Text>
      )}
      {onRetry !== undefined && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={onRetry}>
            {errorStrings.retry}
          </Button>
        </Group>
      )}
    </Alert>
  );
}
