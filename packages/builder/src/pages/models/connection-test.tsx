import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { ModelChoice } from "@weft/client";
import { CircleCheck, CircleX, PlugZap } from "lucide-react";
import { client } from "../../api/client.ts";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { modelsStrings } from "../../strings/models.ts";

/** Asks the model for a word and says what came of it. */
export function ConnectionTest({ choice: { provider, model, credential } }: { choice: Required<ModelChoice> }) {
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => client.testModel({ provider, model, credential }),
  });
  return (
    <Group gap="sm">
      <Button
        variant="default"
        leftSection={<PlugZap size={16} aria-hidden />}
        loading={isPending}
        onClick={() => mutate()}
      >
        {modelsStrings.test}
      </Button>
      <div role="status">
        {data?.ok === true && (
          <Group gap={6} c="teal" wrap="nowrap">
            <CircleCheck size={16} aria-hidden />
            <Text size="sm" c="var(--mantine-color-text)">
              {modelsStrings.answered(data.model, data.durationMs)}
            </Text>
          </Group>
        )}
        {data?.ok === false && (
          <Group gap={6} c="var(--mantine-color-error)" wrap="nowrap">
            <CircleX size={16} aria-hidden />
            <Text size="sm">{data.message}</Text>
          </Group>
        )}
      </div>
      <ErrorNotice error={error} />
    </Group>
  );
}
