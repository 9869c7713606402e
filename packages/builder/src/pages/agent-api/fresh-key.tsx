import { Alert, Button, Code, Group, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { KeyRound, TriangleAlert } from "lucide-react";
import { apiKeyKeys } from "../../api/api-keys.ts";
import { client } from "../../api/client.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { agentApiStrings } from "../../strings/agent-api.ts";
import classes from "./agent-api.module.css";

type Props = { agentName: string; apiKey: string | undefined; onCreated(apiKey: string): void };

/** Makes a key on a click and shows it while the page is open, which is the one time that it can be shown. */
export function FreshKey({ agentName, apiKey, onCreated }: Props) {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.createApiKey({ keyName: agentApiStrings.keyName(agentName) }),
    onSuccess(created) {
      onCreated(created.apiKey);
      return queries.invalidateQueries({ queryKey: apiKeyKeys.all });
    },
  });
  if (apiKey !== undefined) {
    return (
      <Alert
        color="yellow"
        variant="light"
        icon={<TriangleAlert size={18} aria-hidden />}
        title={agentApiStrings.keyCreatedTitle}
        role="status"
      >
        <Text size="sm">{agentApiStrings.keyCreated}</Text>
        <Group mt="sm" gap="xs">
          <Code>{apiKey}</Code>
          <CopyButton text={apiKey} label={agentApiStrings.copyKey} size="xs" />
        </Group>
      </Alert>
    );
  }
  return (
    <section className={classes.panel} aria-labelledby="api-key">
      <Group justify="space-between" gap="md">
        <div style={{ flex: "1 1 320px" }}>
          <Title order={2} id="api-key">
            {agentApiStrings.key}
          </Title>
          <Text size="sm" c="dimmed">
            {agentApiStrings.keyText}
          </Text>
        </div>
        <Button leftSection={<KeyRound size={16} aria-hidden />} loading={isPending} onClick={() => mutate()}>
          {agentApiStrings.createKey}
        </Button>
      </Group>
      <ErrorNotice error={error} />
    </section>
  );
}
